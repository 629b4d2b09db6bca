#pragma once

#include "app/models/inspector_model.h"
#include "app/views/swatches.h"

#include <QWidget>

class QAction;
class QLabel;

namespace plimsoll::app {

class FactView;
class FreeingJob;
class JobRunner;
class Selection;
class StepPanel;

/// Every fact and decision about what is selected. Facts that lead somewhere are links. Beneath, whatever is selected:
/// what is live, read and written at the step cursor.
class InspectorPane : public QWidget
{
    Q_OBJECT

public:
    /// What is said of a large report is put together by \p worker.
    InspectorPane(Selection& selection, const FreeingJob& freeing, JobRunner& worker,
                  std::shared_ptr<const Swatches> swatches, QWidget* parent = nullptr);

    void setReport(std::shared_ptr<const Report> report);
    /// Shown while nothing else is picked, until there is another graph; one without nodes: none.
    void setGroup(NodeGroup group);
    /// Of the user's own on what is picked, before all else; without facts: none.
    void setNote(FactSection note);
    /// Buttons for a finding that is picked; one that cannot be pressed is not seen.
    void setMends(const QList<QAction*>& actions);
    [[nodiscard]] QString asText() const;
    [[nodiscard]] FactView* view() const { return m_view; }
    [[nodiscard]] StepPanel* step() const { return m_step; }

Q_SIGNALS:
    void menuRequested(QPoint screen, const QList<QAction*>& own); ///< About what is selected.

protected:
    void changeEvent(QEvent* event) override; ///< Numbers may read in another way.
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitTitle();
    void refresh();
    void show(InspectorFacts facts);

    Selection& m_selection;
    const FreeingJob& m_freeing;
    JobRunner& m_worker;
    std::shared_ptr<const Report> m_report;
    NodeGroup m_group;
    FactSection m_note;
    QLabel* m_kind;
    QLabel* m_title;
    QWidget* m_mends;
    FactView* m_view;
    StepPanel* m_step;
};

} // namespace plimsoll::app
