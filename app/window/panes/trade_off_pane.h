#pragma once

#include "app/views/style.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace plimsoll::app {

class TablePane;
class TradeOffCanvas;
class Workbench;

/// Time against peak, drawn and as a table; one click plans by one of the choices.
class TradeOffPane : public QWidget
{
    Q_OBJECT

public:
    /// \p table is that of the choices; the pane takes it in.
    TradeOffPane(Workbench& bench, TablePane* table, QWidget* parent = nullptr);

    void setTheme(Theme theme);
    [[nodiscard]] TradeOffCanvas* canvas() const { return m_canvas; }

protected:
    void changeEvent(QEvent* event) override; ///< Numbers may read in another way.
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    [[nodiscard]] QLayout* makeButtons();
    void followTable();
    void refresh();
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
