#pragma once

#include "app/session/catalogue_job.h"
#include "app/session/freeing_job.h"
#include "app/session/job_runner.h"
#include "app/session/policy_costs.h"
#include "app/session/run_job.h"
#include "app/session/selection.h"
#include "app/session/session.h"

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
    FreeingJob freeing;
    RunJob run;
    CatalogueJob catalogue;

    /// Nothing that changes the plan is under way.
    [[nodiscard]] bool settled() const { return !session.busy() && !catalogue.running(); }
    void startRun(RunRequest request); ///< File and choices are filled in.

Q_SIGNALS:
    void changed(); ///< settled() may have changed.

private:
    void askForOffers();
    void carrySelection();

    std::shared_ptr<const Report> m_shown;
};

} // namespace plimsoll::app
