#pragma once

#include "core/verify/verifier.h"

#include <random>

namespace plimsoll::test {

/// How one run decides what the graph leaves open.
struct RunChoice
{
    std::uint32_t branches = 0; ///< Seed: what each condition is, and so which branches its Ifs take.
    int trips = 2;              ///< Of every loop.
};

/// Executes a graph byte for byte in the memory that a plan describes, with hashes for operators: the slow truth that
/// the verifier is held against. Shares no code with it. Nodes are as unkind as a kernel may be: they spoil their
/// outputs and scratchpads before they read what may not lie under them.
///
/// Returns a digest of everything that is read, in order, and of the graph outputs at the end.
[[nodiscard]] std::vector<std::uint64_t> runOnMachine(const Graph& graph, const MemoryMap& map, RunChoice choice);

/// A random graph of opaque operators with in-place, identity and view outputs, Ifs and Loops, all values 64 bytes but
/// views (32 bytes from byte 16) and stacked outputs (three slices). Several Ifs may have one condition.
[[nodiscard]] Graph randomGraph(std::mt19937& random);

} // namespace plimsoll::test
