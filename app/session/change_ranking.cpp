#include "app/session/change_ranking.h"

#include "app/session/job_runner.h"
#include "app/session/job_tag.h"
#include "app/session/policy_costs.h"
#include "app/session/session.h"

namespace plimsoll::app {
namespace {

constexpr qint64 BetweenRefreshesMs = 1000; ///< Each copies the report, and fills the table anew.

} // namespace

ChangeRanking::ChangeRanking(Session& session, PolicyCosts& costs, JobRunner& jobs, QObject* parent)
    : QObject(parent), m_session(session), m_costs(costs), m_jobs(jobs)
{
    connect(&session, &Session::reportChanged, this, &ChangeRanking::follow);
    connect(&session, &Session::closed, this, &ChangeRanking::follow);
    for (auto signal : {&Session::choicesChanged, &Session::graphOpened})
        connect(&session, signal, this, [this] { m_jobs.cancel(JobTag::Pairs); });
    connect(&costs, &PolicyCosts::changed, this, [this] {
        if (m_costs.busy() && m_sinceRefresh.isValid() && m_sinceRefresh.elapsed() < BetweenRefreshesMs) return;
        refresh();
        startPairs();
    });
    connect(&jobs, &JobRunner::finished, this, [this](const QString& tag) {
        if (tag == JobTag::Pairs || tag == JobTag::Costs) Q_EMIT changed();
    });
}

void ChangeRanking::setSeen(bool seen)
{
    m_seen = seen;
    startPairs();
}

bool ChangeRanking::running() const
{
    return m_costs.busy() || m_jobs.busy(JobTag::Pairs);
}

void ChangeRanking::take(const std::vector<PolicyValue>& changes)
{
    takeChanges(m_session, changes);
}

void ChangeRanking::follow()
{
    if (m_session.report() && m_session.improved()) return;
    m_jobs.cancel(JobTag::Pairs);
    m_base = m_session.report();
    m_pairs.reset();
    refresh();
}

std::vector<PolicyChange> ChangeRanking::singles() const
{
    std::vector<PolicyChange> changes;
    const PlanCost now = costOf(*m_base);
    for (const auto& [policy, value] : singleChanges(m_session.choices().policies)) {
        const std::optional<PlanCost> cost = m_costs.costOf({policy, value});
        if (cost && *cost != now) changes.push_back({std::string(policy), std::string(value), *cost});
    }
    return changes;
}

void ChangeRanking::refresh()
{
    m_sinceRefresh.start();
    m_report = m_base;
    if (m_base && m_seen) {
        auto copy = std::make_shared<Report>(*m_base);
        copy->policyChanges = singles();
        if (m_pairs) copy->policyChanges.insert(copy->policyChanges.end(), m_pairs->begin(), m_pairs->end());
        rank(copy->policyChanges, m_base->memory.peakBytes);
        m_report = std::move(copy);
    }
    Q_EMIT changed();
}

/// Behind the singles, which they are made of.
void ChangeRanking::startPairs()
{
    if (!m_seen || !m_base) return;
    if (m_report == m_base) refresh();
    if (m_pairs || m_costs.busy() || m_session.busy() || m_jobs.busy(JobTag::Pairs)) return;
    m_jobs.start(
        JobTag::Pairs, tr("Planning with two policies changed"),
        [graph = m_session.graph(), request = m_session.request(), changes = singles(),
         peak = m_base->memory.peakBytes](const Context& context) {
            return std::optional(pricePairs(*graph, request, changes, peak, context));
        },
        [this](std::optional<std::vector<PolicyChange>> pairs) {
            m_pairs = std::move(pairs).value_or(std::vector<PolicyChange>());
            refresh();
        });
    Q_EMIT changed();
}

void takeChanges(Session& session, const std::vector<PolicyValue>& changes)
{
    Choices choices = session.choices();
    for (const PolicyValue& change : changes)
        if (!choices.setPolicy(change.policy, change.value).ok()) return;
    session.setChoices(std::move(choices));
}

} // namespace plimsoll::app
