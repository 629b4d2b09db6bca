#include "app/session/freeing_job.h"

#include "app/session/job_runner.h"
#include "app/session/job_tag.h"
#include "app/session/selection.h"
#include "app/session/session.h"

#include <algorithm>

namespace plimsoll::app {

FreeingJob::FreeingJob(Session& session, JobRunner& jobs, Selection& selection, QObject* parent)
    : QObject(parent), m_session(session), m_jobs(jobs), m_selection(selection)
{
    connect(&session, &Session::reportChanged, this, &FreeingJob::restart);
    connect(&session, &Session::closed, this, &FreeingJob::restart);
    for (auto signal : {&Session::choicesChanged, &Session::graphOpened})
        connect(&session, signal, this, [this] { m_jobs.cancel(JobTag::Freeing); });
    connect(&selection, &Selection::focusChanged, this, &FreeingJob::restart);
}

void FreeingJob::restart()
{
    m_jobs.cancel(JobTag::Freeing);
    if (m_ways) {
        m_ways.reset();
        Q_EMIT changed();
    }
    const auto report = m_session.report();
    const ValueId value = m_selection.focus().value;
    if (!report || !value.valid() || value.index() >= report->program.graph->values.size()) return;
    const bool kept = std::any_of(report->training.saved.begin(), report->training.saved.end(),
                                  [value](const SavedReport& saved) { return saved.tensor.value == value; });
    if (!kept) return;
    m_jobs.start(
        JobTag::Freeing, tr("Finding out what would free the tensor"),
        [graph = m_session.graph(), request = m_session.request(),
         name = (*report->program.graph)[value].name](const Context& context) {
            Result<std::vector<Freeing>> ways = whatWouldFree(*graph, request, name, context);
            return ways.ok() ? std::optional(std::move(ways).value()) : std::nullopt;
        },
        [this](std::optional<std::vector<Freeing>> ways) {
            m_ways = std::move(ways);
            Q_EMIT changed();
        });
}

} // namespace plimsoll::app
