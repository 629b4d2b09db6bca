#include "app/session/policy_costs.h"

#include "app/session/job_runner.h"
#include "app/session/job_tag.h"
#include "app/session/session.h"
#include "core/facts/english/english.h"
#include "core/facts/words/policy_effect.h"

#include <set>

namespace plimsoll::app {
namespace {

QString qt(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

PolicyCosts::PolicyCosts(Session& session, JobRunner& jobs, QObject* parent)
    : QObject(parent), m_session(session), m_jobs(jobs)
{
    connect(&session, &Session::reportChanged, this, &PolicyCosts::restart);
    connect(&jobs, &JobRunner::stopped, this, [this](const QString& tag) {
        if (tag == JobTag::Costs) m_pending.clear();
    });
    for (auto signal : {&Session::choicesChanged, &Session::graphOpened, &Session::closed}) {
        connect(&session, signal, this, [this] {
            m_pending.clear();
            m_jobs.cancel(JobTag::Costs);
        });
    }
}

std::optional<PlanCost> PolicyCosts::costOf(const PolicySetting& setting) const
{
    const auto found = m_costs.find(std::pair<std::string, std::string>(setting));
    return found == m_costs.end() ? std::nullopt : std::optional(found->second);
}

void PolicyCosts::restart()
{
    const auto report = m_session.report();
    m_plan = report ? std::optional(m_session.digest().cost) : std::nullopt;
    if (m_session.improved()) return; // prices compare plans that were searched for alike
    m_jobs.cancel(JobTag::Costs);
    m_costs.clear();
    m_pending.clear();
    m_planAtOnce = m_plan;
    if (!report || !m_enabled) return;
    const Policies& chosen = m_session.choices().policies;
    std::set<std::string_view> acting; // asked once each: some look at all values
    for (const PolicyInfo& policy : policyTable())
        if (whyWithoutEffect(report->program, chosen, policy).empty()) acting.insert(policy.id);
    for (const std::string_view policy : acting)
        m_costs[{std::string(policy), policyValue(chosen, policy)}] = *m_planAtOnce;
    for (const PolicySetting& change : singleChanges(chosen))
        if (acting.contains(change.first)) m_pending.push_back(change);
    Q_EMIT changed();
    QMetaObject::invokeMethod(this, &PolicyCosts::next, Qt::QueuedConnection); // others learn of the report first
}

void PolicyCosts::hold(bool held)
{
    m_held = held;
    next();
}

void PolicyCosts::next()
{
    if (m_held || m_pending.empty() || m_jobs.busy(JobTag::Costs)) return;
    const PolicySetting change = m_pending.front();
    Result<PlanRequest> request = withChange(m_session.request(), change);
    if (!request.ok()) {
        m_pending.pop_front();
        next();
        return;
    }
    const QString with = tr("Planning with %1: %2").arg(qt(spoken(findPolicy(change.first)->title)), qt(change.second));
    m_jobs.start(
        JobTag::Costs, m_pending.size() > 1 ? tr("%1, %2 more to try").arg(with).arg(m_pending.size() - 1) : with,
        [analyse = m_session.engine().analyse, graph = m_session.graph(),
         request = std::move(request).value()](const Context& context) {
            const Result<Report> report = analyse(*graph, request, {context.stop, {}}); // each is one of many
            return report.ok() ? std::optional<PlanCost>(plimsoll::costOf(report.value())) : std::nullopt;
        },
        [this, change](std::optional<PlanCost> cost) {
            if (!m_pending.empty()) m_pending.pop_front();
            if (cost) m_costs[std::pair<std::string, std::string>(change)] = *cost;
            Q_EMIT changed();
            next();
        });
}

} // namespace plimsoll::app
