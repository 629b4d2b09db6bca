#pragma once

#include "kernels/common/formula/formula_scope.h"

/// Steps of formulas that are layers of networks, as plain loops.
namespace plimsoll::kernels {

/// The steps of formulas as plain loops in double precision, in memory of the host.
[[nodiscard]] const FormulaSteps& hostSteps();

/// Zeros in memory of the host.
[[nodiscard]] FormulaValue hostValue(const Shape& shape);
[[nodiscard]] inline double* roomOf(const FormulaValue& value)
{
    return static_cast<double*>(value.data);
}
/// Runs the reference kernel of the inner node.
[[nodiscard]] Status runReference(InnerCall& call);

[[nodiscard]] Result<FormulaValue> convolvedOnHost(const FormulaScope& scope, const FormulaConvolution& side);
[[nodiscard]] Result<FormulaValue> averagePoolBackOnHost(const FormulaScope& scope, const Windows& windows,
                                                         const FormulaValue& g);
[[nodiscard]] Result<FormulaValue> maxPoolBackOnHost(const FormulaScope& scope, const Windows& windows,
                                                     const FormulaValue& g, const FormulaValue& x);
[[nodiscard]] Result<FormulaValue> normalizedOnHost(const FormulaScope& scope, const Normalization& how,
                                                    const FormulaValue& x, const FormulaValue* g);
[[nodiscard]] Result<FormulaValue> lossBackOnHost(const FormulaScope& scope, const FormulaValue& g,
                                                  const FormulaValue* scores, const FormulaValue& labels,
                                                  const FormulaValue* weights);

} // namespace plimsoll::kernels
