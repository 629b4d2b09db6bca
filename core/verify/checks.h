#pragma once

#include "core/verify/walk.h"

namespace plimsoll::verifying {

/// What can be told of each placement alone: undersized, misaligned, beyond its arena, missing-allocation.
void checkPlacements(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings);

/// Arenas above their capacity: one finding for each interval of steps in which something lies above the line, that
/// with the most bytes in use first. Says so where what is in use at one step is already more than the capacity.
[[nodiscard]] std::vector<Finding> checkCapacities(const PlanFacts& facts, const Walk& walk);

/// What the caller would notice: output-aliasing, output-aliases-input, and inputs that the graph itself changes.
void checkBoundary(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings);

/// Whether every reader takes a value in the layout in which it was written, and what is handed out is plain:
/// padding-visible.
void checkLayouts(const PlanFacts& facts, std::vector<Finding>& findings);

/// Whether every node reads and writes the memory that it computes in, and copies stand where values cross:
/// wrong-space.
void checkSpaces(const PlanFacts& facts, std::vector<Finding>& findings);

/// Whether a node that computes others too reads what they read, and writes over no more than they may: clobbered-read,
/// false-identity. That nothing else wants what is fused away shows in the walk, where it has no place.
void checkFusion(const PlanFacts& facts, std::vector<Finding>& findings);

/// What is wrong with the graph whatever the plan: false-identity, dead-output.
void checkDeclarations(const PlanFacts& facts, std::vector<Finding>& findings);

/// What is given to the backward graph though something else holds it, or though nothing is to be given: donation.
void checkDonations(const PlanFacts& facts, std::vector<Finding>& findings);

/// Whether nodes of different streams that meet in some bytes wait for each other: overlap, uninitialised-read.
void checkStreams(const PlanFacts& facts, const Context& context, std::vector<Finding>& findings);

/// Outputs that the next replay of a captured plan writes over: output-dies-at-replay.
void checkReplays(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings);

/// Nodes that run before what they depend on, where a plan has an order of its own: order.
void checkOrder(const PlanFacts& facts, std::vector<Finding>& findings);
/// Whether the value is made behind that step: checkOrder() names who reads it too early.
[[nodiscard]] bool isMadeLater(const PlanFacts& facts, ValueId value, std::int64_t step);

/// What lies in bytes that are to be kept free: reserved.
void checkReserved(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings);

/// What lies elsewhere than the request wants it, or with what it is to be kept apart from: constraint.
void checkConstraints(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings);

/// What a policy of the program forbids, though the bytes are right: written-in-place, padded, output-in-arena.
void checkPolicies(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings);

/// The steps at which a value is in use: as walked, or of its producer where the walk did not get there.
[[nodiscard]] Interval stepsInUse(const PlanFacts& facts, const Walk& walk, ValueId value);

} // namespace plimsoll::verifying
