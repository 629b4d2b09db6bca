#include "app/cli/exit_status.h"

#include "core/facts/report.h"

namespace plimsoll::cli {

ExitStatus statusOf(ErrorCode code)
{
    switch (code) {
    case ErrorCode::BadUsage:
        return ExitStatus::Usage;
    case ErrorCode::Unsupported:
    case ErrorCode::Stopped:
        return ExitStatus::CannotRun;
    case ErrorCode::BadInput:
    case ErrorCode::Internal:
        break;
    }
    return ExitStatus::Unreadable;
}

ExitStatus statusOf(const Report& report)
{
    return countFindings(report, Severity::Error) > 0 ? ExitStatus::Findings : ExitStatus::Fine;
}

} // namespace plimsoll::cli
