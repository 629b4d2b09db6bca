#include "app/window/main_window.h"

#include "app/models/window_text.h"
#include "app/session/document/document.h"
#include "app/session/workbench.h"
#include "app/window/commands/finder.h"
#include "app/window/comparing.h"
#include "app/window/help/log.h"
#include "app/window/help/tour.h"
#include "app/window/jobs_strip.h"
#include "app/window/menus.h"
#include "app/window/pages/opening_page.h"
#include "app/window/pages/problem_page.h"
#include "app/window/pages/sample_pictures.h"
#include "app/window/pages/start_page.h"
#include "app/window/panes/summary_strip.h"
#include "app/window/tabs/documents.h"
#include "app/window/view_table.h"
#include "app/window/views/canvas_tabs.h"
#include "core/facts/english/english.h"
#include "core/facts/tables.h"
#include "core/facts/words/policy_effect.h"
#include "core/formats/plimsoll/session_json.h"

#include <QAction>
#include <QCloseEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>

namespace plimsoll::app {
namespace {

constexpr int MenuLetters = 60;

/// What was chosen for another graph of the file, and does nothing for this one.
QStringList leftBehind(const Choices& chosen, const Report& report)
{
    QStringList left;
    for (const PolicyInfo& policy : policyTable())
        if (chosen.named.contains(policy.id) &&
            !whyWithoutEffect(report.program, report.program.policies, policy).empty())
            left << toQString(
                windowWords(Remedy::policy(std::string(policy.id), policyValue(chosen.policies, policy.id))));
    if (chosen.shapes != InferenceRequest()) left << MainWindow::tr("sizes of inputs");
    if (!chosen.constraints.empty()) left << MainWindow::tr("constraints");
    if (chosen.givenPlan && report.program.ownPlan) left << MainWindow::tr("the plan that was judged");
    return left;
}

/// Commands about what is open.
constexpr std::initializer_list<const char*> WhileOpen = {"file.export",
                                                          "file.picture",
                                                          "file.whole-picture",
                                                          "file.table",
                                                          "file.save",
                                                          "file.save-as",
                                                          "edit.copy-picture",
                                                          "edit.copy-csv",
                                                          "edit.copy-markdown",
                                                          "edit.copy-facts",
                                                          "edit.copy-facts-markdown",
                                                          "edit.device",
                                                          "edit.find",
                                                          "edit.clear",
                                                          "go.anything",
                                                          "go.previous-step",
                                                          "go.next-step",
                                                          "go.peak",
                                                          "go.play",
                                                          "go.stop-here",
                                                          "go.next-stop",
                                                          "go.previous-stop",
                                                          "go.no-stops",
                                                          "view.fit",
                                                          "view.frame",
                                                          "view.tidy",
                                                          "view.expand-all",
                                                          "view.collapse-all",
                                                          "view.show-holes",
                                                          "graph.whole",
                                                          "graph.hide-rest",
                                                          "graph.figures",
                                                          "graph.flow-fitting",
                                                          "graph.flow-down",
                                                          "graph.flow-right",
                                                          "view.by-address",
                                                          "view.by-age",
                                                          "view.by-storage",
                                                          "view.by-value",
                                                          "rows.pin",
                                                          "rows.hide",
                                                          "rows.show",
                                                          "rows.by-module",
                                                          "view.keep-ghost",
                                                          "view.side-by-side",
                                                          "go.next-difference",
                                                          "go.previous-difference",
                                                          "view.as-table",
                                                          "layout.plan",
                                                          "layout.picture",
                                                          "layout.tables",
                                                          "layout.graph",
                                                          "layout.compare",
                                                          "layout.debug",
                                                          "layout.reset",
                                                          "layout.save",
                                                          "view.compact-steps"};

} // namespace

MainWindow::MainWindow(Workbench& bench, const Settings& settings, Documents* others, QWidget* parent)
    : QMainWindow(parent), m_bench(bench), m_settings(settings), m_others(others), m_actions(this), m_docks(*this),
      m_panes(makePanes(bench, m_docks)), m_pages {new QStackedWidget(this), new StartPage(this), new ProblemPage(this),
                                                   new OpeningPage(bench.jobs, this)},
      m_said {new QLabel(this), new QLabel(this), nullptr, others ? &others->log() : new Log(this)},
      m_finder(new Finder(this))
{
    if (others) setWindowFlags(Qt::Widget); // before a pane floats: it would make a window of this
    setObjectName(QStringLiteral("plimsoll"));
    setWindowTitle(tr("Plimsoll"));
    setAcceptDrops(true);
    resize(1400, 900);
    build();
    m_said.compared =
        new ComparedStrip(m_bench, m_actions, *m_panes.tables.value(QString::fromLatin1(changesTable().id)));
    connectSession();
    connectDocument(); // behind what shows a report
    connectPages();
    connectFileActions();
    connectExportActions();
    connectGoActions();
    connectStopActions();
    connectViewActions();
    connectSelectionActions();
    connectSettingsActions();
    connectHelpActions();
    m_docks.apply(Docks::Preset::Plan);
    if (!m_docks.restore(settings.layout())) m_docks.apply(Docks::Preset::Plan);
    if (const QByteArray geometry = settings.geometry(); !others && !geometry.isEmpty()) restoreGeometry(geometry);
    refreshRecent();
    setAlone(true);
    refreshStep();
    showPage(m_pages.start);
}

MainWindow::~MainWindow()
{
    hide(); // a field that loses the keyboard says what was typed, while it is still heard
}

void MainWindow::build()
{
    buildToolBar(*this, m_actions, m_said.step);
    m_menus = buildMenus(*this, m_actions, m_docks);
    addToolBarBreak();
    QToolBar* summary = addToolBar(tr("Summary"));
    summary->setObjectName(QStringLiteral("summaryBar"));
    summary->setMovable(false);
    summary->setProperty("flush", true);
    summary->addWidget(m_panes.summary);
    m_panes.summary->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    for (QToolBar* bar : findChildren<QToolBar*>())
        bar->toggleViewAction()->setVisible(false);
    m_pages.all->addWidget(m_pages.start);
    m_pages.all->addWidget(m_pages.problem);
    m_pages.all->addWidget(m_pages.opening);
    m_pages.all->addWidget(m_panes.pictures);
    m_pages.all->setMinimumHeight(m_panes.pictures->minimumHeight()); // of the others each is alone
    setCentralWidget(m_pages.all);
    m_said.step->setAlignment(Qt::AlignCenter);
    m_said.step->setToolTip(tr("The step cursor, and how many steps there are"));
    statusBar()->addWidget(m_said.notice, 1);
    auto* jobs = new JobsStrip(m_bench.jobs, this);
    jobs->watch(m_bench.offers.estimated, tr("Asking what the backends offer"));
    jobs->watch(m_bench.offers.measured, tr("Measuring what the backends offer"));
    jobs->watch(m_bench.session.comparison().offers(), tr("Asking what the backends offer"));
    jobs->watch(m_bench.run, tr("Running"));
    jobs->watch(m_bench.bisect, tr("Looking for the guilty sharing"));
    statusBar()->addPermanentWidget(jobs);
    m_said.notice->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setWindowIcon(QIcon(QStringLiteral(":/icons/plimsoll.svg")));
}

void MainWindow::connectSession()
{
    const Session& session = m_bench.session;
    for (auto signal : {&Session::reportChanged, &Session::findingsChanged})
        connect(&session, signal, this, &MainWindow::showReport);
    connect(&session, &Session::openFailed, this, [this](const Error& error) {
        m_pages.problem->show(m_bench.session.file(), error);
        m_said.notice->clear();
        showPage(m_pages.problem);
    });
    follow(*m_said.log, m_bench);
    connect(&m_bench.session.comparison(), &PlanComparison::changed, this, &MainWindow::showCompared);
    connect(&m_bench.session.comparison(), &PlanComparison::opened, this, [this](bool again) {
        if (!again) m_docks.raise(QString::fromLatin1(changesTable().id));
        if (QAction* outline = m_actions.at("view.keep-ghost"); !outline->isChecked()) outline->trigger();
    });
    connect(&m_bench.session.comparison(), &PlanComparison::failed, this, &MainWindow::say);
    connect(&session, &Session::reportChanged, this, &MainWindow::sayEdit);
    connect(&session, &Session::replanFailed, this, [this](const Error& error) {
        m_panes.summary->setProblem(labelText(toQString(describe(error, windowWords))));
    });
    connect(&session, &Session::closed, this, [this] {
        m_said.notice->clear();
        m_panes.pictures->forget();
        m_panes.setReport(m_bench.session);
        setWindowTitle(tr("Plimsoll"));
        showPage(m_pages.start);
    });
    for (auto signal : {&Session::choicesChanged, &Session::graphOpened, &Session::runChanged})
        connect(&session, signal, this, &MainWindow::refreshActions);
    connect(&session, &Session::runChanged, this, [this] { m_panes.setRun(m_bench.session); });
    for (const CliProcess* child : std::initializer_list<const CliProcess*> {&m_bench.run, &m_bench.bisect}) {
        for (auto signal : {&CliProcess::started, &CliProcess::cancelled})
            connect(child, signal, this, &MainWindow::refreshActions);
        connect(child, &CliProcess::finished, this, &MainWindow::refreshActions);
        connect(child, &CliProcess::failed, this, &MainWindow::refreshActions);
    }
    for (auto signal : {&SearchJob::started, &SearchJob::ended})
        connect(&m_bench.search, signal, this, &MainWindow::refreshActions);
    connect(&m_bench.bisect, &BisectJob::succeeded, this, [this](const Bisection& found) {
        if (!found.culprits.empty()) showFinding(0);
    });
    connect(&m_bench.selection, &Selection::focusChanged, this, &MainWindow::refreshStep);
    connect(&m_bench.selection, &Selection::historyChanged, this, &MainWindow::refreshActions);
}

void MainWindow::connectPages()
{
    connect(m_finder, &Finder::closed, this, [this] {
        if (m_pages.all->currentWidget() == m_panes.pictures) m_panes.pictures->current()->setFocus();
    });
    connect(m_pages.start, &StartPage::openRequested, this, &MainWindow::chooseFile);
    connect(m_pages.start, &StartPage::fileChosen, this, [this](const QString& file) { openBeside(file); });
    connect(m_pages.start, &StartPage::picturesWanted, this,
            [this] { drawSamples(*m_pages.start, *m_panes.worker, Engine()); });
    const auto showPasting = [this] { m_pages.start->setPasting(m_actions.howToReach("file.paste")); };
    connect(m_actions.at("file.paste"), &QAction::changed, this, showPasting);
    showPasting();
    connect(m_pages.start, &StartPage::tourRequested, this, [this] { startTour(*this, m_bench); });
    connect(m_pages.start, &StartPage::forgetRequested, this, &MainWindow::forgetRecent);
    connect(m_menus.recent, &QMenu::aboutToShow, this, [this] { // a file may have gone meanwhile
        for (QAction* entry : m_menus.recent->actions())
            if (const QString file = entry->data().toString(); !file.isEmpty())
                entry->setEnabled(!fileOnDisk(file).isEmpty());
    });
    connect(&m_bench.session, &Session::opening, m_pages.opening, &OpeningPage::begin);
    connect(&m_bench.session, &Session::offersWanted, m_pages.opening,
            [this] { m_pages.opening->setDoing(tr("Asking what the backends offer")); });
    connect(m_pages.opening, &OpeningPage::wanted, this, [this] {
        if (m_bench.session.busy() && !m_bench.session.report()) showPage(m_pages.opening);
    });
    connect(m_pages.opening, &OpeningPage::stopRequested, &m_bench.session, &Session::close);
    connect(m_pages.problem, &ProblemPage::openRequested, this, &MainWindow::chooseFile);
    connect(m_pages.problem, &ProblemPage::retryRequested, this, [this] {
        const QString file = m_bench.session.file();
        const bool session = !m_bench.session.graph() && isSessionFile(std::filesystem::path(file.toStdString()));
        session ? open(file) : m_bench.session.reload();
    });
    connect(m_pages.problem, &ProblemPage::startRequested, &m_bench.session, &Session::close);
    for (auto signal : {&CanvasTabs::hovered, &CanvasTabs::statusChanged})
        connect(m_panes.pictures, signal, m_said.notice,
                [this](const QString& text) { m_said.notice->setText(labelText(text)); });
    connect(m_panes.pictures, &CanvasTabs::statusChanged, this,
            [this] { m_bench.costs.hold(!m_panes.pictures->settled()); });
    connect(m_panes.summary, &SummaryStrip::peakRequested, m_actions.at("go.peak"), &QAction::trigger);
    connect(m_panes.summary, &SummaryStrip::findingsRequested, m_actions.at("view.findings"), &QAction::trigger);
    connect(m_panes.summary, &SummaryStrip::graphRequested, this, &MainWindow::openOther);
    connect(m_panes.summary, &SummaryStrip::offersRequested, &m_bench.session, &Session::askForOffersAgain);
    connect(m_panes.summary, &SummaryStrip::inspectRequested, this, [this] {
        m_bench.selection.pick(Focus());
        m_docks.raise(QStringLiteral("inspector"));
    });
}

void MainWindow::openOther(const QString& graph)
{
    const Choices before = m_bench.session.choices();
    m_bench.session.openOther(graph);
    const auto sayLeft = [this, before, opened = m_bench.session.file()] {
        if (m_bench.session.file() != opened) return;
        const QStringList left = leftBehind(before, *m_bench.session.report());
        if (!left.isEmpty())
            statusBar()->showMessage(tr("Without effect on this graph: %1").arg(left.join(QStringLiteral(", "))),
                                     SaidForMs);
    };
    connect(&m_bench.session, &Session::reportChanged, this, sayLeft, Qt::SingleShotConnection);
}

void MainWindow::open(const QString& file, const Choices& choices, const QString& plan)
{
    m_document->open(file, choices, plan);
    m_document->isCopy(file) ? shareSettings() : remember(file);
}

MainWindow& MainWindow::openBeside(const QString& file, const Choices& choices, const QString& plan)
{
    if (m_others) return m_others->open(file, choices, plan);
    open(file, choices, plan);
    return *this;
}

void MainWindow::setFront(bool front)
{
    m_docks.setAsleep(!front);
}

void MainWindow::setAlone(bool alone)
{
    m_actions.setEnabled({"go.next-tab", "go.previous-tab"}, !alone);
    refreshActions();
}

void MainWindow::remember(const QString& file)
{
    if (!fileOnDisk(file).isEmpty()) m_settings.addRecentFile(file);
    refreshRecent();
    shareSettings();
}

void MainWindow::fitInto(QSize room)
{
    if (size() == size().boundedTo(room)) return;
    resize(size().boundedTo(room));
    if (!m_settings.layout().isEmpty()) return; // it was arranged by hand
    m_docks.apply(Docks::Preset::Plan);
    showPage(m_pages.all->currentWidget()); // the preset shows all bars
}

void MainWindow::showPage(QWidget* page)
{
    const bool document = page == m_panes.pictures;
    m_pages.all->setCurrentWidget(page);
    m_docks.setAway(!document);
    for (QToolBar* bar : findChildren<QToolBar*>())
        bar->setVisible(document);
    if (document) m_panes.pictures->current()->setFocus(Qt::OtherFocusReason);
    refreshActions();
}

void MainWindow::showReport()
{
    m_panes.setReport(m_bench.session);
    m_panes.summary->setReport(m_bench.session.report(), m_bench.session.comparison().shown().other,
                               m_bench.session.provisional());
    m_panes.summary->setGraphs(m_bench.session.graphs());
    m_said.notice->clear();
    if (m_pages.all->currentWidget() != m_panes.pictures) showPage(m_panes.pictures);
    refreshActions();
    refreshStep();
}

void MainWindow::showCompared()
{
    const auto report = m_bench.session.report();
    if (!report) return;
    const Compared compared = m_bench.session.comparison().shown();
    m_panes.setCompared(report, compared);
    m_panes.summary->setReport(report, compared.other, m_bench.session.provisional());
}

void MainWindow::say(const Error& error)
{
    statusBar()->showMessage(tr("▲ %1").arg(labelText(toQString(describe(error)))), SaidForMs);
    m_said.log->add(error);
}

bool MainWindow::settled() const
{
    return m_bench.settled() && m_panes.pictures->settled() && !m_panes.worker->busy();
}

void MainWindow::refreshActions()
{
    const Session& session = m_bench.session;
    const bool open = session.report() && m_pages.all->currentWidget() == m_panes.pictures;
    m_actions.setEnabled(WhileOpen, open);
    for (const ViewInfo& view : viewTable())
        if (view.place != ViewPlace::Page)
            m_actions.at(QStringLiteral("view.") + QString::fromLatin1(view.id))->setEnabled(open);
    const bool findings = open && !session.report()->verdict.findings.empty();
    m_actions.setEnabled({"go.next-finding", "go.previous-finding"}, findings);
    m_actions.at("file.reload")->setEnabled(!session.file().isEmpty());
    m_actions.at("file.close")->setEnabled(!session.file().isEmpty() || m_actions.at("go.next-tab")->isEnabled());
    m_actions.setEnabled({"file.judge-plan"}, open);
    m_actions.at("file.own-plan")->setEnabled(open && session.choices().givenPlan);
    m_actions.at("edit.undo")->setEnabled(open && session.canUndo());
    m_actions.at("edit.redo")->setEnabled(open && session.canRedo());
    m_actions.at("go.back")->setEnabled(open && m_bench.selection.canGoBack());
    m_actions.at("go.forward")->setEnabled(open && m_bench.selection.canGoForward());
    m_actions.setEnabled({"run.start", "run.bisect"}, open && !m_bench.runs());
    m_actions.at("run.cancel")->setEnabled(m_bench.runs());
    m_actions.at("search.start")->setEnabled(open && m_bench.search.canStart());
    m_actions.at("search.stop")->setEnabled(m_bench.search.running());
    m_said.compared->refresh();
    refreshSelectionActions();
}

void MainWindow::refreshRecent()
{
    const QStringList files = m_settings.recentFiles();
    m_pages.start->setRecentFiles(files);
    m_menus.recent->clear();
    for (const QString& file : files) {
        QAction* action = m_menus.recent->addAction(
            labelText(QFileInfo(file).fileName(), MenuLetters).replace(u'&', QStringLiteral("&&")), this,
            [this, file] { openBeside(file); });
        action->setData(file);
        action->setStatusTip(labelText(file));
        action->setToolTip(labelText(file));
        action->setEnabled(!fileOnDisk(file).isEmpty());
    }
    m_menus.recent->addSeparator();
    m_menus.recent->addAction(tr("&Clear"), this, &MainWindow::forgetRecent);
    m_menus.recent->setEnabled(!files.isEmpty());
}

void MainWindow::forgetRecent()
{
    m_settings.clearRecentFiles();
    refreshRecent();
    shareSettings();
}

void MainWindow::refreshStep()
{
    const auto report = m_bench.session.report();
    if (!report) return m_said.step->clear();
    const std::int64_t step = m_bench.selection.step();
    const QString last = countText(std::max<std::int64_t>(0, report->program.schedule.length() - 1));
    m_said.step->setText(tr("  step %1 / %2  ").arg(step < 0 ? QStringLiteral("–") : countText(step), last));
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    m_document->end();
    keepLayout();
    event->accept();
}

void MainWindow::keepLayout()
{
    m_settings.setLayout(m_docks.save(), window()->saveGeometry());
}

} // namespace plimsoll::app
