#pragma once

#include "kernels/common/convolution_plan.h"
#include "kernels/common/formula/formula_program.h"
#include "kernels/common/matmul_plan.h"
#include "kernels/common/movement.h"

namespace plimsoll::kernels {

class FormulaScope;

/// A matrix, or a batch of them, and whether its last two dimensions are read the other way round.
struct FormulaFactor
{
    FormulaValue value;
    bool transposed = false;

    [[nodiscard]] Shape shape() const;
};

/// The view that has the last two dimensions the other way round.
[[nodiscard]] PermutedView transposedView(const Shape& shape);

/// One of the three tensors of a convolution, from the two others.
struct FormulaConvolution
{
    Convolution layer;
    ConvolutionSide made = ConvolutionSide::Windows;
    const FormulaValue* planes = nullptr; ///< Absent where it is what is made, as are the others.
    const FormulaValue* weights = nullptr;
    const FormulaValue* windows = nullptr;
};

/// Which elements are normalized together, and how: \c count groups of \c runs runs of \c run neighbours, \c stride
/// apart.
///
///     channels of [N, C, H, W]:  C groups of N runs of H · W, C · H · W apart
///     rows:                      as many groups of 1 run
struct Normalization
{
    std::int64_t count = 1;
    std::int64_t runs = 1;
    std::int64_t run = 1;
    std::int64_t stride = 0;
    bool centred = true;
    double epsilon = 0;
};

/// What a backend computes of formulas. Which steps a formula takes, in which order and with which shapes is said once
/// for all backends, in formula_scope.cpp and formula_functions.cpp. Arguments are written out in the backend's type,
/// but for indices, labels and weights of classes.
struct FormulaSteps
{
    using Value = FormulaValue;
    using Scope = FormulaScope;

    DType dtype = DType::Unknown; ///< That it computes in.
    /// Whether it can read a tensor of that type.
    bool (*reads)(DType dtype) = nullptr;
    /// Has an input of the node in the memory of the host from here on.
    Status (*readOnHost)(const Scope&, std::size_t input) = nullptr;
    /// Every element of \p shape, which the operands broadcast to; into \p out where that is given.
    Result<Value> (*compute)(const Scope&, const FormulaProgram& program, const Shape& shape,
                             const TensorView* out) = nullptr;
    /// The sum over the dimensions that go.
    Result<Value> (*reduced)(const Scope&, const Value& x, const std::vector<bool>& gone) = nullptr;
    Result<Value> (*permuted)(const Scope&, const Value& x, const PermutedView& view) = nullptr;
    Result<Value> (*multiplied)(const Scope&, const MatMulPlan& plan, const FormulaFactor& a,
                                const FormulaFactor& b) = nullptr;
    Result<Value> (*convolved)(const Scope&, const FormulaConvolution& side) = nullptr;
    Result<Value> (*averagePoolBack)(const Scope&, const Windows& windows, const Value& g) = nullptr;
    Result<Value> (*maxPoolBack)(const Scope&, const Windows& windows, const Value& g, const Value& x) = nullptr;
    /// The normalized numbers of x; or, where g is given, the gradient of what was normalized.
    Result<Value> (*normalized)(const Scope&, const Normalization& how, const Value& x, const Value* g) = nullptr;
    /// The gradient of the scores. \p scores are absent where they are logarithms of probabilities.
    Result<Value> (*lossBack)(const Scope&, const Value& g, const Value* scores, const Value& labels,
                              const Value* weights) = nullptr;
    /// Slices of x, and elements of x, at \p indices along \p axis.
    Result<Value> (*picked)(const Scope&, const Value& x, const Value& indices, std::int64_t axis) = nullptr;
    Result<Value> (*pickedElements)(const Scope&, const Value& x, const Value& indices, std::int64_t axis) = nullptr;
    Result<Value> (*runningSum)(const Scope&, const Value& x, std::int64_t axis, bool exclusive,
                                bool reverse) = nullptr;
    /// Of tensors of one shape, along an axis of three behind which \p inner elements lie.
    Result<Value> (*crossed)(const Scope&, const Value& a, const Value& b, std::int64_t inner) = nullptr;
    /// Of operators that move elements: the incoming gradient back where they came from.
    Result<Value> (*movedBack)(const Scope&, const Value& g) = nullptr;
    /// Of Resize and Upsample: every place of the old picture gets from the places that are made of it.
    Result<Value> (*resizedBack)(const Scope&, const Value& g) = nullptr;
};

/// A function of whole tensors.
using FormulaArguments = std::span<const FormulaValue>;
using TensorFunction = Result<FormulaValue> (*)(const FormulaScope&, FormulaArguments);
[[nodiscard]] TensorFunction findTensorFunction(std::string_view name);

} // namespace plimsoll::kernels
