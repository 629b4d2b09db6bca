#pragma once

#include "app/session/run_job.h"
#include "core/formats/plimsoll/session_json.h"

namespace plimsoll {
struct Report;
}

namespace plimsoll::app {

/// The last run, as it stands in a window.
struct ShownRun
{
    std::shared_ptr<const Report> report; ///< Of the plan that ran.
    RunRequest request;
    std::shared_ptr<const RunResult> result; ///< Null: nothing was run.
    QString recordFile;                      ///< Empty: nothing was recorded.
};

/// As a session keeps it. For a worker: the record is read.
[[nodiscard]] SavedRun savedRun(const ShownRun& run);

/// Back from there.
struct RestoredRun
{
    std::string planDigest;
    RunRequest request;
    std::shared_ptr<const RunResult> result;
    std::shared_ptr<const SavedRecord> record; ///< Null: there is none…
    Message note {};                           ///< …and why, where it was left out.
};
[[nodiscard]] Result<RestoredRun> restoredRun(const SavedRun& saved);

} // namespace plimsoll::app
