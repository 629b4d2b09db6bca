#include "app/session/workbench.h"

#include "app/session/carry_over.h"
#include "core/formats/plimsoll/plan_json.h"

#include <algorithm>

namespace plimsoll::app {
namespace {

/// What is run is what is shown: sizes that \p file leaves open stay as they are planned, whatever given inputs have.
void keepSizes(const Graph& file, const Graph& planned, Choices& choices)
{
    for (const ValueId input : file.top().inputs) {
        if (file[input].type.shape()) continue;
        const ValueId same = findValue(planned, file[input].name);
        const std::optional<Shape> shape = same.valid() ? planned[same].type.shape() : std::nullopt;
        if (shape) choices.shapes.shapes.emplace(file[input].name, *shape);
    }
}

} // namespace

Workbench::Workbench(Engine engine, QObject* parent)
    : QObject(parent), session(std::move(engine), jobs), costs(session, jobs), search(session, jobs),
      freeing(session, jobs, selection), tradeOffs(session, jobs), recorded(session, jobs)
{
    selection.setStepOfNode([this](NodeId node) -> std::int64_t {
        const auto report = session.report();
        if (!report || node.index() >= report->program.schedule.nodes.size()) return -1;
        const Interval steps = report->program.schedule.nodes[node.index()];
        return steps.empty() ? -1 : steps.begin;
    });
    selection.setStepBeside([this](std::int64_t step, int by) -> std::optional<std::int64_t> {
        const auto report = session.report();
        const auto record = recorded.record();
        if (record && !record->order.empty()) return record->stepBeside(step, by);
        const std::int64_t there = std::max<std::int64_t>(0, step + by);
        const bool any = report && there != step && there < report->program.schedule.length();
        return any ? std::optional(there) : std::nullopt;
    });
    session.setAsksForOffers(true);
    connect(&session, &Session::offersWanted, this, &Workbench::askForOffers);
    for (CatalogueJob* job : {&offers.estimated, &offers.measured})
        connect(&session, &Session::offersUnwanted, job, &CatalogueJob::cancel);
    for (auto signal : {&Session::reportChanged, &Session::findingsChanged})
        connect(&session, signal, this, &Workbench::carrySelection);
    connect(&session, &Session::reportChanged, this, [this] {
        if (std::exchange(m_kept.judged, session.judged()) != session.judged()) stopRuns();
    });
    connect(&session, &Session::closed, this, [this] {
        stopRuns();
        offers.estimated.cancel();
        offers.measured.cancel();
        m_kept.shown.reset();
        m_kept.judged.reset();
        selection.reset();
    });
    connect(&offers.estimated, &CatalogueJob::arrived, &session, &Session::setCatalogue);
    connect(&offers.estimated, &CatalogueJob::failed, &session, &Session::planWithoutOffers);
    connect(&offers.estimated, &CatalogueJob::cancelled, &session, &Session::stopWaiting);
    connect(&offers.measured, &CatalogueJob::arrived, &session, &Session::setCatalogue);
    connect(&run, &RunJob::succeeded, this,
            [this](const RunResult& result) { session.setRun(std::make_shared<const RunResult>(result)); });
    connect(&bisect, &BisectJob::succeeded, this,
            [this](const Bisection& found) { session.setBisection(std::make_shared<const Bisection>(found)); });
    connect(&offers.estimated, &CatalogueJob::arrived, this, &Workbench::changed);
    connect(&offers.estimated, &CatalogueJob::failed, this, &Workbench::changed);
    connect(&jobs, &JobRunner::finished, this, &Workbench::changed);
}

void Workbench::measureOffers()
{
    if (session.report()) offers.measured.start(session.file(), session.choices(), CatalogueJob::Times::Measured);
}

void Workbench::askForOffers()
{
    offers.measured.cancel();
    offers.estimated.start(session.file(), session.choices());
}

void Workbench::carrySelection()
{
    const auto old = std::exchange(m_kept.shown, session.report());
    if (old) selection.rewrite([&](const Focus& focus) { return carryOver(focus, *old, *m_kept.shown); });
}

Status Workbench::complete(RunRequest& request)
{
    request.file = session.file();
    request.choices = session.choices();
    if (!request.inputs.isEmpty()) {
        PLIMSOLL_TRY(checkInputs(request.inputs, *session.judged()->program.graph));
        keepSizes(*session.graph(), *session.judged()->program.graph, request.choices);
    }
    const auto& given = request.choices.givenPlan;
    if (!session.improved() && !(given && given->file.empty())) return {};
    if (!m_kept.plan.open())
        return Error {ErrorCode::Unsupported, Message(m_kept.plan.errorString().toStdString()), "temporary folder", {}};
    PlanFile plan = session.improved() ? planOf(*session.judged()) : *given;
    plan.file = m_kept.plan.fileName().toStdString();
    PLIMSOLL_TRY(writePlanJson(plan, plan.file));
    request.choices.givenPlan = sharedPlan(std::move(plan));
    return {};
}

Status Workbench::startRun(RunRequest request)
{
    PLIMSOLL_TRY(complete(request));
    request.recordFile = recorded.begin(request.keepBytes > 0);
    if (request.recordFile.isEmpty()) request.keepBytes = 0;
    m_kept.run = request;
    run.start(request);
    return {};
}

Status Workbench::runAgain(std::int64_t step)
{
    RunRequest request = m_kept.run;
    request.keepBytes = recorded.mostBytes();
    request.keepFrom = step;
    return startRun(std::move(request));
}

void Workbench::restoreRun(RunRequest request, std::shared_ptr<const RunResult> result,
                           std::shared_ptr<const SavedRecord> record)
{
    m_kept.run = std::move(request);
    recorded.restore(std::move(record));
    session.setRun(std::move(result));
    Q_EMIT runRestored();
}

Status Workbench::startBisection(RunRequest request)
{
    PLIMSOLL_TRY(complete(request));
    bisect.start(request, session.judged()->program.graph);
    return {};
}

void Workbench::stopRuns()
{
    run.cancel();
    bisect.cancel();
}

} // namespace plimsoll::app
