#pragma once

#include "core/ops/trait_table.h"
#include "core/plan/program.h"

#include <span>
#include <utility>
#include <vector>

namespace plimsoll {

/// One pair that may share: a node's output and the input it could lie on.
struct Pair
{
    NodeId node;
    AliasKind kind = AliasKind::MayBeInPlace;
    int inputPosition = 0; ///< -1, and so the output's: the node hands over between itself and a body.
    int outputPosition = 0;
    ValueId input;
    ValueId output;
    std::int64_t step = 0;
    std::span<const AliasTrait> traits; ///< Of the node; none where it hands over.
    bool repeats = false;               ///< Both are outputs: the node hands over the same as the one and the other.
    SubBuffer part {};                  ///< Of kind Part: which of the two lies in the other, and where.

    [[nodiscard]] bool handsOver() const { return inputPosition < 0; }
};

/// What the step copies between an owner and its body, from and to.
[[nodiscard]] std::vector<std::pair<ValueId, ValueId>> handoversAt(const Graph& graph, const Step& step);

/// The pairs of one step: what the node there may write over or repeat, what it may leave inside of something else, or
/// what is handed over.
[[nodiscard]] std::vector<Pair> pairsAt(const Graph& graph, const Step& here, std::int64_t step,
                                        const TraitTable& traits);

} // namespace plimsoll
