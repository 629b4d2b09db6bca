#pragma once

#include "core/lower/gradient/backward.h"

#include <optional>

namespace plimsoll {

/// What the backward node of one forward node is made from.
struct BackwardRequest
{
    const Derivative& derivative;
    NodeId forward;
    SavingRule rule = SavingRule::Guarded;
    std::vector<ValueId> gradients; ///< By output of the forward node; invalid where none comes.
    std::vector<bool> wanted;       ///< By argument: an input of it requires a gradient.
    std::vector<bool> outputs;      ///< By input: whether its gradient has to be computed…
    std::vector<bool> whole;        ///< …and written out, broadcasts and all.
};

/// A backward node that stands in no graph yet.
struct BackwardNode
{
    struct Output
    {
        std::size_t input = 0; ///< Of the forward node, whose gradient it is.
        TensorType type;       ///< Perhaps smaller than the input: broadcasts are not written out.
        bool view = false;     ///< It is the bytes of the first input, the incoming gradient.
    };
    Node node;
    std::vector<Output> outputs;
    std::vector<SavedTensor> saved; ///< Without readBy.
};
[[nodiscard]] Result<BackwardNode> makeBackwardNode(const Graph& graph, const BackwardRequest& request);

/// The input positions that wait for a gradient; by output, whether one may come.
[[nodiscard]] std::vector<bool> inputsWithGradient(const Graph& graph, NodeId node, const Derivative& derivative,
                                                   const std::vector<bool>& requiresGrad);
[[nodiscard]] bool passesGradient(const Derivative& derivative, std::size_t output);

/// A node of the gradient domain with one formula over its inputs, "g", "g1", …, for a value of that shape.
[[nodiscard]] Node formulaNode(std::string op, std::string formula, std::size_t inputs, const Shape& shape);

/// \p from broadcasts to both; the smallest shape that a gradient for \p target can have.
[[nodiscard]] Shape fittedShape(const Shape& from, const Shape& target);

} // namespace plimsoll
