#include "app/session/search_job.h"

#include "app/session/job_runner.h"
#include "app/session/job_tag.h"
#include "app/session/session.h"

#include <QPointer>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>

namespace plimsoll::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto BetweenPoints = std::chrono::milliseconds(40);
constexpr auto BetweenReports = std::chrono::milliseconds(250);
/// Reports are made by the thread that searches: they get one part in so many of its time.
constexpr int ReportShare = 10;
/// Showing them gets one part in so many of the window's.
constexpr int WindowShare = 4;

} // namespace

/// What the searching thread keeps while it searches, and how it is told to end. All but \c enough and \c windowReady
/// is its own.
struct SearchJob::Run
{
    std::stop_source enough;
    std::atomic<Clock::rep> windowReady = 0; ///< When the window can take another report: not while it shows one.
    SearchRecord record;
    std::int64_t shownPeak = 0; ///< Of the best report that was handed out.
    Clock::time_point nextPoint;
    Clock::time_point nextReport;

    /// A report of what was found, where it is better than what is shown and it is time for one.
    std::shared_ptr<const Report> betterReport(const Incumbent& now, const std::function<Result<Report>()>& make)
    {
        const auto begin = Clock::now();
        const Clock::time_point ready {Clock::duration(windowReady)};
        if (now.peakBytes >= shownPeak || begin < nextReport || begin < ready) return nullptr;
        Result<Report> report = make();
        const auto end = Clock::now();
        nextReport = end + std::max<Clock::duration>(BetweenReports, ReportShare * (end - begin));
        if (!report.ok()) return nullptr;
        shownPeak = now.peakBytes;
        windowReady = std::numeric_limits<Clock::rep>::max();
        return std::make_shared<const Report>(std::move(report).value());
    }
};

SearchJob::SearchJob(Session& session, JobRunner& jobs, QObject* parent)
    : QObject(parent), m_session(session), m_jobs(jobs)
{
    jobs.setEndsEarly(JobTag::Search);
    connect(&session, &Session::planStarted, this, &SearchJob::drop);
    connect(&session, &Session::closed, this, &SearchJob::drop);
    connect(&jobs, &JobRunner::stopRequested, this, [this](const QString& tag) {
        if (tag == JobTag::Search) stop();
    });
}

bool SearchJob::canStart() const
{
    const auto report = m_session.report();
    return report && report->planning.search && !report->planning.search->optimal() &&
           report->planning.search->end != SearchEnd::OnePlan && !running() && !m_session.busy();
}

void SearchJob::start(std::optional<double> seconds)
{
    if (!canStart()) return;
    const auto run = std::make_shared<Run>();
    PlanRequest request = m_session.request();
    SearchRequest& search = request.search;
    search.secondsLimit = seconds ? *seconds : std::numeric_limits<double>::infinity();
    // A second search of the same plan goes other ways.
    search.seed = m_session.report()->planning.search->seed + (m_session.improved() ? 1 : 0);
    search.enough = run->enough.get_token();
    run->record.algorithm = m_session.report()->planning.search->algorithm;
    run->record.seed = search.seed;
    run->record.secondsLimit = seconds;
    run->shownPeak = m_session.report()->memory.peakBytes;
    search.improved = [run, jobs = &m_jobs, job = QPointer<SearchJob>(this)](const Incumbent& now, const auto& make) {
        run->record.history.push_back(now);
        run->record.boundBytes = now.boundBytes;
        run->record.seconds = now.seconds;
        run->record.work = now.work;
        auto better = run->betterReport(now, make);
        if (!better && Clock::now() < run->nextPoint) return;
        run->nextPoint = Clock::now() + BetweenPoints;
        // By way of the runner, which lives as long as its thread.
        jobs->callOnOwner([job, run, record = run->record, better = std::move(better)] {
            if (job) job->take(run, record, better);
        });
    };
    m_run = run;
    m_record = std::make_shared<const SearchRecord>(run->record);
    m_since.start();
    m_jobs.start(
        JobTag::Search, tr("Searching for a lower plan"),
        [analyse = m_session.engine().analyse, graph = m_session.graph(), request](const Context& context) {
            Result<Report> report = analyse(*graph, request, context);
            return report.ok() ? std::make_shared<const Report>(std::move(report).value()) : nullptr;
        },
        [this, run](std::shared_ptr<const Report> report) { conclude(run, std::move(report)); });
    Q_EMIT started();
}

void SearchJob::stop()
{
    if (m_run) m_run->enough.request_stop();
}

/// On the window's thread; late ones are of another run.
void SearchJob::take(const std::shared_ptr<Run>& run, const SearchRecord& record, std::shared_ptr<const Report> better)
{
    if (run != m_run) return;
    m_record = std::make_shared<const SearchRecord>(record);
    const auto begin = Clock::now();
    const bool shows = better != nullptr;
    if (shows) m_session.improve(std::move(better));
    Q_EMIT progressed();
    const auto end = Clock::now();
    if (shows) run->windowReady = (end + WindowShare * (end - begin)).time_since_epoch().count();
}

/// The same peak is worth having for what is known of it now. A search may end above what an earlier one has found.
void SearchJob::conclude(const std::shared_ptr<Run>& run, std::shared_ptr<const Report> report)
{
    if (run != m_run) return;
    m_run.reset();
    m_record.reset();
    if (report && report->memory.peakBytes <= m_session.report()->memory.peakBytes)
        m_session.improve(std::move(report));
    Q_EMIT ended();
}

void SearchJob::drop()
{
    if (!m_run) return;
    m_run->enough.request_stop();
    m_run.reset();
    m_record.reset();
    m_jobs.cancel(JobTag::Search);
    Q_EMIT ended();
}

} // namespace plimsoll::app
