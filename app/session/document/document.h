#pragma once

#include "app/session/document/safe_copy.h"
#include "app/session/document/saved_run.h"
#include "app/session/document/unpacked_file.h"
#include "app/session/session.h"
#include "core/formats/plimsoll/session_graph.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <future>
#include <memory>
#include <optional>

namespace plimsoll::app {

class Workbench;

/// What a window that was killed had open.
struct LeftCopy
{
    QString file;
    QString of; ///< File of the session, or of the graph.
};

/// What is open as one file: graph, choices with their undo, plans, what is looked at, and how the window shows it.
/// Written on request, and after each edit to a copy that outlives a kill: at once, or on a worker where
/// a large plan goes along.
class Document : public QObject
{
    Q_OBJECT

public:
    explicit Document(Workbench& bench, QObject* parent = nullptr);
    ~Document() override;

    /// A graph, or a session. \p asked and \p planFile are those of the command line: they go before what was saved.
    void open(const QString& file, const Choices& asked = initialChoices(), const QString& planFile = {});
    /// Begins to write it, on a thread of its own: saved() follows, or said() why it could not be. The error says why
    /// it is not begun.
    [[nodiscard]] Status save(const QString& file);

    /// The file of the session; empty while it was never saved.
    [[nodiscard]] const QString& file() const { return m_saved.file; }
    [[nodiscard]] QString path() const; ///< Of that, or of the graph.
    [[nodiscard]] QString name() const; ///< Without folders.
    /// Edits are not in the file of the session.
    [[nodiscard]] bool modified() const { return m_saved.modified; }

    /// How the window shows it goes into what is saved.
    using AddWindow = std::function<void(SavedSession&)>;
    void setWindow(AddWindow add) { m_addWindow = std::move(add); }
    void keepSoon(); ///< What that adds has changed.

    /// From now on a copy of each edit lies in that folder until the window is closed.
    void keepSafeIn(const QString& folder) { m_copy.keepIn(folder); }
    [[nodiscard]] QList<LeftCopy> copiesLeft() const;     ///< Newest first.
    [[nodiscard]] bool isCopy(const QString& file) const; ///< Kept by a window.
    void forgetCopies();
    /// The window is closed: the copy goes, but for edits that the file of the session does not have.
    void end();

Q_SIGNALS:
    void saved(const QString& file);
    void changed(); ///< file(), name() or modified().
    /// A saved session is shown, but for how the window shows it.
    void restored(const plimsoll::SavedSession& session);
    void said(const plimsoll::Error& error); ///< About what was saved: what is not as it was.

private:
    /// A session that was read, with its graph found.
    struct Read
    {
        ReadSession session;
        FoundGraph graph;
        std::optional<RestoredRun> run;
    };
    /// What a session has, of what makes it modified.
    struct Kept
    {
        Choices choices {};
        Said said {};
        std::vector<NamedFocus> stops {};
        std::string remarks {};
        std::shared_ptr<const RunResult> run {};

        friend bool operator==(const Kept&, const Kept&) = default;
    };
    [[nodiscard]] static Result<Read> readWhole(const std::filesystem::path& file);
    void openSession(const QString& file, Read read, const Choices& asked, const QString& planFile);
    void show();
    bool showRun();
    void keepRun();
    [[nodiscard]] ShownRun shownRun() const;
    [[nodiscard]] Kept kept(const SavedSession& session) const;
    void compareAgain(const SavedSession& session);
    void keepUp();
    void markSaved(Kept kept);
    void finishSaving(); ///< Waits for it.
    [[nodiscard]] SavedSession now(const QString& file) const;
    [[nodiscard]] GraphReference graphNow(const QString& file) const;

    Workbench& m_bench;
    AddWindow m_addWindow;
    SafeCopy m_copy;
    QTimer m_soon; ///< What changes often is kept a moment later.
    /// Of what is open.
    struct
    {
        QString file;
        QString from {};             ///< The session, or its copy, that was opened.
        std::optional<Kept> kept {}; ///< In the file; nothing: it has something else.
        bool modified = false;
        bool shown = false;
        bool copy = false;                          ///< It was restored from one, and not saved since.
        std::optional<SavedSession> waiting;        ///< For the first report.
        std::vector<Message> notes {};              ///< To be said then.
        std::optional<RestoredRun> run {};          ///< That was restored, until the first edit.
        std::shared_ptr<const RunResult> copied {}; ///< The run that lies beside the copy.
        std::string others {};                      ///< Fields of the file that are not known.
    } m_saved;
    /// Of the graph that only the session had; another graph of that file is opened from it, too.
    struct
    {
        std::unique_ptr<const UnpackedFile> file {};
        GraphReference from {};
    } m_unpacked;
    /// What is being written.
    struct
    {
        std::future<Status> written {}; ///< Invalid: nothing.
        QString file {};
        Kept kept {};
    } m_saving;
    std::shared_future<std::string> m_digest; ///< Of the graph; made on a thread of its own while it is planned.
};

/// Where copies of windows lie; the environment decides, as for the log.
[[nodiscard]] QString safeFolder();

} // namespace plimsoll::app
