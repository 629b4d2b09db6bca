#pragma once

#include "app/session/fit_job.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace plimsoll::app {

class Workbench;

/// "Fit into": a capacity is typed, and the cheapest policies that keep it are looked for. What came of it stands
/// beneath.
class FitStrip : public QWidget
{
    Q_OBJECT

public:
    explicit FitStrip(Workbench& bench, QWidget* parent = nullptr);

    [[nodiscard]] bool running() const { return m_job.running(); }

protected:
    void changeEvent(QEvent* event) override; ///< Numbers may read in another way.

private:
    [[nodiscard]] QLayout* makeFields();
    void start();
    void refresh();
    [[nodiscard]] QString answer() const;

    Workbench& m_bench;
    FitJob m_job;
    QLineEdit* m_capacity;
    QPushButton* m_start;
    QPushButton* m_stop;
    QPushButton* m_take;
    QProgressBar* m_progress;
    QLabel* m_answer;
    QString m_complaint; ///< About what was typed.
};

} // namespace plimsoll::app
