#include "app/session/bisect_job.h"

#include "core/advice/bisect_json.h"

namespace plimsoll::app {

BisectJob::BisectJob(QObject* parent) : CliProcess(parent)
{
    connect(this, &CliProcess::finished, this, &BisectJob::read);
}

void BisectJob::start(const RunRequest& request, std::shared_ptr<const Graph> graph)
{
    m_graph = std::move(graph);
    CliProcess::start(runArguments(QStringLiteral("bisect"), request));
}

void BisectJob::read(int status, const QByteArray& output, const QString& said)
{
    if (status > 1) {
        Q_EMIT failed(failureOf(status, said));
        return;
    }
    const Result<Bisection> found =
        readBisectJson({output.constData(), static_cast<std::size_t>(output.size())}, *m_graph);
    if (found.ok())
        Q_EMIT succeeded(found.value());
    else
        Q_EMIT failed(found.error());
}

} // namespace plimsoll::app
