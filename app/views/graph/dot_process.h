#pragma once

#include "core/picture/layout/layered_layout.h"

#include <QObject>
#include <QProcess>
#include <QTimer>

#include <functional>

namespace plimsoll::app {

/// Asks Graphviz for a layout, in a child process that is shut in (core/sandbox), can be killed at any moment, and is
/// when it takes too long.
class DotProcess : public QObject
{
    Q_OBJECT

public:
    explicit DotProcess(QObject* parent = nullptr);
    ~DotProcess() override;

    /// More boxes than this are not worth the wait.
    static constexpr std::size_t MostBoxes = 1500;

    /// Another program in place of `dot`; for tests.
    void setProgram(const QString& program) { m_program = program; }
    void setTimeLimit(int milliseconds) { m_timeLimit = milliseconds; }

    /// Exactly one of the signals follows, unless cancel() comes first.
    void start(LayoutProblem problem);
    void cancel();
    [[nodiscard]] bool busy() const { return m_busy; }

Q_SIGNALS:
    void finished(const plimsoll::GraphLayout& layout);
    void failed(const QString& reason);

private:
    void ended(int exitCode, QProcess::ExitStatus status);
    void give(const QString& reason);

    QProcess m_process;
    QTimer m_timer;
    QString m_program;
    int m_timeLimit = 8000;
    LayoutProblem m_problem;
    bool m_busy = false;
};

} // namespace plimsoll::app
