#include "app/session/policy_costs.h"

#include "app/session/job_runner.h"
#include "app/session/session.h"
#include "core/report/offers.h"

namespace plimsoll::app {
namespace {

const QString CostTag = QStringLiteral("costs");

QString qt(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

PlanCost costOfPlan(const Report& report)
{
    const KernelTime time = kernelTime(report);
    return {report.peakBytes, report.externalBytes, time.allMs, time.measured};
}

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

std::optional<PlanCost> PolicyCosts::costOf(const QString& policy, const QString& value) const
{
    const auto found = m_costs.constFind({policy, value});
    return found == m_costs.constEnd() ? std::nullopt : std::optional<PlanCost>(*found);
}

void PolicyCosts::restart()
{
    if (m_session.improved()) return; // prices compare plans that were searched for alike
    m_jobs.cancel(CostTag);
    m_costs.clear();
    m_pending.clear();
    const auto report = m_session.report();
    m_planAtOnce = report ? std::optional(costOfPlan(*report)) : std::nullopt;
    if (!report || !m_enabled) return;
    for (const PolicyInfo& policy : policyTable()) {
        if (!hasEffect(m_session.choices().policies, policy)) continue;
        const std::string chosen = policyValue(m_session.choices().policies, policy.id);
        for (const std::string_view value : policy.values) {
            if (value == chosen)
                m_costs[{qt(policy.id), qt(value)}] = costOfPlan(*report);
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
        CostTag, tr("Planning with %1 = %2").arg(key.first, key.second),
        [analyse = m_session.engine().analyse, graph = m_session.graph(), request](const Context& context) {
            const Result<Report> report = analyse(*graph, request, context);
            return report.ok() ? std::optional<PlanCost>(costOfPlan(report.value())) : std::nullopt;
        },
        [this, key](std::optional<PlanCost> cost) {
            if (!m_pending.empty()) m_pending.pop_front();
            if (cost) m_costs[key] = *cost;
            Q_EMIT changed();
            next();
        });
}

} // namespace plimsoll::app
