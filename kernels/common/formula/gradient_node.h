#pragma once

#include "kernels/common/formula/formula_scope.h"

namespace plimsoll::kernels {

/// The attributes of a backward node, read once.
struct GradientNode
{
    std::vector<std::string> names;     ///< By input.
    std::vector<std::string> variables; ///< By output.
    std::vector<Formula> formulas;      ///< By output.
    std::vector<std::int64_t> onto;     ///< By output: the input that it is added to, or -1.
};
[[nodiscard]] Result<GradientNode> readGradientNode(const KernelCall& call);

/// Whether the output is declared to be the bytes of the incoming gradient.
[[nodiscard]] bool isGradientView(const Node& node, std::size_t output);

/// The value of a formula on its way to an output: it is repeated where the output is larger, and multiplied.
struct BroughtGradient
{
    FormulaValue value;
    double times = 1;
    bool mayLieOver = false; ///< The output is written as the formula is computed, element by element.
    bool inPlace = false;    ///< And nothing is left to do.
};
/// Summed where \p shape, of the output, has 1. Into \p out where that is given and the value needs nothing more.
[[nodiscard]] Result<BroughtGradient> bringGradient(const Formula& formula, const FormulaScope& scope,
                                                    const Shape& shape, const TensorView* out = nullptr);

} // namespace plimsoll::kernels
