#include "app/session/document/document.h"

#include "app/session/document/named_focus.h"
#include "app/session/document/saved_choices.h"
#include "app/session/job_tag.h"
#include "app/session/workbench.h"
#include "core/base/beside.h"
#include "core/base/output_file.h"
#include "core/base/outputs.h"
#include "core/facts/plan_digest.h"
#include "core/formats/read_graph.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace plimsoll::app {
namespace {

constexpr int SoonMs = 300;
constexpr int LaterMs = 5000; ///< Where each time takes long.

std::filesystem::path pathOf(const QString& file)
{
    return file.toStdString();
}

/// What the command line says on top of what was saved: one step to undo.
void addAsked(const Choices& asked, PlanHistory& history)
{
    Choices choices = history.current().choices;
    for (const std::string& id : asked.named)
        (void)choices.setPolicy(id, policyValue(asked.policies, id)); // was set once already
    for (const auto& [dim, size] : asked.shapes.dims)
        choices.shapes.dims[dim] = size;
    for (const auto& [input, shape] : asked.shapes.shapes)
        choices.shapes.shapes[input] = shape;
    for (const auto& [value, most] : asked.shapes.maxStored)
        choices.shapes.maxStored[value] = most;
    ask(choices.constraints, asked.constraints);
    history.push(std::move(choices));
}

/// Writing it takes more than a moment.
bool isLarge(const SavedSession& session)
{
    constexpr std::size_t Few = 2000;
    std::size_t entries = 0;
    for (const SavedPlan& saved : session.plans)
        if (saved.plan) entries += saved.plan->entries.size();
    return entries > Few;
}

Status writeWhole(SavedSession session, const ShownRun& run, const std::filesystem::path& file)
{
    PLIMSOLL_TRY(keepContent(session.graph));
    if (run.result) session.run = savedRun(run);
    return writeFile(file, sessionJsonText(session));
}

} // namespace

QString safeFolder()
{
    const QString state = qEnvironmentVariable("XDG_STATE_HOME", QDir::homePath() + QStringLiteral("/.local/state"));
    return QDir(state).filePath(QStringLiteral("plimsoll/sessions"));
}

Document::Document(Workbench& bench, QObject* parent) : QObject(parent), m_bench(bench)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(SoonMs);
    connect(&m_soon, &QTimer::timeout, this, &Document::keepUp);
    connect(&bench.session, &Session::opening, this, &Document::changed);
    connect(&bench.session, &Session::graphOpened, this, [this] {
        m_digest = beside([graph = m_bench.session.graph()] {
            try {
                return graphDigest(*graph);
            } catch (const std::bad_alloc&) { // without it a session knows its graph by name and size
                return std::string();
            }
        });
    });
    connect(&bench.session, &Session::closing, this, &Document::end);
    connect(&bench.session, &Session::reportChanged, this, &Document::show);
    connect(&bench.session, &Session::choicesChanged, this, [this] {
        if (m_saved.shown) m_saved.run.reset();
        keepUp();
    });
    connect(&bench.session, &Session::runChanged, this, &Document::keepRun);
    connect(&bench.session.comparison(), &PlanComparison::changed, this, &Document::keepSoon);
    connect(&bench.selection, &Selection::stopsChanged, this, &Document::keepSoon);
    connect(&bench.selection, &Selection::focusChanged, this, &Document::keepSoon);
}

Document::~Document() = default;

void Document::keepSoon()
{
    if (m_saved.shown && !m_soon.isActive()) m_soon.start();
}

QString Document::path() const
{
    return m_saved.file.isEmpty() ? m_bench.session.file() : m_saved.file;
}

QString Document::name() const
{
    return QFileInfo(path()).fileName();
}

/// What is open stays until a session is read.
void Document::open(const QString& file, const Choices& asked, const QString& planFile)
{
    if (!isSessionFile(pathOf(file))) return m_bench.session.open(file, asked, planFile);
    const QString path = QFileInfo(file).absoluteFilePath();
    m_bench.jobs.start(
        JobTag::Open, tr("Reading %1").arg(QFileInfo(file).fileName()),
        [path](const Context&) { return readWhole(pathOf(path)); },
        [this, path, asked, planFile](Result<Read> read) {
            if (!read.ok()) return m_bench.session.refuse(path, read.error());
            openSession(path, std::move(read).value(), asked, planFile);
        });
}

Result<Document::Read> Document::readWhole(const std::filesystem::path& file)
{
    PLIMSOLL_ASSIGN(session, readSession(file));
    PLIMSOLL_ASSIGN(graph, findGraph(session.session.graph, file));
    Read read {std::move(session), std::move(graph), {}};
    if (const auto saved = std::exchange(read.session.session.run, std::nullopt)) {
        auto run = restoredRun(*saved);
        if (run.ok())
            read.run = std::move(run).value();
        else
            read.session.unread.push_back(toMessage(run.error()));
    }
    return read;
}

