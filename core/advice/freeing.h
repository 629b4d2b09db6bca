#pragma once

#include "core/facts/about.h"
#include "core/facts/english/english.h"
#include "core/pipeline/pipeline.h"

namespace plimsoll {

/// One change after which a tensor is no longer kept from forward to backward.
struct Freeing
{
    enum class Kind {
        Policy,    ///< Another value of a policy.
        Freeze,    ///< The variable requires no gradient.
        Recompute, ///< Backward computes the value anew.
        InPlace,   ///< Its reader writes over it, and keeps its own result.
    };
    Kind kind = Kind::Policy;
    std::string what;               ///< The policy, or the name of the variable, the value or the node.
    std::string choice {};          ///< The other value of the policy.
    std::int64_t boundaryBytes = 0; ///< Of the plan that was made for it…
    std::int64_t peakBytes = 0;     ///< …and its height.
    std::size_t nodes = 0;          ///< Recompute: so many run again…
    std::int64_t movedBytes = 0;    ///< …and read and write so much.
};

/// A way as one phrase: "freeze w", "recompute h: 2 nodes, 3,000 bytes moved", "relu in place".
[[nodiscard]] Message describe(const Freeing& way);

/// What would free a tensor that is kept from forward to backward, against the plan as it is.
[[nodiscard]] FactSection freeingSection(const Report& report, const std::vector<Freeing>& ways,
                                         RemedyWords words = optionWords);

/// What would free the value of that name: other choices of the policies saved and recompute, freezing one variable,
/// computing it anew, and its reader in place; as far as the value is not kept then, and nothing more goes wrong. Each
/// is planned for real; the lowest plan first. \p captured is the graph before analysis. Variables beyond the first 200
/// are not tried.
[[nodiscard]] Result<std::vector<Freeing>> whatWouldFree(const Graph& captured, const PlanRequest& request,
                                                         std::string_view value, const Context& context);

} // namespace plimsoll
