#include "app/session/trade_off_job.h"

#include "app/session/job_runner.h"
#include "app/session/job_tag.h"
#include "app/session/session.h"

namespace plimsoll::app {

TradeOffJob::TradeOffJob(Session& session, JobRunner& jobs, QObject* parent)
    : QObject(parent), m_session(session), m_jobs(jobs)
{
    connect(&session, &Session::reportChanged, this, &TradeOffJob::follow);
    connect(&session, &Session::closed, this, &TradeOffJob::follow);
    for (auto signal : {&Session::choicesChanged, &Session::graphOpened})
        connect(&session, signal, this, &TradeOffJob::giveWay);
    connect(&jobs, &JobRunner::finished, this, [this](const QString& tag) {
        if (tag != JobTag::TradeOffs) return;
        m_stopped = !m_curve && !m_error; // by the user, or see giveWay()
        Q_EMIT changed();
    });
    connect(&jobs, &JobRunner::started, this, [this](const QString& tag, const QString&) {
        if (tag == JobTag::TradeOffs) Q_EMIT changed();
    });
}

void TradeOffJob::setSeen(bool seen)
{
    m_seen = seen;
    if (seen && !m_stopped && !m_error) start();
}

bool TradeOffJob::running() const
{
    return m_jobs.busy(JobTag::TradeOffs);
}

bool TradeOffJob::canStart() const
{
    return m_session.report() && !m_session.choices().givenPlan && !m_session.busy() && !known() && !running();
}

TradeOffJob::Subject TradeOffJob::subject() const
{
    const PlanRequest request = m_session.request();
    Subject subject {m_session.graph(), request.catalogue, request.policies, request.shapes, request.constraints};
    subject.policies.choose = Policies().choose;
    subject.policies.capacity = Policies().capacity;
    return subject;
}

void TradeOffJob::start()
{
    if (!canStart()) return;
    m_stopped = false;
    m_error.reset();
    m_subject = subject();
    PlanRequest request = m_session.request();
    request.policies = m_subject.policies;
    m_jobs.start(
        JobTag::TradeOffs, tr("Working out time against peak"),
        [work = m_session.engine().timeAgainstPeak, graph = m_session.graph(), request](const Context& context) {
            return work(*graph, request, context);
        },
        [this](Result<std::vector<TradeOff>> curve) { accept(std::move(curve)); });
}

void TradeOffJob::stop()
{
    m_jobs.cancel(JobTag::TradeOffs);
}

/// The worker is needed for a plan; it goes on, or begins anew, behind that.
void TradeOffJob::giveWay()
{
    if (!running()) return;
    m_jobs.cancel(JobTag::TradeOffs);
    m_stopped = false;
}

void TradeOffJob::accept(Result<std::vector<TradeOff>> curve)
{
    if (curve.ok())
        m_curve = std::make_shared<const std::vector<TradeOff>>(std::move(curve).value());
    else
        m_error = curve.error();
    Q_EMIT changed();
}

/// A new report: what is known holds for it as well, or is dropped.
void TradeOffJob::follow()
{
    const bool same = m_session.report() && m_subject == subject();
    if (!same) {
        m_jobs.cancel(JobTag::TradeOffs);
        m_curve.reset();
        m_error.reset();
        m_stopped = false;
    }
    Q_EMIT changed();
    if (m_seen && !m_stopped && !m_error) start();
}

std::shared_ptr<const Report> TradeOffJob::report() const
{
    const bool any = m_curve && !m_curve->empty();
    if (!m_session.report() || !any || m_session.choices().givenPlan) return m_session.report();
    auto copy = std::make_shared<Report>(*m_session.report());
    copy->tradeOffs = *m_curve;
    return copy;
}

void TradeOffJob::take(std::size_t point)
{
    if (!m_curve || point >= m_curve->size()) return;
    Choices choices = m_session.choices();
    const bool set = choices.setPolicy("choose", "fastest-within").ok() &&
                     choices.setPolicy("capacity", (*m_curve)[point].capacity).ok();
    if (set) m_session.setChoices(std::move(choices));
}

} // namespace plimsoll::app
