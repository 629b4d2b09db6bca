#pragma once

#include "app/session/cli_process.h"
#include "core/plan/run_result.h"

namespace plimsoll::app {

/// What a run is asked for besides the plan.
struct RunRequest
{
    QString file;
    Choices choices;
    QString mode = QStringLiteral("auto"); ///< auto, numeric, fingerprint
    qint64 seed = 0;
    QString inputs;             ///< The folder that has them; empty, or not in there: drawn from the seed.
    bool reference = false;     ///< Compare with the reference kernels as well.
    bool emulateDevice = false; ///< Host memory stands in for the device of the plan.
    bool writeProbe = false;    ///< Write through every handle afterwards, and see which others show it.
    bool poison = true;         ///< Overwrite what is dead, and watch guard zones.
    QString recordFile;         ///< Empty: none is kept.
    qint64 keepBytes = 0;       ///< Of what steps write, in the record; 0: none.
    qint64 keepFrom = 0;        ///< The step from which they are kept.
};

/// Nothing in \p folder has the name of an input of \p graph: what would be wrong with it.
[[nodiscard]] Status checkInputs(const QString& folder, const Graph& graph);
/// What both commands that run a plan are asked with, \p command first.
[[nodiscard]] QStringList runArguments(const QString& command, const RunRequest& request);
/// Of a command that ended with a status above 1 and said that; 0 is fine, 1 is findings, and both come with JSON.
[[nodiscard]] Error failureOf(int status, const QString& said);

/// Executes a plan in a child process and reads back what came of it.
class RunJob : public CliProcess
{
    Q_OBJECT

public:
    explicit RunJob(QObject* parent = nullptr);

    void start(const RunRequest& request);

Q_SIGNALS:
    void succeeded(const plimsoll::RunResult& result); ///< It ran; mismatches are in the result.

private:
    void read(int status, const QByteArray& output, const QString& said);
};

} // namespace plimsoll::app
