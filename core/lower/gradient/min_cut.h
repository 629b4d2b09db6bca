#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace plimsoll {

/// Vertices with weights and edges between them. Some are there anyway, some are wanted.
///
///     there ─► a(4) ─► b(4) ─► wanted      least cuts: {a} or {b}; {b} is the one nearest to what is wanted
struct CutProblem
{
    std::vector<std::int64_t> weights; ///< By vertex; not negative.
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    std::vector<bool> there;  ///< By vertex: paths begin here.
    std::vector<bool> wanted; ///< By vertex: paths end here.
};

/// By vertex, whether it belongs to the vertices of least total weight without which no path leads from what is there
/// to what is wanted; of several such sets the one nearest to what is wanted.
[[nodiscard]] std::vector<bool> nearestLeastCut(const CutProblem& problem);

} // namespace plimsoll
