#pragma once

#include "core/plan/search_record.h"

#include <QElapsedTimer>
#include <QObject>

#include <memory>
#include <optional>
#include <stop_token>

namespace plimsoll {
struct Report;
}

namespace plimsoll::app {

class JobRunner;
class Session;

/// Looks longer for a lower plan of what is open. Better plans go to the session while it searches; any
/// other change of the plan ends it, and what it still finds is dropped.
class SearchJob : public QObject
{
    Q_OBJECT

public:
    SearchJob(Session& session, JobRunner& jobs, QObject* parent = nullptr);

    /// Nothing happens without a plan of our own. Without \p seconds it searches until a proof or a stop.
    void start(std::optional<double> seconds);
    void stop(); ///< Ends the search and keeps the best plan so far.
    [[nodiscard]] bool canStart() const;
    [[nodiscard]] bool running() const { return m_run != nullptr; }
    [[nodiscard]] double elapsedSeconds() const { return m_since.isValid() ? double(m_since.elapsed()) / 1000 : 0; }
    /// What has come of it so far; null while none runs.
    [[nodiscard]] std::shared_ptr<const SearchRecord> record() const { return m_record; }

Q_SIGNALS:
    void started();
    void progressed(); ///< record() is new.
    void ended();      ///< Whatever ended it.

private:
    struct Run;
    void take(const std::shared_ptr<Run>& run, const SearchRecord& record, std::shared_ptr<const Report> better);
    void conclude(const std::shared_ptr<Run>& run, std::shared_ptr<const Report> report);
    void drop();

    Session& m_session;
    JobRunner& m_jobs;
    std::shared_ptr<Run> m_run; ///< Null: none runs.
    std::shared_ptr<const SearchRecord> m_record;
    QElapsedTimer m_since;
};

} // namespace plimsoll::app
