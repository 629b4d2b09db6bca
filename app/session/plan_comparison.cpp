#include "app/session/plan_comparison.h"

#include "app/session/job_runner.h"
#include "app/session/job_tag.h"
#include "app/session/session.h"
#include "core/formats/terms.h"
#include "core/report/compared_kind.h"
#include "core/report/saved_report.h"

#include <QFileInfo>

namespace plimsoll::app {

/// What a file brings: a report; else the graph, where it is not the one that is open, and a plan.
struct PlanComparison::Read
{
    std::optional<Report> report;
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const PlanFile> plan;
};

PlanComparison::PlanComparison(Session& session, JobRunner& jobs, QObject* parent)
    : QObject(parent), m_session(session), m_jobs(jobs)
{
    connect(&session, &Session::reportChanged, this, &PlanComparison::followReport);
    connect(&session, &Session::choicesChanged, this, [this] {
        if (said() == m_matched) return;
        match();
        Q_EMIT changed();
    });
    connect(&session, &Session::closed, this, [this] {
        m_jobs.cancel(JobTag::OwnPlan);
        m_own.reset();
        compareWithPlanBefore();
    });
    connect(&m_offers, &CatalogueJob::arrived, this, &PlanComparison::plan);
    connect(&m_offers, &CatalogueJob::failed, this, [this] { plan(nullptr); });
}

void PlanComparison::compareWith(const QString& file, bool again)
{
    if (!m_session.report()) return;
    stop();
    m_wanted = {QFileInfo(file).absoluteFilePath(), again};
    m_jobs.start(
        JobTag::Compared, tr("Reading %1").arg(QFileInfo(file).fileName()),
        [engine = m_session.engine(), path = m_wanted.file.toStdString()](const Context& context) -> Result<Read> {
            Read read;
            if (const ComparedKind kind = comparedKind(path); kind == ComparedKind::Report) {
                PLIMSOLL_ASSIGN(report, openSavedReport(path));
                read.report = std::move(report);
            } else if (kind == ComparedKind::Plan) {
                PLIMSOLL_ASSIGN(plan, engine.readPlan(path, context));
                read.plan = sharedPlan(std::move(plan));
            } else {
                PLIMSOLL_ASSIGN(content, engine.read(path, context));
                if (PlanFile* own = content.wholePlan()) read.plan = sharedPlan(std::move(*own));
                read.graph = std::make_shared<const Graph>(std::move(content.graph));
            }
            return read;
        },
        [this](Result<Read> read) {
            if (!read.ok()) return show(read.error());
            accept(std::move(read).value());
        });
}

void PlanComparison::accept(Read read)
{
    if (read.report) return show(*std::move(read.report));
    m_wanted.graph = read.graph ? read.graph : m_session.graph();
    m_wanted.graphFile = read.graph ? m_wanted.file : m_session.file();
    m_wanted.choices = m_session.choices();
    Choices& choices = m_wanted.choices;
    choices.givenPlan = std::move(read.plan);
    std::erase_if(choices.shapes.shapes,
                  [&](const auto& shape) { return !findValue(*m_wanted.graph, shape.first).valid(); });
    takeTerms(*m_wanted.graph, choices.givenPlan.get(), choices.named, choices.policies);
    const bool asks = m_session.asksForOffers() && !isTable(*m_wanted.graph) &&
                      asksBackends(*m_wanted.graph, choices.policies, choices.givenPlan.get());
    if (asks)
        m_offers.start(m_wanted.graphFile, choices);
    else
        plan(nullptr);
}

/// Null: there are no offers.
void PlanComparison::plan(std::shared_ptr<const Catalogue> offers)
{
    PlanRequest request;
    request.policies = m_wanted.choices.policies;
    request.shapes = m_wanted.choices.shapes;
    request.catalogue = std::move(offers);
    request.givenPlan = m_wanted.choices.givenPlan;
    m_jobs.start(
        JobTag::Compared, tr("Planning %1").arg(QFileInfo(m_wanted.file).fileName()),
        [analyse = m_session.engine().analyse, graph = m_wanted.graph, request](const Context& context) {
            return analyse(*graph, request, context);
        },
        [this](Result<Report> report) { show(std::move(report)); });
}

void PlanComparison::show(Result<Report> report)
{
    const Wanted wanted = std::exchange(m_wanted, {});
    if (!report.ok()) {
        Error error = report.error();
        if (error.code == ErrorCode::Stopped) return;
        if (error.file.empty()) error.file = wanted.file.toStdString();
        Q_EMIT failed(error);
        return;
    }
    take(wanted.file, std::make_shared<const Report>(std::move(report).value()), wanted.again);
}

void PlanComparison::take(const QString& file, std::shared_ptr<const Report> report, bool again)
{
    m_other = std::move(report);
    m_file = file;
    match();
    Q_EMIT changed();
    Q_EMIT opened(again);
}

void PlanComparison::stop()
{
    m_jobs.cancel(JobTag::Compared);
    m_offers.cancel();
    m_wanted = {};
}

void PlanComparison::compareWith(const QString& file, std::shared_ptr<const Report> shown)
{
    stop();
    take(QFileInfo(file).absoluteFilePath(), std::move(shown), false);
}

void PlanComparison::compareWithPlanBefore()
{
    stop();
    m_file.clear();
    m_other.reset();
    match();
    Q_EMIT changed();
}

void PlanComparison::followReport()
{
    planOwn();
    match();
}

/// On the terms of the plan that was handed in; where it cannot be made there is nothing to compare with.
void PlanComparison::planOwn()
{
    m_jobs.cancel(JobTag::OwnPlan);
    m_own.reset();
    if (m_session.previousReport() || m_session.judged()->program.ownPlan) return;
    m_jobs.start(
        JobTag::OwnPlan, tr("Planning beside the plan that is judged"),
        [plan = m_session.engine().planBeside, graph = m_session.graph(),
         request = m_session.request()](const Context& context) { return plan(*graph, request, context); },
        [this](Result<Report> own) {
            if (!own.ok()) return;
            m_own = std::make_shared<const Report>(std::move(own).value());
            if (m_file.isEmpty()) Q_EMIT changed();
        });
}

bool PlanComparison::withOwnPlan() const
{
    return m_file.isEmpty() && m_own;
}

Compared PlanComparison::shown() const
{
    const auto before = m_own ? m_own : m_session.previousReport();
    return {m_file.isEmpty() ? before : m_other, m_matches, m_file, withOwnPlan()};
}

/// Of a plan that is in no file it holds while that plan is shown.
std::vector<SaidMatch> PlanComparison::said() const
{
    const auto& same = m_session.said().same;
    const auto found = same.find(m_file);
    const bool holds = found != same.end() && (!m_file.isEmpty() || m_saidOf.lock() == shown().other);
    return holds ? found->second : std::vector<SaidMatch>();
}

void PlanComparison::say(SaidMatch match)
{
    const QString what =
        tr("The same: %1 and %2").arg(QString::fromStdString(match.first), QString::fromStdString(match.second));
    std::vector<SaidMatch> all = said();
    all.push_back(std::move(match));
    setSaid(std::move(all), what);
}

void PlanComparison::takeBack()
{
    std::vector<SaidMatch> all = said();
    if (all.empty()) return;
    const QString what = tr("Not the same: %1 and %2")
                             .arg(QString::fromStdString(all.back().first), QString::fromStdString(all.back().second));
    all.pop_back();
    setSaid(std::move(all), what);
}

void PlanComparison::setSaid(std::vector<SaidMatch> said, const QString& what)
{
    m_saidOf = shown().other;
    Said all = m_session.said();
    if (said.empty())
        all.same.erase(m_file);
    else
        all.same[m_file] = std::move(said);
    m_session.setSaid(std::move(all), what);
}

/// Two plans of one graph agree in their names; what follows by structure counts between two. It takes a while for
/// large plans: until it is there, names count.
void PlanComparison::match()
{
    m_jobs.cancel(JobTag::Matches);
    m_matches.reset();
    m_matched = said();
    const auto report = m_session.report();
    const std::shared_ptr<const Report> other = shown().other;
    if (!report || !other || (m_file.isEmpty() && m_matched.empty())) return;
    m_jobs.start(
        JobTag::Matches, tr("Matching two plans"),
        [report, other, said = m_matched](const Context&) {
            return std::shared_ptr<const PlanMatches>(
                std::make_shared<const PlanMatches>(matchPlans(*other, *report, said)));
        },
        [this](std::shared_ptr<const PlanMatches> matches) {
            m_matches = std::move(matches);
            Q_EMIT changed();
        });
}

} // namespace plimsoll::app
