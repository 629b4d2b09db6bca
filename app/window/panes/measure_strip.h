#pragma once

#include "app/session/policy_costs.h"

#include <QLabel>
#include <QWidget>

#include <array>

class QGridLayout;
class QProgressBar;
class QPushButton;

namespace plimsoll::app {

class CatalogueJob;
class Workbench;

/// Above the table of offers: lets the user measure them on this machine, and shows this plan beside those without
/// padding and without fusion, in bytes and in time.
class MeasureStrip : public QWidget
{
    Q_OBJECT

public:
    explicit MeasureStrip(Workbench& bench, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override; ///< Numbers may read in another way.

private:
    struct Row
    {
        QLabel* name = nullptr;
        QLabel* peak = nullptr;
        QLabel* outside = nullptr;
        QLabel* time = nullptr;
    };
    QLayout* makeControls();
    QLayout* makeTable();
    void addRow(QGridLayout* grid, int index);
    void listen(CatalogueJob& job, const QString& arrived, const QString& cancelled);
    void showRunning();
    void refresh();
    void fill(Row& row, const QString& name, const std::optional<PlanCost>& cost);
    [[nodiscard]] static QString timeText(const PlanCost& cost);

    Workbench& m_bench;
    QPushButton* m_start = nullptr;
    QPushButton* m_cancel = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_said = nullptr;
    std::array<Row, 3> m_rows; ///< This plan, the other padding, the other fusion.
};

} // namespace plimsoll::app
