#pragma once

#include "app/window/panes/plots/plot_pane.h"

#include <QTimer>
class QComboBox;
class QLabel;
class QPushButton;

namespace plimsoll::app {

class SearchCanvas;
class Workbench;

/// Looks longer for a lower plan, and shows how the search gets on; without one, how the plan that is shown was found.
class SearchPane : public PlotPane
{
    Q_OBJECT

public:
    explicit SearchPane(Workbench& bench, QWidget* parent = nullptr);

    void start();
    [[nodiscard]] Canvas* plot() const override;
    [[nodiscard]] SearchCanvas* canvas() const { return m_canvas; }

protected:
    void refresh() override;

private:
    [[nodiscard]] QString statusText() const;

    Workbench& m_bench;
    QPushButton* m_start;
    QPushButton* m_stop;
    QComboBox* m_limit;
    QLabel* m_status;
    SearchCanvas* m_canvas;
    QTimer m_tick; ///< Time goes on without better plans.
};

} // namespace plimsoll::app
