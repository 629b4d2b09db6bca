#pragma once

#include "app/views/style.h"

#include <QWidget>

#include <functional>

namespace plimsoll::app {

class Canvas;
class TablePane;

/// A plot with what belongs to it: how plans were found, and what others would take.
class PlotPane : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    [[nodiscard]] virtual Canvas* plot() const = 0;
    virtual void setTheme(Theme theme) const;

protected:
    void changeEvent(QEvent* event) override; ///< Numbers may read in another way.
    virtual void refresh() = 0;
    /// Beside one another, with widths in this proportion whatever they would like.
    QWidget* beside(QWidget* left, int leftShare, QWidget* right, int rightShare);
    /// A row and a point are one thing, whatever the table is sorted by: \p picked gets its place in the table, -1 for
    /// none. \p taken: double-clicked, or Return.
    void followRows(TablePane& table, std::function<void(int)> picked, const std::function<void()>& taken);
};

} // namespace plimsoll::app
