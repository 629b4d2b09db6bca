#pragma once

#include "core/base/result.h"
#include "core/formats/packing/packing_table.h"
#include "core/graph/graph.h"
#include "core/plan/plan_file.h"

#include <optional>
#include <string>

namespace plimsoll {

/// A placement problem as a graph, so that it can be planned, judged and looked at like any other: one node for each
/// time at which bytes are taken, which writes them, and which reads those that are freed before the next. Two values
/// are alive together in it exactly when their buffers are.
///
///     id,lower,upper,size,gaps       t=0: a            a   [0, 3)
///     a,0,9,64,3-6              →    t=3: b
///     b,3,7,32                       t=6: a#2 = a      a#2 [6, 9): a in the same bytes, written anew
///
/// What asked for bytes, where a table knows it, becomes Provenance::source, or where a node writes several values the
/// attribute "sources" by output; for how many bytes, the attribute "requested". Values of a record live on its device,
/// and what its allocator did is in Graph::extra (see allocator_record.h).
/// Alignments become those of the values. Offsets pin them, unless every row has one: then the table brings a plan to
/// be judged, see packingPlan().
[[nodiscard]] Result<Graph> packingGraph(PackingTable table, std::string name);

/// The plan that a table brings where every row has an offset, by the names of packingGraph().
[[nodiscard]] std::optional<PlanFile> packingPlan(const PackingTable& table);

} // namespace plimsoll
