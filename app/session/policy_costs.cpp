#include "app/session/policy_costs.h"

#include "app/session/job_runner.h"
#include "app/session/session.h"

namespace plimsoll::app {
namespace {

const QString CostTag = QStringLiteral("costs");

QString qt(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

PolicyCosts::PolicyCosts(Session& session, JobRunner& jobs, QObject* parent)
    : QObject(parent), m_session(session), m_jobs(jobs)
{
    connect(&session, &Session::reportChanged, this, &PolicyCosts::restart);
    for (auto signal : {&Session::choicesChanged, &Session::graphOpened, &Session::closed}) {
        connect(&session, signal, this, [this] {
            m_pending.clear();
            m_jobs.cancel(CostTag);
        });
    }
}

std::optional<qint64> PolicyCosts::peakBytes(const QString& policy, const QString& value) const
{
    const auto found = m_peaks.constFind({policy, value});
    return found == m_peaks.constEnd() ? std::nullopt : std::optional<qint64>(*found);
}

void PolicyCosts::restart()
{
    m_jobs.cancel(CostTag);
    m_peaks.clear();
    m_pending.clear();
    const auto report = m_session.report();
    if (!report || !m_enabled) return;
    for (const PolicyInfo& policy : policyTable()) {
        const std::string chosen = policyValue(m_session.choices().policies, policy.id);
        for (const std::string_view value : policy.values) {
            if (value == chosen)
                m_peaks[{qt(policy.id), qt(value)}] = report->peakBytes;
            else
                m_pending.emplace_back(qt(policy.id), qt(value));
        }
    }
    Q_EMIT changed();
    next();
}

void PolicyCosts::next()
{
    if (m_pending.empty()) return;
    const Key key = m_pending.front();
    PlanRequest request = m_session.request();
    request.recordDecisions = false;
    const Status accepted = setPolicy(request.policies, key.first.toStdString(), key.second.toStdString());
    if (!accepted.ok()) {
        m_pending.pop_front();
        next();
        return;
    }
    m_jobs.start(
        CostTag, tr("Pricing %1 = %2").arg(key.first, key.second),
        [analyse = m_session.engine().analyse, graph = m_session.graph(), request](const Context& context) {
            const Result<Report> report = analyse(*graph, request, context);
            return report.ok() ? std::optional<qint64>(report.value().peakBytes) : std::nullopt;
        },
        [this, key](std::optional<qint64> peak) {
            if (!m_pending.empty()) m_pending.pop_front();
            if (peak) m_peaks[key] = *peak;
            Q_EMIT changed();
            next();
        });
}

} // namespace plimsoll::app
