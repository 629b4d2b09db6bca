// What the actions of the main window do.
#include "app/models/window_text.h"
#include "app/session/workbench.h"
#include "app/views/graph/graph_canvas.h"
#include "app/window/commands/finder.h"
#include "app/window/commands/searches.h"
#include "app/window/help/format_texts.h"
#include "app/window/main_window.h"
#include "app/window/pages/problem_page.h"
#include "app/window/pages/samples.h"
#include "app/window/pages/start_page.h"
#include "app/window/panes/plots/search_pane.h"
#include "app/window/panes/run_pane.h"
#include "app/window/panes/table_pane.h"
#include "app/window/tabs/compare_offer.h"
#include "app/window/tabs/documents.h"
#include "app/window/view_table.h"
#include "app/window/views/canvas_tabs.h"
#include "core/base/narrow.h"
#include "core/base/output_file.h"
#include "core/facts/arena_peaks.h"
#include "core/facts/words/area_text.h"
#include "core/formats/plimsoll/session_json.h"

#include <QAction>
#include <QClipboard>
#include <QCryptographicHash>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QStatusBar>
#include <QStringDecoder>
#include <QUrl>

#include <algorithm>

namespace plimsoll::app {
namespace {

bool isPlan(const QString& path)
{
    constexpr qint64 Head = 4096;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return false;
    const QByteArray head = file.read(Head);
    return head.contains("\"plimsoll.plan/1\"") && !beginsSession(head.toStdString());
}

/// "text/plain;charset=utf-8", as some programs hand text over, is not what Qt looks for. Empty: there is none.
QString textFormat(const QMimeData& mime)
{
    if (mime.hasText()) return QStringLiteral("text/plain");
    const QStringList formats = mime.formats();
    const auto found = std::ranges::find_if(
        formats, [](const QString& format) { return format.startsWith(QStringLiteral("text/plain;")); });
    return found == formats.end() ? QString() : *found;
}

QString textOf(const QMimeData& mime)
{
    if (mime.hasText()) return mime.text();
    const QString format = textFormat(mime);
    const QString charset = format.section(QStringLiteral("charset="), 1).remove(u'"').trimmed();
    const auto encoding = QStringConverter::encodingForName(charset.toLatin1().constData());
    QStringDecoder decoder(encoding.value_or(QStringConverter::Utf8));
    return decoder(mime.data(format));
}

} // namespace

void MainWindow::connectFileActions()
{
    connect(m_pages.start, &StartPage::sampleChosen, this, [this](const QString& name) {
        const QString file = sampleFile(name);
        if (file.isEmpty())
            say({ErrorCode::BadInput, plimsoll::say("window.no-sample"), {}, name.toStdString()});
        else
            openSample(name, file);
    });
    m_actions.on("file.open", this, [this] { chooseFile(); });
    m_actions.at("file.new-tab")->setEnabled(m_others);
    m_actions.on("file.new-tab", this, [this] { m_others->add(); });
    m_actions.on("file.paste", this, [this] { openMime(*QGuiApplication::clipboard()->mimeData()); });
    m_actions.on("file.judge-plan", this, [this] { choosePlan(); });
    m_actions.on("file.own-plan", &m_bench.session, [this] { m_bench.session.makeOwnPlan(); });
    m_actions.on("file.reload", &m_bench.session, [this] { m_bench.session.reload(); });
    m_actions.on("file.close", this, [this] { m_others ? m_others->closePage(*this) : m_bench.session.close(); });
    m_actions.on("file.quit", this, [this] { window()->close(); });
    m_actions.on("edit.undo", this, [this] { m_bench.session.undo(); });
    m_actions.on("edit.redo", this, [this] { m_bench.session.redo(); });
    m_actions.on("edit.find", this, [this] {
        auto* graph = qobject_cast<GraphCanvas*>(m_panes.pictures->current());
        if (graph && (graph->hasFocus() || graph->isAncestorOf(focusWidget())))
            graph->find();
        else if (TablePane* table = m_panes.shownTable())
            table->find();
        else
            m_actions.at("go.anything")->trigger();
    });
    m_actions.on("edit.clear", this, [this] { m_bench.selection.clear(); });
    m_actions.on("run.start", this, [this] {
        showView(QStringLiteral("run"));
        m_panes.run->start();
    });
    m_actions.on("search.start", this, [this] {
        showView(QStringLiteral("search"));
        m_panes.search->start();
    });
    m_actions.on("search.stop", &m_bench.search, [this] { m_bench.search.stop(); });
    m_actions.on("run.cancel", this, [this] { m_bench.stopRuns(); });
    m_actions.on("run.bisect", this, [this] {
        showView(QStringLiteral("run"));
        m_panes.run->bisect();
    });
}

void MainWindow::openSample(const QString& name, const QString& file)
{
    const Sample sample = sampleNamed(name);
    const bool showcase = sample.choices != Choices() || !sample.plan.isEmpty();
    m_bench.session.open(file, sample.choices, sample.plan.isEmpty() ? QString() : sampleFile(sample.plan));
    if (!showcase) return;
    // It is opened with policies or a plan of its own for what they bring about: show that.
    connect(
        &m_bench.session, &Session::reportChanged, this,
        [this, opened = m_bench.session.file()] {
            if (m_bench.session.file() == opened) findingBy(1);
        },
        Qt::SingleShotConnection);
}

void MainWindow::connectGoActions()
{
    m_actions.on("go.commands", this,
                 [this] { m_finder->open(tr("A command"), searchCommands(*menuBar(), m_actions)); });
    m_actions.on("go.anything", this, [this] {
        const auto report = m_bench.session.report();
        if (!report) return;
        const Finder::Search things = searchReport(report, m_bench.session.said().bookmarks, m_bench.selection);
        const Finder::Search commands = searchCommands(*menuBar(), m_actions);
        m_finder->open(
            tr("A value, node, storage (s12), step (118) or bytes (0x36000..0x37000)"),
            [things, commands](const QString& typed) {
                std::vector<FinderItem> found = things(typed);
                return found.empty() ? commands(typed) : found;
            },
            tr("Nothing of that name, and no command. Conditions such as bytes>1MiB are for the filter of a table or "
               "of the graph (%1).")
                .arg(m_actions.howToReach("edit.find")));
    });
    m_actions.on("go.back", this, [this] { m_bench.selection.back(); });
    m_actions.on("go.forward", this, [this] { m_bench.selection.forward(); });
    m_actions.on("go.previous-step", this, [this] { m_bench.selection.moveStep(-1); });
    m_actions.on("go.next-step", this, [this] { m_bench.selection.moveStep(1); });
    m_actions.on("go.peak", this, [this] {
        if (const auto report = m_bench.session.report()) m_bench.selection.setStep(peakStep(*report));
    });
    m_actions.on("go.next-finding", this, [this] { findingBy(1); });
    m_actions.on("go.previous-finding", this, [this] { findingBy(-1); });
    m_actions.on("go.next-tab", this, [this] { m_others->go(1); });
    m_actions.on("go.previous-tab", this, [this] { m_others->go(-1); });
    m_actions.on("go.next-difference", this, [this] { differenceBy(1); });
    m_actions.on("go.previous-difference", this, [this] { differenceBy(-1); });
}

void MainWindow::connectViewActions()
{
    for (const ViewInfo& info : viewTable()) {
        if (info.place == ViewPlace::Page) continue;
        const QString view = QString::fromLatin1(info.id);
        m_actions.on((QByteArray("view.") + info.id).constData(), this, [this, view] {
            showView(view);
            focusView(view);
        });
    }
    m_actions.on("view.fit", this, [this] { m_panes.pictures->current()->fit(); });
    m_actions.on("view.frame", this, [this] { m_panes.pictures->current()->frameOrFit(); });
    m_actions.on("view.show-holes", this,
                 [this] { m_panes.pictures->showHoles(m_actions.at("view.show-holes")->isChecked()); });
    m_actions.on("view.keep-ghost", this,
                 [this] { m_panes.pictures->keepGhost(m_actions.at("view.keep-ghost")->isChecked()); });
    m_actions.on("view.side-by-side", this,
                 [this] { m_panes.pictures->showBoth(m_actions.at("view.side-by-side")->isChecked()); });
    QAction* compact = m_actions.at("view.compact-steps");
    connect(compact, &QAction::toggled, this, [this](bool on) {
        m_settings.setCompactSteps(on);
        m_panes.pictures->compactSteps(on);
    });
    compact->setChecked(m_settings.compactSteps());
    connect(m_actions.at("view.by-time"), &QAction::toggled, this, [this](bool on) {
        m_panes.pictures->stepsByTime(on);
        if (on && !m_bench.session.run())
            statusBar()->showMessage(tr("Steps are as wide as they took once the plan has run."), SaidForMs);
    });
    connect(m_panes.pictures, &CanvasTabs::holesShown, m_actions.at("view.show-holes"), &QAction::setChecked);
    connectGraphActions();
}

bool MainWindow::showView(const QString& id)
{
    if (id == QStringLiteral("all")) return true;
    if (id == QStringLiteral("start")) return showPage(m_pages.start), true;
    if (id == QStringLiteral("problem")) {
        if (!m_bench.session.error()) m_pages.problem->showFine(m_bench.session.file());
        return showPage(m_pages.problem), true;
    }
    if (m_panes.pictures->showView(id)) return true;
    if (!m_docks.at(id)) return false;
    m_docks.raise(id);
    return true;
}

void MainWindow::focusView(const QString& id)
{
    QWidget* pane = m_panes.pictures->canvas(id);
    if (!pane && m_docks.at(id)) pane = m_docks.at(id)->widget();
    if (!pane) return;
    if (pane->hasFocus()) pane->clearFocus(); // it may have come with the tab, and shows no ring then
    pane->setFocus(Qt::ShortcutFocusReason);
}

bool MainWindow::select(const QString& name)
{
    const auto report = m_bench.session.report();
    if (!report) return false;
    const std::string wanted = name.toStdString();
    Focus focus = Focus::on(findValue(*report->program.graph, wanted));
    if (!focus.picked()) focus = Focus::on(findNode(*report->program.graph, wanted));
    if (!focus.picked() && name.startsWith(u's')) {
        bool number = false;
        const int storage = name.mid(1).toInt(&number);
        if (number && storage >= 0 && static_cast<std::size_t>(storage) < report->program.storages.size())
            focus = Focus::on(StorageId(storage));
    }
    if (const auto areas = readAreas(*report, wanted); !focus.picked() && !areas.empty())
        focus = Focus::on(areas.front());
    if (!focus.picked()) return false;
    m_bench.selection.pick(focus);
    m_docks.raise(QStringLiteral("inspector"));
    return true;
}

void MainWindow::findingBy(int by)
{
    const auto report = m_bench.session.report();
    if (!report || report->verdict.findings.empty()) return;
    const auto count = narrow<int>(report->verdict.findings.size());
    const int now = m_bench.selection.focus().finding;
    showFinding(now < 0 ? (by > 0 ? 0 : count - 1) : (now + by + count) % count);
}

void MainWindow::showFinding(int finding)
{
    Focus focus = Focus::onFinding(finding);
    const Interval steps = m_bench.session.report()->verdict.findings[static_cast<std::size_t>(finding)].steps;
    if (!steps.empty()) focus.step = steps.begin;
    const bool another = !focus.samePick(m_bench.selection.focus());
    m_bench.selection.pick(focus);
    m_docks.raise(QStringLiteral("findings"));
    if (another) m_panes.pictures->frameSelection();
}

/// By the rows of the table of changes that can be selected, in the order in which it shows them.
void MainWindow::differenceBy(int by)
{
    const TableModel& changes = m_panes.tables.value(QStringLiteral("changes"))->model();
    const int count = changes.rowCount();
    int row = changes.rowOf(m_bench.selection.focus());
    if (row < 0 && by < 0) row = count;
    Focus focus;
    for (int tried = 0; tried < count && !focus.picked(); ++tried) {
        row = (row + by + count) % count;
        focus = changes.focusOf(row);
    }
    m_docks.raise(QStringLiteral("changes"));
    if (!focus.picked()) {
        const bool none = !m_bench.session.comparison().shown().other;
        statusBar()->showMessage(none ? tr("There is no plan before: no policy was changed yet.")
                                      : tr("No value differs from what the plan is compared with."),
                                 SaidForMs);
        return;
    }
    const bool another = !focus.samePick(m_bench.selection.focus());
    m_bench.selection.pick(focus);
    if (another) m_panes.pictures->frameSelection();
}

void MainWindow::chooseFile()
{
    const QStringList files = QFileDialog::getOpenFileNames(
        this, tr("Open graphs"), ownFolder(QStringList(m_bench.session.file()) + m_settings.recentFiles()),
        graphFilters() + QStringLiteral(";;") + tr("Sessions (*.plimsoll)"));
    if (!files.isEmpty()) openTogether(files);
}

void MainWindow::choosePlan()
{
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Judge a plan"), ownFolder(QStringList(m_bench.session.file()) + m_settings.recentFiles()),
        tr("Plans and reports (*.json);;All files (*)"));
    if (!file.isEmpty()) m_bench.session.judgePlan(file);
}

