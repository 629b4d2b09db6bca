#pragma once

#include "core/report/report.h"

#include <string_view>

namespace plimsoll {

/// The first step of the backward graph: what is alive there was kept. -1 where there is none.
[[nodiscard]] std::int64_t boundaryStep(const Report& report);

/// What stands before a node's operator: "∂ " in the backward graph, "↻ " where it computes anew what is not kept.
[[nodiscard]] std::string_view passMark(const Report& report, NodeId node);

} // namespace plimsoll
