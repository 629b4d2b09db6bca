#pragma once

#include "app/session/bisect_job.h"
#include "app/session/catalogue_job.h"
#include "app/session/freeing_job.h"
#include "app/session/job_runner.h"
#include "app/session/policy_costs.h"
#include "app/session/recorded_run.h"
#include "app/session/run_job.h"
#include "app/session/search_job.h"
#include "app/session/selection.h"
#include "app/session/session.h"
#include "app/session/trade_off_job.h"

#include <QTemporaryFile>

namespace plimsoll::app {

/// Everything of a window that is not seen, and the few threads between: an opened graph asks for its catalogue, a new
/// report carries the selection over, a finished run joins the session.
class Workbench : public QObject
{
    Q_OBJECT

public:
    explicit Workbench(Engine engine, QObject* parent = nullptr);

    JobRunner jobs;
    Selection selection;
    Session session;
    PolicyCosts costs;
    SearchJob search;
    FreeingJob freeing;
    TradeOffJob tradeOffs;
    RunJob run;
    BisectJob bisect;
    RecordedRun recorded; ///< What the last run left, step by step.
    struct
    {
        CatalogueJob estimated;
        CatalogueJob measured; ///< The same with the times of this machine, when asked for.
    } offers;

    void measureOffers();
    /// Nothing that changes the plan is under way.
    [[nodiscard]] bool settled() const { return !session.busy() && !offers.estimated.running(); }
    /// File and choices are filled in. The error says why a plan that is in no file cannot be handed over.
    [[nodiscard]] Status startRun(RunRequest request);
    /// The last run once more, with the bytes kept from that step on.
    [[nodiscard]] Status runAgain(std::int64_t step);
    [[nodiscard]] const RunRequest& lastRun() const { return m_kept.run; }
    /// One that a session kept, of the plan that is shown. \p record: null without one.
    void restoreRun(RunRequest request, std::shared_ptr<const RunResult> result,
                    std::shared_ptr<const SavedRecord> record);
    [[nodiscard]] Status startBisection(RunRequest request);
    /// The plan is executed: once, or again and again to find what is wrong with it.
    [[nodiscard]] bool runs() const { return run.running() || bisect.running(); }
    void stopRuns();

Q_SIGNALS:
    void changed();     ///< settled() may have changed.
    void runRestored(); ///< lastRun() is how that one was run.

private:
    void askForOffers();
    void carrySelection();
    Status complete(RunRequest& request);

    struct
    {
        std::shared_ptr<const Report> shown;  ///< What the selection has ids of.
        std::shared_ptr<const Report> judged; ///< What is run is its plan.
        QTemporaryFile plan; ///< One that was searched for or mended, for the child process that runs it.
        RunRequest run;      ///< The last one.
    } m_kept;
};

} // namespace plimsoll::app
