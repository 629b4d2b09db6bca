#include "app/session/run_job.h"

#include "core/report/run_json.h"

namespace plimsoll::app {
RunJob::RunJob(QObject* parent) : CliProcess(parent)
{
    connect(this, &CliProcess::finished, this, &RunJob::read);
}

void RunJob::start(const RunRequest& request)
{
    QStringList arguments = {QStringLiteral("run"), request.file};
    arguments += choiceArguments(request.choices);
    arguments << QStringLiteral("--mode") << request.mode << QStringLiteral("--seed") << QString::number(request.seed)
              << QStringLiteral("--json") << QStringLiteral("-") << QStringLiteral("--progress");
    if (request.reference) arguments << QStringLiteral("--reference");
    if (request.emulateDevice) arguments << QStringLiteral("--emulate-device");
    if (request.writeProbe) arguments << QStringLiteral("--write-probe");
    if (const auto& plan = request.choices.givenPlan)
        arguments << QStringLiteral("--plan") << QString::fromStdString(plan->file);
    if (!request.recordFile.isEmpty()) arguments << QStringLiteral("--record") << request.recordFile;
    if (request.keepBytes > 0)
        arguments << QStringLiteral("--keep-bytes") << QString::number(request.keepBytes)
                  << QStringLiteral("--keep-from") << QString::number(request.keepFrom);
    CliProcess::start(arguments);
}

void RunJob::read(int status, const QByteArray& output, const QString& said)
{
    // 0 is fine, 1 is findings: both come with a report.
    if (status > 1) {
        const Message why = said.isEmpty() ? say("cli.status", std::to_string(status)) : Message(said.toStdString());
        Q_EMIT failed({status == 3 ? ErrorCode::BadInput : ErrorCode::Unsupported, why, {}, {}});
        return;
    }
    const Result<RunResult> result = readRunJson({output.constData(), static_cast<std::size_t>(output.size())});
    if (result.ok())
        Q_EMIT succeeded(result.value());
    else
        Q_EMIT failed(result.error());
}

} // namespace plimsoll::app
