#include "core/pipeline.h"

namespace plimsoll {

Result<Report> analyse(const Graph&, const PlanRequest&, const Context&)
{
    return Error {ErrorCode::Internal, "not yet", {}, {}};
}

} // namespace plimsoll
