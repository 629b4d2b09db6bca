#pragma once

#include "app/window/panes/plots/plot_pane.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace plimsoll::app {

class TablePane;
class TradeOffCanvas;
class Workbench;

/// Time against peak, drawn and as a table; one click plans by one of the choices.
class TradeOffPane : public PlotPane
{
    Q_OBJECT

public:
    /// \p table is that of the choices; the pane takes it in.
    TradeOffPane(Workbench& bench, TablePane* table, QWidget* parent = nullptr);

    [[nodiscard]] Canvas* plot() const override;
    [[nodiscard]] TradeOffCanvas* canvas() const { return m_canvas; }

protected:
    void refresh() override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    [[nodiscard]] QLayout* makeButtons();
    void pick(int point);
    void take(int point);
    [[nodiscard]] QString statusText() const;

    Workbench& m_bench;
    TablePane* m_table;
    TradeOffCanvas* m_canvas;
    QPushButton* m_take;
    QPushButton* m_start;
    QPushButton* m_stop;
    QProgressBar* m_progress;
    QLabel* m_status;
};

} // namespace plimsoll::app
