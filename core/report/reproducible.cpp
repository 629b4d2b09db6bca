#include "core/report/reproducible.h"

#include <limits>

namespace plimsoll {
namespace {

constexpr double Untold = std::numeric_limits<double>::quiet_NaN();

} // namespace

void leaveOutTimes(std::vector<Incumbent>& history)
{
    for (Incumbent& entry : history)
        entry.seconds = Untold;
}

void leaveOutTimes(RunResult& run)
{
    run.stepMs.clear();
    for (RunResult::Copies& copies : run.copies)
        copies.ms = Untold;
    for (RunResult::Held& held : run.held)
        held.driverBytes.reset();
    if (run.launched) run.launched->eagerMs = run.launched->captureMs = run.launched->replayMs = Untold;
}

void leaveOutTimes(Report& report)
{
    report.planning.ms = Untold;
    report.planning.environment.clear();
    if (report.planning.search) {
        report.planning.search->seconds = Untold;
        leaveOutTimes(report.planning.search->history);
    }
    if (report.run) leaveOutTimes(*report.run);
}

} // namespace plimsoll
