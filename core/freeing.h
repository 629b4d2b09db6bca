#pragma once

#include "core/pipeline.h"

namespace plimsoll {

/// One change after which a tensor is no longer kept from forward to backward.
struct Freeing
{
    enum class Kind {
        Policy, ///< policy=value
        Freeze, ///< The variable requires no gradient.
    };
    Kind kind = Kind::Policy;
    std::string what;               ///< "saved=exact", or the name of the variable.
    std::int64_t boundaryBytes = 0; ///< Of the plan that was made for it…
    std::int64_t peakBytes = 0;     ///< …and its height.
};

/// What would free the value of that name: every other choice of the policy saved, and freezing one variable, as far as
/// the value is not kept then. Each is planned for real; the lowest plan first. \p captured is the graph before
/// analysis. Variables beyond the first 200 are not tried.
[[nodiscard]] Result<std::vector<Freeing>> whatWouldFree(const Graph& captured, const PlanRequest& request,
                                                         std::string_view value, const Context& context);

} // namespace plimsoll
