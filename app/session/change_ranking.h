#pragma once

#include "core/advice/what_if.h"

#include <QElapsedTimer>
#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace plimsoll::app {

class JobRunner;
class PolicyCosts;
class Session;

/// What helps most: the single changes as PolicyCosts prices them, and the best pairs of those that lower the peak,
/// planned behind them while a view of it is seen.
class ChangeRanking : public QObject
{
    Q_OBJECT

public:
    ChangeRanking(Session& session, PolicyCosts& costs, JobRunner& jobs, QObject* parent = nullptr);

    void setSeen(bool seen);
    [[nodiscard]] bool running() const; ///< Singles or pairs are being planned.
    /// What the session shows, with the changes in it as far as they are known; of those none that changes nothing.
    [[nodiscard]] std::shared_ptr<const Report> report() const { return m_report; }
    /// Plans by these values; one step to undo.
    void take(const std::vector<PolicyValue>& changes);

Q_SIGNALS:
    void changed();

private:
    void follow();
    void refresh();
    void startPairs();
    [[nodiscard]] std::vector<PolicyChange> singles() const;

    Session& m_session;
    PolicyCosts& m_costs;
    JobRunner& m_jobs;
    std::shared_ptr<const Report> m_base; ///< What the changes are of: a longer search changes nothing here.
    std::shared_ptr<const Report> m_report;
    std::optional<std::vector<PolicyChange>> m_pairs; ///< Empty: not planned yet.
    QElapsedTimer m_sinceRefresh;
    bool m_seen = false;
};

/// Plans by these values of policies; one step to undo.
void takeChanges(Session& session, const std::vector<PolicyValue>& changes);

} // namespace plimsoll::app
