#include "app/session/job_runner.h"

#include <QHash>
#include <QMetaObject>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace plimsoll::app {

/// The queue and its thread. The hash of current tickets belongs to the owner's thread, the queues to both. What the
/// worker hands over goes through this mutex, and only the event that tells of it through Qt's, which the thread
/// sanitizer does not see.
struct JobRunner::Worker
{
    struct Job
    {
        QString tag;
        std::uint64_t ticket = 0;
        Task task;
        std::stop_token stop;
    };
    struct Current
    {
        std::uint64_t ticket = 0;
        std::stop_source stop;
    };

    QHash<QString, Current> current;
    std::uint64_t lastTicket = 0;

    std::mutex mutex;
    std::condition_variable_any arrived;
    std::deque<Job> queue;
    std::deque<Delivery> calls; ///< For the owner's thread, each with an event of its own.
    std::jthread thread;        // last: it is joined before the rest goes
};

namespace {

/// Passes on at most one report in 50 ms: each is an event of the window.
std::function<void(std::string_view, double)> throttled(std::function<void(QString, double)> sink)
{
    using Clock = std::chrono::steady_clock;
    return [sink = std::move(sink), last = Clock::time_point()](std::string_view stage, double fraction) mutable {
        const auto now = Clock::now();
        if (now - last < std::chrono::milliseconds(50)) return;
        last = now;
        sink(QString::fromUtf8(stage.data(), static_cast<qsizetype>(stage.size())), fraction);
    };
}

} // namespace

JobRunner::JobRunner(QObject* parent) : QObject(parent), m_worker(std::make_unique<Worker>())
{
    m_worker->thread = std::jthread([this, worker = m_worker.get()](const std::stop_token& ending) {
        for (;;) {
            std::unique_lock lock(worker->mutex);
            if (!worker->arrived.wait(lock, ending, [worker] { return !worker->queue.empty(); })) return;
            const Worker::Job job = std::move(worker->queue.front());
            worker->queue.pop_front();
            lock.unlock();
            if (job.stop.stop_requested()) continue;
            const Context context {job.stop, throttled([this, tag = job.tag](const QString& stage, double fraction) {
                                       callOnOwner([=, this] { Q_EMIT progressed(tag, stage, fraction); });
                                   })};
            callOnOwner([this, tag = job.tag, ticket = job.ticket, delivery = job.task(context)] {
                deliver(tag, ticket, delivery);
            });
        }
    });
}

JobRunner::~JobRunner()
{
    for (Worker::Current& current : m_worker->current)
        current.stop.request_stop();
    m_worker->thread.request_stop();
    m_worker->thread.join();
}

void JobRunner::callOnOwner(std::function<void()> call)
{
    {
        const std::lock_guard lock(m_worker->mutex);
        m_worker->calls.push_back(std::move(call));
    }
    QMetaObject::invokeMethod(this, &JobRunner::takeCall, Qt::QueuedConnection);
}

void JobRunner::takeCall()
{
    Delivery call;
    {
        const std::lock_guard lock(m_worker->mutex);
        call = std::move(m_worker->calls.front());
        m_worker->calls.pop_front();
    }
    call();
}

void JobRunner::enqueue(const QString& tag, const QString& title, Task task)
{
    if (const auto old = m_worker->current.find(tag); old != m_worker->current.end()) old->stop.request_stop();
    Worker::Current& current = m_worker->current[tag];
    current = {++m_worker->lastTicket, std::stop_source()};
    {
        const std::lock_guard lock(m_worker->mutex);
        std::erase_if(m_worker->queue, [&](const Worker::Job& job) { return job.tag == tag; });
        m_worker->queue.push_back({tag, current.ticket, std::move(task), current.stop.get_token()});
    }
    m_worker->arrived.notify_one();
    Q_EMIT started(tag, title);
}

void JobRunner::deliver(const QString& tag, std::uint64_t ticket, const Delivery& delivery)
{
    const auto current = m_worker->current.constFind(tag);
    if (current == m_worker->current.constEnd() || current->ticket != ticket) return;
    m_worker->current.erase(current);
    delivery(); // may start the same tag again
    if (!busy(tag)) Q_EMIT finished(tag);
}

void JobRunner::cancel(const QString& tag)
{
    const auto current = m_worker->current.find(tag);
    if (current == m_worker->current.end()) return;
    current->stop.request_stop();
    m_worker->current.erase(current);
    {
        const std::lock_guard lock(m_worker->mutex);
        std::erase_if(m_worker->queue, [&](const Worker::Job& job) { return job.tag == tag; });
    }
    Q_EMIT finished(tag);
}

void JobRunner::stop(const QString& tag)
{
    if (m_endsEarly.contains(tag)) {
        Q_EMIT stopRequested(tag);
        return;
    }
    cancel(tag);
    Q_EMIT stopped(tag);
}

bool JobRunner::busy() const
{
    return !m_worker->current.isEmpty();
}

bool JobRunner::busy(const QString& tag) const
{
    return m_worker->current.contains(tag);
}

} // namespace plimsoll::app
