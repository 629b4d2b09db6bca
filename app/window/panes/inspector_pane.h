#pragma once

#include "app/models/inspector_model.h"
#include "app/views/swatches.h"

#include <QWidget>

class QLabel;
class QTreeView;

namespace plimsoll::app {

class FreeingJob;
class JobRunner;
class Selection;

/// Every fact and decision about what is selected. Facts that lead somewhere are links.
class InspectorPane : public QWidget
{
    Q_OBJECT

public:
    /// What is said of a large report is put together by \p worker.
    InspectorPane(Selection& selection, const FreeingJob& freeing, JobRunner& worker,
                  std::shared_ptr<const Swatches> swatches, QWidget* parent = nullptr);

    void setReport(std::shared_ptr<const Report> report);
    [[nodiscard]] QString asText() const { return m_model.asText(); }
    [[nodiscard]] QTreeView* view() const { return m_view; }

private:
    void refresh();
    void show(InspectorFacts facts);
    void follow(const QModelIndex& index);

    Selection& m_selection;
    const FreeingJob& m_freeing;
    JobRunner& m_worker;
    std::shared_ptr<const Report> m_report;
    InspectorModel m_model;
    QLabel* m_kind;
    QLabel* m_title;
    QTreeView* m_view;
};

} // namespace plimsoll::app
