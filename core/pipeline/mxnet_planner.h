#pragma once

#include "core/pipeline/stages.h"

/// What MXNet's planner went by, for placement=storage-reuse. Private to core/pipeline*.cpp.
namespace plimsoll::pipeline {

/// Gives the problem the rule for blocks, and the order in which MXNet asks for them and frees them: of the outputs of
/// a node the one with most elements asks first, the last of equal ones; inputs free theirs in order of their last
/// slot, then outputs without a reader. \p storages as in PlacedGraph.
void orderLikeMxnet(const Subject& subject, const std::vector<Storage>& storages, Problem& problem);

/// What MXNet would have done otherwise, wrongly or at a price: sentences. \p plan is the answer to placed.problem.
[[nodiscard]] std::vector<Message> mxnetNotes(const Subject& subject, const PlacedGraph& placed, const Plan& plan);

/// One decision for each match range that was tried.
void logMatchRanges(const Plan& plan, const DecisionLog& log);

} // namespace plimsoll::pipeline
