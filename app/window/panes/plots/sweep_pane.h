#pragma once

#include "app/session/jobs/sweep_job.h"
#include "app/window/panes/plots/plot_pane.h"

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace plimsoll::app {

class SweepCanvas;
class SweepFrontCanvas;
class Workbench;

/// What the plan takes for many sizes, or under many policies: asked for by one line, drawn by the sizes or by
/// time and peak, and as a table; one click plans by one of them.
class SweepPane : public PlotPane
{
    Q_OBJECT

public:
    /// \p table is that of the combinations; the pane takes it in.
    SweepPane(Workbench& bench, TablePane* table, QWidget* parent = nullptr);

    [[nodiscard]] Canvas* plot() const override; ///< The chart that is shown.
    void setTheme(Theme theme) const override;
    [[nodiscard]] SweepCanvas* canvas() const { return m_charts.sizes; }
    [[nodiscard]] SweepJob& job() { return m_job; }

protected:
    void refresh() override;

private:
    [[nodiscard]] QLayout* makeRow();
    [[nodiscard]] QWidget* makeCharts();
    void start();
    void take(int point);
    [[nodiscard]] QString statusText() const;

    Workbench& m_bench;
    SweepJob m_job;
    TablePane* m_table;
    struct
    {
        SweepCanvas* sizes;
        SweepFrontCanvas* times;
        QStackedWidget* shown;
    } m_charts;
    QLineEdit* m_over;
    QPushButton* m_start;
    QPushButton* m_stop;
    QPushButton* m_take;
    QProgressBar* m_progress;
    QLabel* m_status;
    QString m_complaint; ///< Of what was asked for last; empty: there is none.
};

} // namespace plimsoll::app
