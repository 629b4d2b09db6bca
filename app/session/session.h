#pragma once

#include "app/session/engine.h"
#include "app/session/jobs/coloured_plan.h"
#include "app/session/plan_comparison.h"
#include "app/session/plan_history.h"
#include "core/advice/bisect.h"
#include "core/plan/suppression.h"

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <functional>

namespace plimsoll::app {

class JobRunner;

/// What a graph is opened with unless told otherwise: the defaults, without padding if PLIMSOLL_PADDING is 0.
[[nodiscard]] inline Choices initialChoices()
{
    Choices choices;
    if (qgetenv("PLIMSOLL_PADDING") == "0") choices.policies.padding = PaddingPolicy::Off;
    return choices;
}

/// The file on disk of what was opened: of "FILE#NAME" the part in front. Empty where there is none.
[[nodiscard]] QString fileOnDisk(const QString& opened);

/// From the plan that is shown to another.
using PlanEdit = std::function<Result<PlanFile>(PlanFile plan, const Report& report)>;

/// What the backends offer, as far as it is known.
struct KnownOffers
{
    std::shared_ptr<const Catalogue> catalogue;
    QStringList askedWith;        ///< What they were asked for with; empty where none were.
    std::optional<Error> lacking; ///< Why there are none.
};

/// A plan that is shown or was, and what it was made of.
struct ShownPlan
{
    std::shared_ptr<const Report> report {};
    std::shared_ptr<const StorageColours> colours {}; ///< As ColouredPlan.
    PlanDigest digest {};
    std::shared_ptr<const Graph> graph {};
    Choices by {};
    KnownOffers offers {};
    std::optional<Error> provisional {}; ///< Why it is.
    bool improved = false;               ///< By a search that went on beyond the first plan.
};

/// The graph that is open, what the user chose, and what the engine made of it. Everything it hands out is immutable
/// and is swapped whole, so a view may keep what it draws.
class Session : public QObject
{
    Q_OBJECT

public:
    Session(Engine engine, JobRunner& jobs, QObject* parent = nullptr);

    /// Reads and plans on the worker; reportChanged or openFailed follows. \p choices are those of the command line,
    /// and \p planFile, if there is one, has a plan that is judged first.
    void open(const QString& file, Choices choices = initialChoices(), const QString& planFile = {});
    /// The same with all that was chosen before: a plan that the file brings is none of it.
    void restore(const QString& file, PlanHistory history, const QString& planFile = {});
    /// Nothing is open, and why: \p file cannot be.
    void refuse(const QString& file, Error error);
    void reload(); ///< The same files and choices again.
    void close();
    /// Planning waits for what the backends offer, where that has a say: offersWanted is emitted, and setCatalogue() or
    /// planWithoutOffers() goes on.
    void setAsksForOffers(bool asks) { m_asksForOffers = asks; }
    [[nodiscard]] bool asksForOffers() const { return m_asksForOffers; }

    [[nodiscard]] const QString& file() const { return m_open.file; }
    [[nodiscard]] std::shared_ptr<const Graph> graph() const { return m_open.graph; }
    /// With what runs have shown among its findings.
    [[nodiscard]] std::shared_ptr<const Report> report() const { return m_open.shown; }
    [[nodiscard]] std::shared_ptr<const Report> judged() const { return m_open.now.report; } ///< Without that.
    [[nodiscard]] std::shared_ptr<const StorageColours> colours() const { return m_open.now.colours; }
    [[nodiscard]] const PlanDigest& digest() const { return m_open.now.digest; } ///< Of report().
    /// Of the file that is open; without names where it holds one graph.
    [[nodiscard]] const GraphsOfFile& graphs() const { return m_open.graphs; }
    void openOther(const QString& graph); ///< Another graph of the same file, by the policies that were chosen.
    /// The report before the last change of choices, of the same graph: the ghost.
    [[nodiscard]] std::shared_ptr<const Report> previousReport() const { return m_open.before.report; }
    [[nodiscard]] PlanComparison& comparison() { return m_comparison; } ///< With that one, or with a file.
    [[nodiscard]] const PlanComparison& comparison() const { return m_comparison; }
    [[nodiscard]] std::shared_ptr<const RunResult> run() const { return m_open.run; }
    [[nodiscard]] std::shared_ptr<const Bisection> bisection() const { return m_open.bisection; }
    [[nodiscard]] const Choices& choices() const { return m_history.current().choices; }
    [[nodiscard]] const Said& said() const { return m_history.current().said; }
    [[nodiscard]] const PlanHistory& history() const { return m_history; }
    [[nodiscard]] PlanRequest request() const; ///< To plan by the choices.
    [[nodiscard]] const std::optional<Error>& error() const { return m_open.error; }
    [[nodiscard]] const Engine& engine() const { return m_engine; }
    [[nodiscard]] bool busy() const; ///< Reading, waiting for offers, or planning.
    /// Why the report is provisional: what the backends offer has a say, and is not known. Nothing where it is not.
    [[nodiscard]] const std::optional<Error>& provisional() const { return m_open.now.provisional; }
    /// The graph with its weights, and the plan that is judged: what must not be written over.
    [[nodiscard]] std::vector<std::filesystem::path> filesRead() const;
    [[nodiscard]] bool improved() const { return m_open.now.improved; } ///< See ShownPlan.

