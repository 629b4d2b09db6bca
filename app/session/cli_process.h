#pragma once

#include "app/session/plan_history.h"
#include "core/base/result.h"

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QStringList>

namespace plimsoll::app {

/// The -p, --dim and --shape arguments that say the same as \p choices; defaults are left out.
[[nodiscard]] QStringList choiceArguments(const Choices& choices);
/// Those of them that change what backends offer: sizes, the backend, and what makes another graph.
[[nodiscard]] QStringList offerArguments(const Choices& choices);

/// Beside the application.
[[nodiscard]] QString cliProgram();
/// The error in a line "error {…}" of its standard error; a file among its \p arguments is left out, since the window
/// says itself which it is about.
[[nodiscard]] std::optional<Error> saidError(const QByteArray& line, const QStringList& arguments);

/// plimsoll-cli as a child: whatever touches a backend's library happens there, so that its crash is not the window's.
class CliProcess : public QObject
{
    Q_OBJECT

public:
    explicit CliProcess(QObject* parent = nullptr);
    ~CliProcess() override;

    /// Beside the application unless set.
    void setProgram(const QString& program) { m_program = program; }
    [[nodiscard]] const QString& program() const { return m_program; }

    /// Ends what is running first, without a word of it.
    void start(const QStringList& arguments);
    void cancel();
    void interrupt(); ///< As Ctrl+C: it finishes with what is known by then.
    [[nodiscard]] bool running() const { return m_process != nullptr; }

Q_SIGNALS:
    void started();
    void progressed(qint64 step, qint64 total, const QString& node); ///< A line "progress <step> <total> <node>".
    /// Ran to its end: its exit status, standard output, and what it said on standard error besides progress.
    void finished(int status, const QByteArray& output, const QString& said);
    void failed(const plimsoll::Error& error); ///< It said so ("error {…}"), is not there, crashed, or was killed.
    void cancelled();

private:
    void readErrors();
    void end(int status, QProcess::ExitStatus how);
    void drop();

    QString m_program;
    QProcess* m_process = nullptr;
    QByteArray m_output;
    QByteArray m_line; ///< Of standard error, not ended yet.
    QString m_said;
    std::optional<Error> m_error; ///< That it said.
    QStringList m_arguments;
};

} // namespace plimsoll::app
