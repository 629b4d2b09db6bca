#pragma once

#include "app/views/swatches.h"

#include <QWidget>

#include <memory>

class QLabel;

namespace plimsoll::app {

class FactView;
class JobRunner;
class Selection;

/// What is live, read and written at the step cursor. Left and Right move it.
class StepPanel : public QWidget
{
    Q_OBJECT

public:
    /// What is said of a large report is put together by \p worker.
    StepPanel(Selection& selection, JobRunner& worker, std::shared_ptr<const Swatches> swatches,
              QWidget* parent = nullptr);

    void setReport(std::shared_ptr<const Report> report);
    [[nodiscard]] FactView* view() const { return m_view; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();

    Selection& m_selection;
    JobRunner& m_worker;
    std::shared_ptr<const Report> m_report;
    QLabel* m_title;
    FactView* m_view;
    std::int64_t m_shown = -1;
};

} // namespace plimsoll::app
