#pragma once

#include "core/advice/what_if.h"

#include <QObject>

#include <deque>
#include <map>
#include <optional>

namespace plimsoll::app {

class JobRunner;
class Session;

/// What every other value of every policy would cost: re-planned one after the other in the background, after each
/// change of the plan, and given up as soon as the plan changes again.
class PolicyCosts : public QObject
{
    Q_OBJECT

public:
    PolicyCosts(Session& session, JobRunner& jobs, QObject* parent = nullptr);

    /// Of the plan with that one value changed; empty while it is not known.
    [[nodiscard]] std::optional<PlanCost> costOf(const PolicySetting& setting) const;
    [[nodiscard]] std::optional<PlanCost> ofPlan() const { return m_plan; }
    /// Of the plan that was there before a longer search: what the others compare with.
    [[nodiscard]] std::optional<PlanCost> planAtOnce() const { return m_planAtOnce; }
    [[nodiscard]] bool busy() const { return !m_pending.empty(); }
    void setEnabled(bool enabled) { m_enabled = enabled; } ///< Not while a screenshot waits for quiet.
    void hold(bool held); ///< No plan is begun meanwhile: pictures of the newest one come first.

Q_SIGNALS:
    void changed();

private:
    void restart();
    void next();

    Session& m_session;
    JobRunner& m_jobs;
    std::map<std::pair<std::string, std::string>, PlanCost> m_costs; ///< By PolicySetting.
    std::optional<PlanCost> m_plan;
    std::optional<PlanCost> m_planAtOnce;
    std::deque<PolicySetting> m_pending;
    bool m_enabled = true;
    bool m_held = false;
};

} // namespace plimsoll::app
