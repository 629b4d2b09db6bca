#include "app/session/run_job.h"

#include "core/report/run_json.h"

#include <QDir>

namespace plimsoll::app {

Status checkInputs(const QString& folder, const Graph& graph)
{
    const auto fault = [&](Message what) {
        return Error {ErrorCode::BadInput, std::move(what), folder.toStdString(), {}};
    };
    const QDir files(folder);
    if (!files.exists()) return fault(say("data.no-folder"));
    const std::vector<ValueId>& inputs = graph.top().inputs;
    const auto has = [&](const QString& stem) {
        return files.exists(stem + QStringLiteral(".pb")) || files.exists(stem + QStringLiteral(".npy"));
    };
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const QString name = QString::fromStdString(graph[inputs[i]].name);
        if (has(QStringLiteral("input_%1").arg(i)) || (!name.contains(u'/') && has(name))) return {};
    }
    const std::string first = inputs.empty() ? "x" : graph[inputs.front()].name;
    return fault(say("run.no-inputs", word::Name {first + ".npy"}));
}

QStringList runArguments(const QString& command, const RunRequest& request)
{
    QStringList arguments = {command, request.file};
    arguments += choiceArguments(request.choices);
    arguments << QStringLiteral("--mode") << request.mode << QStringLiteral("--seed") << QString::number(request.seed)
              << QStringLiteral("--json") << QStringLiteral("-") << QStringLiteral("--progress");
    if (!request.inputs.isEmpty()) arguments << QStringLiteral("--inputs") << request.inputs;
    if (request.emulateDevice) arguments << QStringLiteral("--emulate-device");
    if (const auto& plan = request.choices.givenPlan)
        arguments << QStringLiteral("--plan") << QString::fromStdString(plan->file);
    return arguments;
}

Error failureOf(int status, const QString& said)
{
    const Message why = said.isEmpty() ? say("cli.status", std::to_string(status)) : Message(said.toStdString());
    return {status == 3 ? ErrorCode::BadInput : ErrorCode::Unsupported, why, {}, {}};
}

RunJob::RunJob(QObject* parent) : CliProcess(parent)
{
    connect(this, &CliProcess::finished, this, &RunJob::read);
}

void RunJob::start(const RunRequest& request)
{
    QStringList arguments = runArguments(QStringLiteral("run"), request);
    if (request.reference) arguments << QStringLiteral("--reference");
    if (request.writeProbe) arguments << QStringLiteral("--write-probe");
    if (!request.poison) arguments << QStringLiteral("--no-poison");
    if (!request.recordFile.isEmpty()) arguments << QStringLiteral("--record") << request.recordFile;
    if (request.keepBytes > 0)
        arguments << QStringLiteral("--keep-bytes") << QString::number(request.keepBytes)
                  << QStringLiteral("--keep-from") << QString::number(request.keepFrom);
    CliProcess::start(arguments);
}

void RunJob::read(int status, const QByteArray& output, const QString& said)
{
    if (status > 1) {
        Q_EMIT failed(failureOf(status, said));
        return;
    }
    const Result<RunResult> result = readRunJson({output.constData(), static_cast<std::size_t>(output.size())});
    if (result.ok())
        Q_EMIT succeeded(result.value());
    else
        Q_EMIT failed(result.error());
}

} // namespace plimsoll::app