void Document::openSession(const QString& file, Read read, const Choices& asked, const QString& planFile)
{
    SavedSession session = std::move(read.session.session);
    std::vector<Message> unread = std::move(read.session.unread);
    const FoundGraph& place = read.graph;
    QString graph = QString::fromStdString(place.file.string());
    std::unique_ptr<const UnpackedFile> unpacked;
    if (place.content) {
        const QString name = QString::fromStdString(session.graph.absolute);
        unpacked = std::make_unique<const UnpackedFile>(*place.content, name);
        graph = unpacked->path();
    }
    PlanHistory history = savedHistory(session, graph.toStdString(), pathOf(file), unread);
    if (!session.graph.graph.empty()) graph += u'#' + QString::fromStdString(session.graph.graph);
    addAsked(asked, history);
    m_bench.session.restore(graph, std::move(history), planFile); // closes what was open
    if (unpacked) m_unpacked = {std::move(unpacked), session.graph};
    const bool copy = isCopy(file);
    if (copy && !m_copy.takeOver(file)) unread.push_back(say("session.open-elsewhere"));
    m_saved.file = copy ? QString::fromStdString(session.savedAs) : file;
    m_saved.from = file;
    m_saved.copy = copy;
    m_saved.others = session.others;
    m_saved.notes = {copy && !place.content ? Message() : place.note, unreadParts(unread)}; // a copy lies elsewhere
    m_saved.run = std::move(read.run);
    m_saved.waiting = std::move(session);
    Q_EMIT changed();
}

/// The first report of what was opened: now there are things to look at.
void Document::show()
{
    if (std::exchange(m_saved.shown, true)) {
        if (!m_bench.session.run()) showRun();
        return keepSoon(); // it has a peak now
    }
    if (const auto session = std::exchange(m_saved.waiting, std::nullopt)) {
        const Report& report = *m_bench.session.report();
        for (const NamedFocus& stop : session->stops)
            if (const Focus focus = focusNamed(stop, report); focus.picked() || focus.step >= 0)
                m_bench.selection.toggleStop(focus);
        m_bench.selection.pick(focusNamed(session->selection, report));
        Q_EMIT restored(*session);
        const QString graph = fileOnDisk(m_bench.session.file());
        m_saved.notes.insert(m_saved.notes.begin(), changeOf(session->graph, m_digest.get(), QFileInfo(graph).size()));
        compareAgain(*session);
        if (m_saved.run && !showRun()) m_saved.notes.push_back(say("session.run-of-another-plan"));
        if (m_bench.session.run() && !m_saved.run->note.empty()) m_saved.notes.push_back(m_saved.run->note);
        for (const Message& note : std::exchange(m_saved.notes, {})) // the last is seen, the others stand in the log
            if (!note.empty()) Q_EMIT said({ErrorCode::BadInput, note, {}, {}});
    }
    if (!m_saved.copy) markSaved(kept(now({})));
    keepUp();
    Q_EMIT changed();
}

/// Of the plan that ran and no other. What the backends offer may arrive behind the first report, and make it anew.
bool Document::showRun()
{
    if (!m_saved.run || m_saved.run->planDigest != planDigest(*m_bench.session.judged())) return false;
    const RestoredRun run = *m_saved.run;
    if (m_saved.kept) m_saved.kept->run = run.result;
    m_bench.restoreRun(run.request, run.result, run.record);
    return true;
}

ShownRun Document::shownRun() const
{
    return {m_bench.session.judged(), m_bench.lastRun(), m_bench.session.run(), m_bench.recorded.file()};
}

/// The copy gets it once.
void Document::keepRun()
{
    if (!m_saved.shown) return;
    const ShownRun run = shownRun();
    const auto before = std::exchange(m_saved.copied, run.result);
    if (run.result && run.result != before) m_copy.writeRun([run] { return runFileText(savedRun(run)); });
    if (!run.result) m_copy.dropRun();
    keepUp();
}

void Document::compareAgain(const SavedSession& session)
{
    if (!session.comparedWith || *session.comparedWith >= session.comparisons.size()) return;
    std::vector<std::string> gone;
    const QString file = comparedFile(session.comparisons[*session.comparedWith], pathOf(m_saved.from), gone);
    if (gone.empty())
        m_bench.session.comparison().compareWith(file, true);
    else
        m_saved.notes.push_back(say("session.compared-gone", plimsoll::namesOf(gone)));
}

Document::Kept Document::kept(const SavedSession& session) const
{
    return {m_bench.session.choices(), m_bench.session.said(), session.stops, session.remarks, m_bench.session.run()};
}

