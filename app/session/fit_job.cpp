#include "app/session/fit_job.h"

#include "app/session/change_ranking.h"
#include "app/session/job_runner.h"
#include "app/session/job_tag.h"
#include "app/session/session.h"

namespace plimsoll::app {

FitJob::FitJob(Session& session, JobRunner& jobs, QObject* parent) : QObject(parent), m_session(session), m_jobs(jobs)
{
    jobs.setEndsEarly(JobTag::Fit);
    for (auto signal : {&Session::choicesChanged, &Session::graphOpened, &Session::closed})
        connect(&session, signal, this, &FitJob::drop);
    connect(&session, &Session::reportChanged, this, &FitJob::changed);
    connect(&jobs, &JobRunner::stopRequested, this, [this](const QString& tag) {
        if (tag == JobTag::Fit) stop();
    });
    connect(&jobs, &JobRunner::finished, this, [this](const QString& tag) {
        if (tag == JobTag::Fit) Q_EMIT changed();
    });
}

bool FitJob::canStart() const
{
    return m_session.report() && !m_session.choices().givenPlan && !m_session.busy();
}

bool FitJob::running() const
{
    return m_jobs.busy(JobTag::Fit);
}

Status FitJob::start(const QString& capacity)
{
    if (!canStart()) return {};
    PlanRequest request = m_session.request();
    PLIMSOLL_TRY(setPolicy(request.policies, "capacity", capacity.trimmed().toStdString()));
    m_capacity = policyValue(request.policies, "capacity");
    m_fit.reset();
    m_error.reset();
    m_enough = {};
    m_jobs.start(
        JobTag::Fit, tr("Looking for policies that fit"),
        [graph = m_session.graph(), request = std::move(request), enough = m_enough](const Context& context) {
            std::stop_source either = enough; // the user's end, or that of the job
            const std::stop_callback given(context.stop, [&] { either.request_stop(); });
            return findFit(*graph, request, mostFitPlans(*graph), {either.get_token(), context.progress});
        },
        [this](Result<Fit> fit) {
            if (fit.ok())
                m_fit = std::move(fit).value();
            else
                m_error = fit.error();
            Q_EMIT changed();
        });
    Q_EMIT changed();
    return {};
}

void FitJob::stop()
{
    m_enough.request_stop();
}

void FitJob::take()
{
    if (!m_fit || !m_fit->found) return;
    std::vector<PolicyValue> changes = m_fit->found->changes;
    changes.push_back({"capacity", m_capacity});
    takeChanges(m_session, changes);
}

void FitJob::drop()
{
    m_jobs.cancel(JobTag::Fit);
    m_fit.reset();
    m_error.reset();
    Q_EMIT changed();
}

} // namespace plimsoll::app
