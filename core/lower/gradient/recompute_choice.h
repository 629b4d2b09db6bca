#pragma once

#include "core/lower/byte_families.h"
#include "core/lower/gradient/recompute.h"

#include <string_view>

namespace plimsoll {

/// What becomes of a tensor that backward reads.
enum class RecomputeVerdict : std::uint8_t {
    Recomputed,
    NoLess,    ///< As much would be kept to compute it from.
    Costly,    ///< Its operator is not cheap, or unknown.
    Random,    ///< Computed again it would be another.
    Changed,   ///< It, or what it is computed from, is written in place.
    Callers,   ///< An input, a parameter or a constant: it is there anyway.
    Output,    ///< A graph output: it is there anyway.
    TooDeep,   ///< The row of tensors that follow from each other would be too long.
    NotWanted, ///< Only values by name are wanted.
};
[[nodiscard]] std::string_view recomputeRule(RecomputeVerdict verdict); ///< "no-less"

/// By ValueId, of roots of families: those that backward computes anew, and why others that it reads are not.
struct RecomputeChoice
{
    std::vector<bool> anew;
    std::vector<RecomputeVerdict> verdicts;
};

/// \p begin is the position in the order of the top at which the backward graph begins.
[[nodiscard]] RecomputeChoice chooseRecomputed(const Graph& graph, const ByteFamilies& families, std::size_t begin,
                                               const std::vector<SavedTensor>& saved, const RecomputeRequest& request);

} // namespace plimsoll
