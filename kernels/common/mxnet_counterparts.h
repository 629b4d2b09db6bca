#pragma once

#include "core/graph/graph.h"

#include <span>
#include <string_view>

namespace plimsoll::kernels {

/// An operator of MXNet and the one of ONNX that computes it, without any attribute.
struct Counterpart
{
    enum class Kind {
        Operands,    ///< Of the same inputs.
        Scalar,      ///< The second operand is the attribute scalar, …
        ScalarFirst, ///< … or the first.
        Activation,  ///< By the attribute act_type of Activation, which \c op is.
        Reshaped,    ///< The same elements in the same order, in the shape and type of the output.
    };
    Kind kind = Kind::Operands;
    std::string_view op;
    std::string_view onnx;
};
[[nodiscard]] std::span<const Counterpart> mxnetCounterparts();
/// nullptr where there is none.
[[nodiscard]] const Counterpart* findCounterpart(const Node& node);

/// The operator of ONNX that makes of the same inputs what a node of MXNet makes of them; empty where there is none.
[[nodiscard]] std::string_view plainCounterpart(const Node& node);

} // namespace plimsoll::kernels
