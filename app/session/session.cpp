#include "app/session/session.h"

#include "app/session/cli_process.h"
#include "app/session/job_runner.h"
#include "app/session/job_tag.h"
#include "core/advice/lay_apart.h"
#include "core/advice/run_findings.h"
#include "core/facts/reserved.h"
#include "core/formats/files/data_file.h"
#include "core/formats/terms.h"

#include <QFileInfo>

namespace plimsoll::app {
namespace {

/// When the file was written last, and its size; of one that is gone, of no time.
std::pair<QDateTime, qint64> lastChange(const QString& opened)
{
    const QFileInfo file(fileOnDisk(opened));
    return {file.lastModified(), file.size()};
}

/// As an edit.
QString nameOf(const PlanFile& plan)
{
    return Session::tr("The plan %1").arg(QFileInfo(QString::fromStdString(plan.file)).fileName());
}

} // namespace

QString fileOnDisk(const QString& opened)
{
    const QString file = QString::fromStdString(fileOfGraph(opened.toStdString()).string());
    return QFileInfo(file).isFile() ? file : QString();
}

Session::Session(Engine engine, JobRunner& jobs, QObject* parent)
    : QObject(parent), m_engine(std::move(engine)), m_jobs(jobs), m_comparison(*this, jobs)
{
    m_settle.setSingleShot(true);
    m_settle.setInterval(250);
    for (auto signal : {&QFileSystemWatcher::fileChanged, &QFileSystemWatcher::directoryChanged})
        connect(&m_watcher, signal, &m_settle, qOverload<>(&QTimer::start));
    connect(&m_settle, &QTimer::timeout, this, [this] {
        if (m_open.changed != lastChange(m_open.file)) reload();
    });
    connect(&jobs, &JobRunner::stopped, this, [this](const QString& tag) {
        if (tag == JobTag::Open || tag == JobTag::Plan) giveUp();
    });
}

void Session::open(const QString& file, Choices choices, const QString& planFile)
{
    begin(file, PlanHistory(std::move(choices)), planFile);
    read();
}

void Session::restore(const QString& file, PlanHistory history, const QString& planFile)
{
    begin(file, std::move(history), planFile);
    m_open.restored = true;
    read();
}

void Session::refuse(const QString& file, Error error)
{
    begin(file, PlanHistory(initialChoices()));
    fail(std::move(error));
}

void Session::begin(QString file, PlanHistory history, QString planFile)
{
    close();
    m_open.file = QFileInfo(file).absoluteFilePath();
    m_open.planFile = std::move(planFile);
    m_history = std::move(history);
    Q_EMIT choicesChanged();
    Q_EMIT opening(m_open.file);
}

void Session::openOther(const QString& graph)
{
    Choices kept = initialChoices();
    for (const std::string& id : choices().named) // shapes, bounds and a plan are of the graph that was open
        (void)kept.setPolicy(id, policyValue(choices().policies, id));
    open(fileOnDisk(m_open.file) + u'#' + graph, std::move(kept));
}

std::vector<std::filesystem::path> Session::filesRead() const
{
    std::vector<std::filesystem::path> files;
    if (m_open.graph) files = dataFilesOf(*m_open.graph);
    for (const QString& file : {m_open.file, m_open.planFile})
        if (!file.isEmpty()) files.push_back(fileOfGraph(file.toStdString()));
    if (const auto& plan = choices().givenPlan; plan && !plan->file.empty()) files.push_back(fileOfGraph(plan->file));
    return files;
}

void Session::reload()
{
    if (m_open.file.isEmpty()) return;
    dropRun();
    read();
}

void Session::close()
{
    Q_EMIT closing();
    for (const auto& job : {JobTag::Open, JobTag::Plan, JobTag::GivenPlan})
        m_jobs.cancel(job);
    const QStringList watched = m_watcher.files() + m_watcher.directories();
    if (!watched.isEmpty()) m_watcher.removePaths(watched);
    m_history = PlanHistory();
    dropRun();
    m_open = {};
    Q_EMIT closed();
}

bool Session::busy() const
{
    return m_open.waits || m_jobs.busy(JobTag::Open) || m_jobs.busy(JobTag::Plan) || m_jobs.busy(JobTag::GivenPlan);
}

PlanRequest Session::request() const
{
    return {.policies = choices().policies,
            .shapes = choices().shapes,
            .catalogue = m_open.offers.catalogue,
            .constraints = choices().constraints,
            .givenPlan = choices().givenPlan};
}

void Session::watch()
{
    m_open.changed = lastChange(m_open.file);
    const QString onDisk = fileOnDisk(m_open.file);
    if (onDisk.isEmpty()) return;
    for (const QString& path : {onDisk, QFileInfo(onDisk).absolutePath()}) { // the folder says when it is back
        const bool watched = m_watcher.files().contains(path) || m_watcher.directories().contains(path);
        if (!watched && QFileInfo(path).isReadable()) m_watcher.addPath(path);
    }
}

void Session::read()
{
    watch();
    m_jobs.start(
        JobTag::Open, tr("Reading %1").arg(QFileInfo(m_open.file).fileName()),
        [engine = m_engine, file = m_open.file.toStdString(),
         planFile = m_open.planFile.toStdString()](const Context& context) -> Result<FormatContent> {
            PLIMSOLL_ASSIGN(content, engine.read(file, context));
            if (planFile.empty()) return content;
            PLIMSOLL_ASSIGN(plan, engine.readPlan(planFile, context));
            content.plan = std::move(plan);
            return content;
        },
        [this](Result<FormatContent> opened) { accept(std::move(opened)); });
}

void Session::accept(Result<FormatContent> result)
{
    if (!result.ok()) return fail(result.error());
    FormatContent opened = std::move(result).value();
    m_open.error.reset();
    m_open.graph = std::make_shared<const Graph>(std::move(opened.graph));
    m_open.graphs = std::move(opened.graphs);
    m_open.before = {};
    m_open.offers.askedWith.clear(); // they may be of other nodes
    const bool bringsPlan = !m_open.restored || !m_open.planFile.isEmpty();
    if (!m_open.now.report) adopt(bringsPlan ? opened.wholePlan() : nullptr);
    Q_EMIT graphOpened();
    plan(true); // the report of the graph as it was before is no ghost of this one
}

/// A file may bring a plan. While nothing is shown yet, one that did not fit may have been mended.
void Session::adopt(PlanFile* plan)
{
    const auto given = plan ? sharedPlan(std::move(*plan)) : nullptr;
    bool changed = false;
    if (given && m_open.restored) { // what was saved is one step back
        Choices judging = choices();
        judging.givenPlan = given;
        changed = m_history.push(std::move(judging), nameOf(*given));
    }
    m_history.rewrite([&](Choices& choices, bool holds) {
        const Choices before = choices;
        if (given && holds) choices.givenPlan = given;
        takeTerms(*m_open.graph, choices.givenPlan.get(), choices.named, choices.policies);
        changed = changed || choices != before;
    });
    if (changed) Q_EMIT choicesChanged();
}

void Session::plan(bool keepGhost)
{
    m_open.keepGhost = keepGhost;
    const QStringList question = offerArguments(choices());
    const bool counts = asksBackends(*m_open.graph, choices().policies, choices().givenPlan.get());
    // A graph on its own terms is planned at once; its offers are there when they are asked for.
    const bool ask = m_asksForOffers && !isTable(*m_open.graph) &&
                     choices().policies.backend != BackendPolicy::Reference &&
                     (counts ? m_open.offers.askedWith != question : m_open.offers.askedWith.isEmpty());
    m_open.waits = ask && counts;
    if (m_open.waits) {
        m_jobs.cancel(JobTag::Plan);
        Q_EMIT planStarted();
    } else {
        planNow();
    }
    if (!ask) return;
    m_open.offers.askedWith = question;
    Q_EMIT offersWanted();
}

void Session::planNow()
{
    m_open.waits = false;
    Q_EMIT planStarted();
    m_jobs.start(
        JobTag::Plan, tr("Planning"),
        [engine = m_engine, graph = m_open.graph, request = request()](const Context& context) {
            return planColoured(engine, *graph, request, context);
        },
        [this](Result<ColouredPlan> planned) { accept(std::move(planned)); });
}

void Session::accept(Result<ColouredPlan> planned)
{
    if (!planned.ok()) return fail(planned.error());
    const bool counts = asksBackends(*m_open.graph, choices().policies, choices().givenPlan.get());
    ShownPlan old =
        std::exchange(m_open.now, {.report = std::make_shared<const Report>(std::move(planned.value().report)),
                                   .colours = std::move(planned.value().colours),
                                   .digest = std::move(planned.value().digest),
                                   .graph = m_open.graph,
                                   .by = choices(),
                                   .offers = m_open.offers,
                                   .provisional = counts ? m_open.offers.lacking : std::nullopt});
    if (!m_open.keepGhost) m_open.before = std::move(old);
    showNewReport();
}

void Session::improve(std::shared_ptr<const Report> report)
{
    if (!m_open.now.improved) m_open.before = m_open.now;
    m_open.now.report = std::move(report);
    m_open.now.colours.reset();
    m_open.now.digest = digestOf(*m_open.now.report);
    m_open.now.improved = true;
    showNewReport();
}

/// Runs were of the one before. They are told to be gone once the new one is known everywhere.
void Session::showNewReport()
{
    m_open.error.reset();
    m_history.setPeak(mostTakenBytes(*m_open.now.report));
    const bool ran = forgetRuns();
    m_open.shown = marked(m_open.now.report);
    Q_EMIT reportChanged();
    if (ran) Q_EMIT runChanged();
}

bool Session::forgetRuns()
{
    const bool hadRun = std::exchange(m_open.run, nullptr) != nullptr;
    return std::exchange(m_open.bisection, nullptr) != nullptr || hadRun;
}

void Session::dropRun()
{
    if (!forgetRuns()) return;
    joinRuns();
    Q_EMIT runChanged();
}

void Session::fail(Error error)
{
    if (error.code == ErrorCode::Stopped) return;
    if (m_open.now.report) { // which stays, and so do the choices that it was planned by
        if (m_open.now.graph == m_open.graph && m_history.refuse(m_open.now.by)) {
            dropOffers();
            Q_EMIT choicesChanged();
        }
        joinRuns(); // what was said then holds again
        Q_EMIT replanFailed(error);
        return;
    }
    if (error.file.empty()) error.file = m_open.file.toStdString();
    m_open.error = std::move(error);
    Q_EMIT openFailed(*m_open.error);
}

/// The plan that is shown is of these choices, or the one before: unless newer offers are there, nothing is planned.
void Session::planAnew()
{
    Q_EMIT choicesChanged();
    if (!m_open.graph) return;
    const auto known = [this](const ShownPlan& plan) {
        const bool older =
            plan.offers.askedWith == m_open.offers.askedWith && plan.offers.catalogue != m_open.offers.catalogue;
        return plan.report && plan.graph == m_open.graph && plan.by == choices() && !older;
    };
    if (known(m_open.now)) return keepPlan();
    if (!known(m_open.before)) return plan();
    m_jobs.cancel(JobTag::Plan);
    Q_EMIT planStarted();
    std::swap(m_open.now, m_open.before);
    dropOffers();
    showNewReport();
}

void Session::judgePlan(const QString& file)
{
    m_jobs.start(
        JobTag::GivenPlan, tr("Reading %1").arg(QFileInfo(file).fileName()),
        [read = m_engine.readPlan, path = file.toStdString()](const Context& context) { return read(path, context); },
        [this](Result<PlanFile> plan) {
            if (!plan.ok()) {
                Q_EMIT replanFailed(plan.error());
                return;
            }
            judge(plan.value(), nameOf(plan.value()));
        });
}

void Session::judge(PlanFile plan, const QString& what)
{
    Choices changed = choices();
    changed.givenPlan = sharedPlan(std::move(plan));
    if (m_open.graph) takeTerms(*m_open.graph, changed.givenPlan.get(), changed.named, changed.policies);
    setChoices(std::move(changed), what);
}

Status Session::editPlan(const PlanEdit& edit, const QString& what)
{
    const ShownPlan& now = m_open.now;
    PlanFile plan = now.by.givenPlan ? *now.by.givenPlan : planOf(*now.report);
    PLIMSOLL_SET(plan, edit(std::move(plan), *now.report));
    plan.edited = true;
    judge(std::move(plan), what);
    return {};
}

Status Session::layApart(const Finding& finding)
{
    const auto side = movableSide(*m_open.now.report, finding);
    if (!side) return Error {ErrorCode::Unsupported, say("mend.no-side"), {}, {}};
    return editPlan(
        [&](PlanFile plan, const Report& report) { return laidApart(std::move(plan), report.program, *side); },
        tr("A finding laid apart"));
}

void Session::makeOwnPlan()
{
    Choices changed = choices();
    changed.givenPlan.reset();
    if (m_open.graph) takeTerms(*m_open.graph, nullptr, changed.named, changed.policies);
    setChoices(std::move(changed));
}

void Session::setCatalogue(std::shared_ptr<const Catalogue> catalogue)
{
    if (!m_open.graph) return;
    m_open.offers = {std::move(catalogue), std::move(m_open.offers.askedWith), {}};
    m_open.keepGhost = m_open.keepGhost || m_open.now.by == choices();
    planNow();
}

void Session::planWithoutOffers(Error why)
{
    if (!m_open.waits) return;
    m_open.offers = {nullptr, std::move(m_open.offers.askedWith), std::move(why)};
    planNow();
}

void Session::stopWaiting()
{
    if (!m_open.waits) return;
    if (m_open.now.report) return giveUp();
    planWithoutOffers({ErrorCode::Stopped, say("offers.stopped"), {}, {}});
}

void Session::askForOffersAgain()
{
    m_open.offers.askedWith.clear();
    if (m_open.graph) plan(true);
}

void Session::giveUp()
{
    if (!m_open.now.report) return close();
    m_jobs.cancel(JobTag::Open);
    m_open.graph = m_open.now.graph;
    if (m_history.returnTo(m_open.now.by)) Q_EMIT choicesChanged();
    keepPlan();
}

/// It is of these choices again.
void Session::keepPlan()
{
    m_jobs.cancel(JobTag::Plan);
    dropOffers();
    joinRuns();
    Q_EMIT reportChanged();
}

/// Back to those of the plan that is shown; what came since for the same question stays.
void Session::dropOffers()
{
    m_open.waits = false;
    if (m_open.offers.askedWith == m_open.now.offers.askedWith) return;
    m_open.offers = m_open.now.offers;
    Q_EMIT offersUnwanted();
}

void Session::setRun(std::shared_ptr<const RunResult> run)
{
    m_open.run = std::move(run);
    joinRuns();
    Q_EMIT runChanged();
}

void Session::setBisection(std::shared_ptr<const Bisection> found)
{
    m_open.bisection = std::move(found);
    joinRuns();
    Q_EMIT runChanged();
}

std::shared_ptr<const Report> Session::marked(std::shared_ptr<const Report> report) const
{
    const std::vector<Suppression>& known = said().suppressions;
    const auto isKnown = [&](const Finding& finding) {
        return suppressionOf(finding, *report->program.graph, known) != nullptr;
    };
    if (!report || std::ranges::none_of(report->verdict.findings, isKnown)) return report;
    auto copy = std::make_shared<Report>(*report);
    markSuppressed(copy->verdict.findings, *copy->program.graph, known);
    return copy;
}

void Session::joinRuns()
{
    std::shared_ptr<const Report> shown = m_open.now.report;
    const bool differs = m_open.run && !m_open.run->mismatches.empty();
    if (differs || (m_open.bisection && !m_open.bisection->culprits.empty())) {
        auto copy = std::make_shared<Report>(*shown);
        if (m_open.run) copy->run = *m_open.run;
        addRunFindings(*copy, m_open.bisection.get());
        shown = std::move(copy);
    }
    shown = marked(std::move(shown));
    if (shown == m_open.shown) return;
    m_open.shown = std::move(shown);
    Q_EMIT findingsChanged();
}

std::shared_ptr<const Report> Session::reportWithRun() const
{
    if (!m_open.run || m_open.shown->run) return m_open.shown;
    auto copy = std::make_shared<Report>(*m_open.shown);
    copy->run = *m_open.run;
    return copy;
}

} // namespace plimsoll::app
