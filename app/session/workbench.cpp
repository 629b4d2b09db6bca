#include "app/session/workbench.h"

#include "app/session/carry_over.h"
#include "core/formats/plimsoll/plan_json.h"

namespace plimsoll::app {

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
    session.setAsksForOffers(true);
    connect(&session, &Session::offersWanted, this, &Workbench::askForOffers);
    connect(&session, &Session::reportChanged, this, &Workbench::carrySelection);
    connect(&session, &Session::closed, this, [this] {
        run.cancel();
        catalogue.cancel();
        measuring.cancel();
        m_shown.reset();
        selection.reset();
    });
    connect(&catalogue, &CatalogueJob::arrived, &session, &Session::setCatalogue);
    connect(&catalogue, &CatalogueJob::failed, &session, &Session::planWithoutOffers);
    connect(&catalogue, &CatalogueJob::cancelled, &session, &Session::stopWaiting);
    connect(&measuring, &CatalogueJob::arrived, &session, &Session::setCatalogue);
    connect(&run, &RunJob::succeeded, this,
            [this](const RunResult& result) { session.setRun(std::make_shared<const RunResult>(result)); });
    connect(&catalogue, &CatalogueJob::arrived, this, &Workbench::changed);
    connect(&catalogue, &CatalogueJob::failed, this, &Workbench::changed);
    connect(&jobs, &JobRunner::finished, this, &Workbench::changed);
}

void Workbench::measureOffers()
{
    if (session.report()) measuring.start(session.file(), session.choices(), CatalogueJob::Times::Measured);
}

void Workbench::askForOffers()
{
    measuring.cancel();
    catalogue.start(session.file(), session.choices());
}

void Workbench::carrySelection()
{
    const auto old = std::exchange(m_shown, session.report());
    if (old) selection.rewrite([&](const Focus& focus) { return carryOver(focus, *old, *m_shown); });
}

Status Workbench::startRun(RunRequest request)
{
    request.file = session.file();
    request.choices = session.choices();
    if (session.improved()) {
        if (!m_lastRun.searchedPlan.open())
            return Error {ErrorCode::Unsupported,
                          Message(m_lastRun.searchedPlan.errorString().toStdString()),
                          "temporary folder",
                          {}};
        PlanFile plan = planOf(*session.report());
        plan.file = m_lastRun.searchedPlan.fileName().toStdString();
        PLIMSOLL_TRY(writePlanJson(plan, plan.file));
        request.choices.givenPlan = std::make_shared<const PlanFile>(std::move(plan));
    }
    request.recordFile = recorded.begin(request.keepBytes > 0);
    if (request.recordFile.isEmpty()) request.keepBytes = 0;
    m_lastRun.request = request;
    run.start(request);
    return {};
}

Status Workbench::runAgain(std::int64_t step)
{
    RunRequest request = m_lastRun.request;
    request.keepBytes = recorded.mostBytes();
    request.keepFrom = step;
    return startRun(std::move(request));
}

} // namespace plimsoll::app
