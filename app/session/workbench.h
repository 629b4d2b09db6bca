#pragma once

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
    RecordedRun recorded; ///< What the last run left, step by step.
    CatalogueJob catalogue;
    CatalogueJob measuring; ///< The same with the times of this machine, when asked for.

    void measureOffers();
    /// Nothing that changes the plan is under way.
    [[nodiscard]] bool settled() const { return !session.busy() && !catalogue.running(); }
    /// The error says why the plan that was searched for cannot be handed over.
    [[nodiscard]] Status startRun(RunRequest request); ///< File and choices are filled in.
    /// The last run once more, with the bytes kept from that step on.
    [[nodiscard]] Status runAgain(std::int64_t step);

Q_SIGNALS:
    void changed(); ///< settled() may have changed.

private:
    void askForOffers();
    void carrySelection();

    std::shared_ptr<const Report> m_shown;
    struct
    {
        RunRequest request;
        QTemporaryFile searchedPlan {}; ///< For the child process that runs it: it would find another.
    } m_lastRun;
};

} // namespace plimsoll::app
