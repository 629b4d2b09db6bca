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

private:
    void addCopying();
    void follow(const QModelIndex& index);

    InspectorModel m_model;
};

} // namespace plimsoll::app
