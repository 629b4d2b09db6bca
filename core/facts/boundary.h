#pragma once

#include "core/facts/report.h"

#include <string_view>
#include <vector>

namespace plimsoll {

/// The first step of the backward graph: what is alive there was kept. -1 where there is none.
[[nodiscard]] std::int64_t boundaryStep(const Report& report);

/// Where forward turns to backward, or back again: once in a training graph, more often where it is called several
/// times.
struct PassTurn
{
    std::int64_t step = 0;
    bool backward = true;
};
[[nodiscard]] std::vector<PassTurn> passTurns(const Report& report);

/// What stands before a node's operator: "∂ " in the backward graph, "↻ " where it computes anew what is not kept.
[[nodiscard]] std::string_view passMark(const Report& report, NodeId node);

} // namespace plimsoll
