#pragma once

#include "app/session/change_ranking.h"
#include "app/window/panes/plots/plot_pane.h"

class QLabel;
class QPushButton;

namespace plimsoll::app {

class FitStrip;
class HelpsCanvas;
class TablePane;
class Workbench;

/// What helps most: other policies, alone and two by two, as a table and by time and peak; one click plans so. Above
/// them what fits a capacity.
class HelpsPane : public PlotPane
{
    Q_OBJECT

public:
    /// \p table is that of the changes; the pane takes it in.
    HelpsPane(Workbench& bench, TablePane* table, QWidget* parent = nullptr);

    [[nodiscard]] Canvas* plot() const override;
    [[nodiscard]] HelpsCanvas* canvas() const { return m_canvas; }
    [[nodiscard]] bool running() const;

protected:
    void refresh() override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void makeButtons();
    void pick(int point);
    void take();
    [[nodiscard]] QString statusText() const;

    Workbench& m_bench;
    ChangeRanking m_ranking;
    TablePane* m_table;
    HelpsCanvas* m_canvas;
    FitStrip* m_fit;
    QPushButton* m_take;
    QLabel* m_status;
    int m_point = -1; ///< What is selected, of the changes of the report.
};

} // namespace plimsoll::app