bool MainWindow::openMime(const QMimeData& mime)
{
    const QString whole = textOf(mime);
    const QString text = whole.trimmed();
    const bool path = !text.isEmpty() && text.size() < 4096 && !text.contains(u'\n') && !fileOnDisk(text).isEmpty();
    QStringList files;
    for (const QUrl& url : mime.urls())
        if (url.isLocalFile()) files << url.toLocalFile();
    if (files.isEmpty() && path) files << text;
    const bool json = text.startsWith(u'{');
    if (files.isEmpty() && (json || text.contains(u'\n'))) { // kept as a file that can be opened again
        const QDir folder(QStandardPaths::writableLocation(QStandardPaths::CacheLocation));
        const QByteArray mark = QCryptographicHash::hash(whole.toUtf8(), QCryptographicHash::Sha256).toHex().left(8);
        const QString pasted =
            folder.filePath(QStringLiteral("pasted-%1.%2")
                                .arg(QString::fromLatin1(mark), json ? QStringLiteral("json") : QStringLiteral("txt")));
        const bool kept =
            folder.mkpath(QStringLiteral(".")) && writeFile(pasted.toStdString(), whole.toStdString()).ok();
        if (kept) files << pasted;
    }
    if (files.isEmpty()) {
        say({ErrorCode::BadInput, plimsoll::say("window.nothing-pasted"), "clipboard", {}});
        return false;
    }
    openTogether(files);
    return true;
}

void MainWindow::openTogether(QStringList files)
{
    std::ranges::stable_partition(files, [](const QString& one) { return !isPlan(one); }); // a graph goes first
    if (files.size() == 1 && isPlan(files.first()) && m_bench.session.report())
        return m_bench.session.judgePlan(files.first());
    const QString plan = files.size() > 1 && isPlan(files[1]) ? files.takeAt(1) : QString();
    constexpr qsizetype Most = 10; // each takes memory of its own
    QList<MainWindow*> pages {&openBeside(files.first(), initialChoices(), plan)};
    for (const QString& other : files.mid(1, Most - 1))
        pages << &openBeside(other);
    if (pages.size() == 2) offerComparison(*pages.first(), *pages.last());
    if (files.size() > Most)
        say({ErrorCode::BadInput,
             plimsoll::say("window.many-files", word::Number {files.size()}, word::Number {Most}),
             "drop",
             {}});
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() || !textFormat(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    openMime(*event->mimeData());
}

} // namespace plimsoll::app