    /// Tries to change a choice; the error of setPolicy when it cannot be.
    Status setPolicy(const QString& id, const QString& value);
    void setDim(const QString& dim, std::int64_t size);
    void setShape(const QString& input, std::optional<Shape> shape); ///< Nothing: as the file says.
    void setMaxStored(const QString& value, std::int64_t most);      ///< Of a sparse value; below 0: as the file says.
    void setChoices(Choices choices, const QString& what = {});      ///< See Edit.
    /// Reads a plan that was made elsewhere and judges it from then on; reportChanged or replanFailed follows.
    void judgePlan(const QString& file);
    void makeOwnPlan(); ///< Goes back from a plan that was given.
    /// Judges from then on the plan that is shown, changed as \p what says; the error says why it cannot be.
    Status editPlan(const PlanEdit& edit, const QString& what);
    Status layApart(const Finding& finding); ///< With one side of it in bytes of its own.
    void undo() { goTo(m_history.before()); }
    void redo() { goTo(m_history.next()); }
    void goTo(std::size_t edit); ///< Of history().
    [[nodiscard]] bool canUndo() const { return m_history.canUndo(); }
    [[nodiscard]] bool canRedo() const { return m_history.canRedo(); }

    /// What the backends offer for these choices; planned with until other choices, or another graph, ask anew.
    void setCatalogue(std::shared_ptr<const Catalogue> catalogue);
    void planWithoutOffers(Error why); ///< The plan is provisional.
    void stopWaiting();                ///< The user wants no offers: as giveUp(), or a plan without them.
    void askForOffersAgain();
    /// The user wants no more of what is under way: back to the choices that the report is of; without one, no graph.
    void giveUp();
    /// Shows a plan that is no higher and of the same choices; the ghost is the one before the first of them.
    void improve(std::shared_ptr<const Report> report);
    void setSaid(Said said, const QString& what); ///< Undone as choices are; nothing is planned.
    void setRun(std::shared_ptr<const RunResult> run);
    void setBisection(std::shared_ptr<const Bisection> found);
    /// The report with the run in it, as the writers want it.
    [[nodiscard]] std::shared_ptr<const Report> reportWithRun() const;

Q_SIGNALS:
    void opening(const QString& file);
    void graphOpened();                              ///< A file was read; its report follows.
    void offersWanted();                             ///< Of the file with the choices as they are now.
    void offersUnwanted();                           ///< That were asked for last.
    void planStarted();                              ///< What is planned otherwise now is of old choices.
    void reportChanged();                            ///< report() is new.
    void openFailed(const plimsoll::Error& error);   ///< There is no graph, or it cannot be planned at all.
    void replanFailed(const plimsoll::Error& error); ///< The last report stays; so it does where the file is gone.
    void choicesChanged();
    void findingsChanged(); ///< report() has others of the same plan.
    void runChanged();      ///< Or what bisecting has found.
    void closing();         ///< All is still there.
    void closed();

private:
    void begin(QString file, PlanHistory history, QString planFile = {});
    void read();
    void watch();
    /// With the plan that is judged first: one that was asked for, or that the file brings.
    void accept(Result<FormatContent> opened);
    void adopt(PlanFile* plan);
    void judge(PlanFile plan, const QString& what = {});
    void plan(bool keepGhost = false); ///< Once the offers for the choices are there.
    void planNow();
    void planAnew(); ///< By other choices.
    void follow(const Edit& before);
    void dropOffers();
    void keepPlan();
    void accept(Result<ColouredPlan> planned);
    void showNewReport();
    bool forgetRuns(); ///< Whether there were any.
    void dropRun();
    [[nodiscard]] std::shared_ptr<const Report> marked(std::shared_ptr<const Report> report) const;
    void joinRuns(); ///< What they have shown stands among the findings.
    void fail(Error error);

    Engine m_engine;
    JobRunner& m_jobs;
    QFileSystemWatcher m_watcher;
    QTimer m_settle; ///< Editors write a file in several steps, and may take it away in between.
    PlanHistory m_history;
    bool m_asksForOffers = false;
    /// Of the file that is open.
    struct
    {
        QString file;
        QString planFile;                     ///< Empty where none was asked for.
        std::pair<QDateTime, qint64> changed; ///< When it was read.
        KnownOffers offers;
        bool waits = false;    ///< For them.
        bool restored = false; ///< With what was chosen before.
        bool keepGhost = false;
        std::shared_ptr<const Graph> graph;
        GraphsOfFile graphs;
        ShownPlan now;
        ShownPlan before;                    ///< The last change of choices: the ghost.
        std::shared_ptr<const Report> shown; ///< That of now, with findings of runs.
        std::shared_ptr<const RunResult> run;
        std::shared_ptr<const Bisection> bisection;
        std::optional<Error> error;
    } m_open;
    PlanComparison m_comparison;
};

} // namespace plimsoll::app
