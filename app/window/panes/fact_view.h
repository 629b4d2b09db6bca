#pragma once

#include "app/models/inspector_model.h"
#include "app/views/swatches.h"

#include <QTreeView>

namespace plimsoll::app {

/// Sections of facts, in rows of name and text. Facts that lead somewhere are links.
class FactView : public QTreeView
{
    Q_OBJECT

public:
    explicit FactView(std::shared_ptr<const Swatches> swatches, QWidget* parent = nullptr);

    void setFacts(InspectorFacts facts);
    [[nodiscard]] const InspectorModel& facts() const { return m_model; }

Q_SIGNALS:
    void followed(const plimsoll::Focus& link);
    void menuRequested(QPoint screen, const QList<QAction*>& own);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void addCopying();
    void follow(const QModelIndex& index);
    void fitNames();

    InspectorModel m_model;
    int m_namesWidth = 116; ///< As it was fitted last; another one was chosen by hand.
};

} // namespace plimsoll::app
