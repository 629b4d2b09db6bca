#pragma once

#include "core/graph/graph.h"

#include <map>
#include <string>
#include <vector>

namespace plimsoll::kernels {

/// Nodes that were executed at least once, of those that are not computed ahead of the run.
struct NodesRun
{
    std::int64_t ran = 0;
    std::int64_t all = 0;
};
/// How many nodes all these runs executed.
[[nodiscard]] std::int64_t executions(const Graph& graph, const std::map<BodyId, std::int64_t>& runs);
[[nodiscard]] NodesRun nodesRun(const Graph& graph, const std::map<BodyId, std::int64_t>& runs);

/// The names of the others.
[[nodiscard]] std::vector<std::string> notRun(const Graph& graph, const std::map<BodyId, std::int64_t>& runs);

/// What a run says nothing about, since its inputs led it elsewhere: "Loop 'l' made 0 iterations: 4 nodes were not
/// run.", "If 'c' ran then_branch: 3 nodes of else_branch were not run." \p runs says how often each nested graph was
/// run. Nothing is said of what lies inside of one that was not.
[[nodiscard]] std::vector<Message> notRunNotes(const Graph& graph, const std::map<BodyId, std::int64_t>& runs);

} // namespace plimsoll::kernels
