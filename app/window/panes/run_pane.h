#pragma once

#include "app/window/exporting.h"
#include "core/base/result.h"
#include "core/facts/fact_table.h"

#include <QWidget>

#include <optional>

class QAction;
class QBoxLayout;
class QCheckBox;
class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QTreeWidget;
class QTreeWidgetItem;

namespace plimsoll::app {

class CliProcess;
class InputsField;
struct RunRequest;
class Workbench;

/// Runs the graph under the plan and says what came of it: equal to the oracle or where not, measured beside planned.
class RunPane : public QWidget
{
    Q_OBJECT

public:
    explicit RunPane(Workbench& bench, QWidget* parent = nullptr);

    void start();
    void bisect();
    /// Of the table in which the current row of the details lies, else of the first; nothing where nothing was run.
    [[nodiscard]] std::optional<Rows> rows() const;

Q_SIGNALS:
    void menuRequested(QPoint screen, const QList<QAction*>& own); ///< About the details.

protected:
    void changeEvent(QEvent* event) override; ///< Numbers may read in another way.
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLayout* makeControls();
    void makeBoxes();
    void lineUpControls();
    QWidget* makeResult();
    void watch(const CliProcess& child);
    void begin(Status (Workbench::*how)(RunRequest request)); ///< Shows why it cannot.
    [[nodiscard]] RunRequest asked() const;                   ///< But for its inputs.
    void showAsked();                                         ///< How the last run was run, as that.
    void showRunning(bool running);
    void showProgress(qint64 step, qint64 total, const QString& node);
    void showError(const Error& error);
    void refresh();
    void showWarning();
    void showBisection();
    void showTable(const FactTable& table, const Plans& plans);
    void follow(QTreeWidgetItem* item);

    Workbench& m_bench;
    /// What a run is asked for.
    struct
    {
        QComboBox* mode = nullptr;
        QSpinBox* seed = nullptr;
        InputsField* inputs = nullptr;
        QCheckBox* reference = nullptr;
        QCheckBox* probe = nullptr;
        QCheckBox* poison = nullptr;
        QCheckBox* keep = nullptr;
        QCheckBox* emulate = nullptr; ///< Shown for plans that compute on a device.
    } m_asked;
    QBoxLayout* m_controls = nullptr;
    QPushButton* m_start = nullptr;
    QPushButton* m_bisect = nullptr;
    QPushButton* m_cancel = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_warning = nullptr; ///< What the plan is warned of, run or not.
    QLabel* m_headline = nullptr;
    QLabel* m_facts = nullptr;
    QTreeWidget* m_details = nullptr;
};

} // namespace plimsoll::app