void Document::markSaved(Kept kept)
{
    m_saved.copy = false;
    m_saved.kept = std::move(kept);
}

/// One that only the session had is not said to lie where it was unpacked.
GraphReference Document::graphNow(const QString& file) const
{
    const QString& opened = m_bench.session.file();
    GraphReference graph = referenceTo(pathOf(opened), pathOf(file));
    if (m_unpacked.file && fileOnDisk(opened) == m_unpacked.file->path()) {
        const std::string name = std::exchange(graph, m_unpacked.from).graph;
        graph.graph = name;
    }
    graph.digest = m_digest.get();
    return graph;
}

SavedSession Document::now(const QString& file) const
{
    SavedSession session;
    const Report& report = *m_bench.session.report();
    session.graph = graphNow(file);
    saveHistory(m_bench.session.history(), m_bench.session.graph()->file.path.string(), pathOf(file), session);
    const QString& compared = m_bench.session.comparison().file();
    if (!compared.isEmpty()) session.comparedWith = comparisonIn(session, compared, pathOf(file));
    session.selection = namesOf(m_bench.selection.focus(), report);
    for (const Focus& stop : m_bench.selection.stops())
        session.stops.push_back(namesOf(stop, report));
    session.others = m_saved.others;
    if (m_addWindow) m_addWindow(session);
    return session;
}

Status Document::save(const QString& file)
{
    finishSaving();
    PLIMSOLL_TRY(checkOutputs({{"The session", file.toStdString()}}, m_bench.session.filesRead()));
    const auto session = std::make_shared<SavedSession>(now(file));
    m_saving.file = QFileInfo(file).absoluteFilePath();
    m_saving.kept = kept(*session);
    m_saving.written = beside([this, session, run = shownRun(), to = pathOf(file)] {
        const Status written = writeWhole(std::move(*session), run, to);
        QMetaObject::invokeMethod(this, &Document::finishSaving, Qt::QueuedConnection);
        return written;
    });
    return {};
}

void Document::finishSaving()
{
    if (!m_saving.written.valid()) return;
    if (const Status written = m_saving.written.get(); !written.ok()) {
        Q_EMIT said(written.error());
        return;
    }
    m_saved.file = m_saving.file;
    markSaved(std::exchange(m_saving.kept, {}));
    keepUp();
    Q_EMIT changed();
    Q_EMIT saved(m_saved.file);
}

/// After each edit: the copy has it when this returns, or soon where it is large.
void Document::keepUp()
{
    m_soon.stop();
    if (!m_saved.shown) return;
    SavedSession session = this->now({});
    const Kept now = kept(session);
    const Kept saved = m_saved.kept.value_or(Kept());
    const bool typed = saved.said != now.said || saved.remarks != now.remarks; // which is never let go
    const bool modified = typed || (m_saved.kept != now && !m_saved.file.isEmpty());
    if (std::exchange(m_saved.modified, modified) != modified) Q_EMIT changed();
    if (m_copy.folder().isEmpty()) return;
    session.runFile = m_copy.runFile();
    session.savedAs = m_saved.file.toStdString();
    const auto failed = [this](const Error& error) { Q_EMIT said(error); };
    const bool large = isLarge(session);
    m_soon.setInterval(large ? LaterMs : SoonMs);
    if (large)
        m_copy.writeLater([session = std::move(session)] { return sessionJsonText(session); }, failed);
    else if (const Status kept = m_copy.write(sessionJsonText(session)); !kept.ok())
        failed(kept.error());
}

QList<LeftCopy> Document::copiesLeft() const
{
    QList<LeftCopy> left;
    if (m_copy.folder().isEmpty()) return left;
    for (const QString& file : app::copiesLeft(m_copy.folder())) {
        constexpr qint64 Head = 16384; // the names stand first
        QFile copy(file);
        if (!copy.open(QIODevice::ReadOnly)) continue;
        const auto read = readSessionJson(copy.read(Head).toStdString(), pathOf(file));
        if (!read.ok()) continue;
        const SavedSession& session = read.value().session;
        left.push_back(
            {file, QString::fromStdString(session.savedAs.empty() ? session.graph.absolute : session.savedAs)});
    }
    return left;
}

bool Document::isCopy(const QString& file) const
{
    const QString& folder = m_copy.folder();
    return !folder.isEmpty() && QFileInfo(file).absolutePath() == QDir(folder).absolutePath();
}

void Document::forgetCopies()
{
    for (const LeftCopy& left : copiesLeft())
        removeCopy(left.file);
}

void Document::end()
{
    finishSaving();
    if (m_soon.isActive()) keepUp();
    if (m_saved.shown && !m_saved.modified)
        m_copy.remove();
    else
        m_copy.leave();
    m_saved = {};
}

} // namespace plimsoll::app
