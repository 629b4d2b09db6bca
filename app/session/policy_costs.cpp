#include "app/session/policy_costs.h"

#include "app/session/job_runner.h"
#include "app/session/session.h"
#include "core/advice/what_if.h"
#include "core/facts/words/policy_effect.h"

#include <algorithm>

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
    m_planAtOnce = report ? std::optional(plimsoll::costOf(*report)) : std::nullopt;
    if (!report || !m_enabled) return;
    const Policies& chosen = m_session.choices().policies;
    const auto counts = [&](const PolicyInfo& policy) {
        return whyWithoutEffect(report->program, chosen, policy).empty();
    };
    for (const PolicyInfo& policy : policyTable())
        if (counts(policy)) m_costs[{qt(policy.id), qt(policyValue(chosen, policy.id))}] = *m_planAtOnce;
    for (const auto& [policy, value] : singleChanges(chosen))
        if (counts(*findPolicy(policy))) m_pending.emplace_back(qt(policy), qt(value));
    Q_EMIT changed();
    next();
}

void PolicyCosts::next()
{
    if (m_pending.empty()) return;
    const Key key = m_pending.front();
    Result<PlanRequest> request = withChange(m_session.request(), {key.first.toStdString(), key.second.toStdString()});
    if (!request.ok()) {
        m_pending.pop_front();
        next();
        return;
    }
    m_jobs.start(
        CostTag, tr("Planning with %1: %2").arg(qt(findPolicy(key.first.toStdString())->title), key.second),
        [analyse = m_session.engine().analyse, graph = m_session.graph(),
         request = std::move(request).value()](const Context& context) {
            const Result<Report> report = analyse(*graph, request, context);
            return report.ok() ? std::optional<PlanCost>(plimsoll::costOf(report.value())) : std::nullopt;
        },
        [this, key](std::optional<PlanCost> cost) {
            if (!m_pending.empty()) m_pending.pop_front();
            if (cost) m_costs[key] = *cost;
            Q_EMIT changed();
            next();
        });
}

} // namespace plimsoll::app
