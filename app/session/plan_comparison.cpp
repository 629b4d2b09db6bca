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
    connect(&session, &Session::reportChanged, this, [this] {
        if (m_file.isEmpty()) m_said.clear(); // the plan before is another one
        match();
    });
    connect(&session, &Session::closed, this, &PlanComparison::compareWithPlanBefore);
    connect(&m_offers, &CatalogueJob::arrived, this, &PlanComparison::plan);
    connect(&m_offers, &CatalogueJob::failed, this, [this] { plan(nullptr); });
}

void PlanComparison::compareWith(const QString& file)
{
    if (!m_session.report()) return;
    stop();
    m_jobs.start(
        JobTag::Compared, tr("Reading %1").arg(QFileInfo(file).fileName()),
        [engine = m_session.engine(), path = file.toStdString()](const Context& context) -> Result<Read> {
            Read read;
            if (const ComparedKind kind = comparedKind(path); kind == ComparedKind::Report) {
                PLIMSOLL_ASSIGN(report, openSavedReport(path));
                read.report = std::move(report);
            } else if (kind == ComparedKind::Plan) {
                PLIMSOLL_ASSIGN(plan, engine.readPlan(path));
                read.plan = std::make_shared<const PlanFile>(std::move(plan));
            } else {
                PLIMSOLL_ASSIGN(content, engine.read(path, context));
                if (PlanFile* own = content.wholePlan()) read.plan = std::make_shared<const PlanFile>(std::move(*own));
                read.graph = std::make_shared<const Graph>(std::move(content.graph));
            }
            return read;
        },
        [this, file](Result<Read> read) {
            if (!read.ok()) return show(file, read.error());
            accept(file, std::move(read).value());
        });
}

void PlanComparison::accept(const QString& file, Read read)
{
    if (read.report) return show(file, *std::move(read.report));
    m_wanted = {file, read.graph ? read.graph : m_session.graph(), read.graph ? file : m_session.file(),
                m_session.choices()};
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
    if (m_wanted.choices.givenPlan) request.givenPlan = *m_wanted.choices.givenPlan;
    m_jobs.start(
        JobTag::Compared, tr("Planning %1").arg(QFileInfo(m_wanted.file).fileName()),
        [analyse = m_session.engine().analyse, graph = m_wanted.graph, request](const Context& context) {
            return analyse(*graph, request, context);
        },
        [this, file = m_wanted.file](Result<Report> report) { show(file, std::move(report)); });
}

void PlanComparison::show(const QString& file, Result<Report> report)
{
    m_wanted = {};
    if (!report.ok()) {
        Error error = report.error();
        if (error.code == ErrorCode::Stopped) return;
        if (error.file.empty()) error.file = file.toStdString();
        Q_EMIT failed(error);
        return;
    }
    m_other = std::make_shared<const Report>(std::move(report).value());
    m_file = file;
    m_said.clear();
    match();
    Q_EMIT changed();
    Q_EMIT opened();
}

void PlanComparison::stop()
{
    m_jobs.cancel(JobTag::Compared);
    m_offers.cancel();
    m_wanted = {};
}

void PlanComparison::compareWithPlanBefore()
{
    stop();
    m_file.clear();
    m_other.reset();
    m_said.clear();
    match();
    Q_EMIT changed();
}

Compared PlanComparison::shown() const
{
    return {m_file.isEmpty() ? m_session.previousReport() : m_other, m_matches, m_file};
}

void PlanComparison::say(SaidMatch match)
{
    m_said.push_back(std::move(match));
    this->match();
    Q_EMIT changed();
}

void PlanComparison::takeBack()
{
    if (m_said.empty()) return;
    m_said.pop_back();
    match();
    Q_EMIT changed();
}

/// Two plans of one graph agree in their names; what follows by structure counts between two.
void PlanComparison::match()
{
    const auto report = m_session.report();
    const std::shared_ptr<const Report> other = shown().other;
    const bool wanted = report && other && (!m_file.isEmpty() || !m_said.empty());
    m_matches = wanted ? std::make_shared<const PlanMatches>(matchPlans(*other, *report, m_said)) : nullptr;
}

} // namespace plimsoll::app
