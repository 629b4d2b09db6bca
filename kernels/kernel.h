#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/plan/implementation.h"
#include "kernels/tensor_view.h"

#include <cstdint>
#include <span>

namespace plimsoll::kernels {

/// What a kernel is about to do.
struct Effort
{
    double operations = 0;  ///< A product that is added, an element that is looked at.
    double perSecond = 4e9; ///< More than any machine makes: what is refused for its time could not have ended.

    [[nodiscard]] double seconds() const { return operations / perSecond; }
};

/// What a kernel sees of one node at one step. The executor makes it; kernels never see arenas or plans.
///
/// A kernel first asks for its outputs, with the type it computed from its inputs: for a planned value the executor
/// checks it against the plan's type and hands out the planned bytes; for an unplanned one it allocates. So a wrong
/// inferred shape is an Error, never an overrun. Input and output bytes may be the same where an in-place trait of the
/// operator (core/ops) allows it for that pair, so kernels with such a trait must work element by element or say so.
///
/// A kernel that takes more than a few operations for each element of its tensors announces them before its loops.
class KernelCall
{
public:
    virtual ~KernelCall() = default;

    [[nodiscard]] virtual const Graph& graph() const = 0;
    [[nodiscard]] virtual const Node& node() const = 0;
    /// Opset version of the node's domain in this graph.
    [[nodiscard]] virtual std::int64_t opset() const = 0;

    /// Inputs that are absent, or beyond the last one, are RuntimeValue::Kind::Absent.
    [[nodiscard]] virtual const RuntimeValue& input(std::size_t index) const = 0;
    [[nodiscard]] virtual std::size_t inputCount() const = 0;

    [[nodiscard]] virtual bool wantsOutput(std::size_t index) const = 0; ///< False where it has no name.
    [[nodiscard]] virtual Result<TensorView> output(std::size_t index, DType dtype, const Shape& shape) = 0;
    /// For values that are no tensors: sequences and optionals.
    virtual Status setOutput(std::size_t index, RuntimeValue value) = 0;

    /// An Error where that cannot end in the time that is left; without a limit there is none.
    [[nodiscard]] virtual Status announce(const Effort& /*effort*/) const { return {}; }

    /// Bytes of the tensor attribute or constant, read (and kept) on first use.
    [[nodiscard]] virtual Result<TensorView> literal(const TensorLiteral& literal) = 0;

    /// The scratchpad that the implementation asked for at planning time; empty for the reference.
    [[nodiscard]] virtual std::span<std::byte> scratchpad() = 0;

    /// Seed of this node's random numbers in this run: the same for the planned run and for the oracle.
    [[nodiscard]] virtual std::uint64_t seed() const = 0;
};

using KernelFunction = Status (*)(KernelCall&);

/// One operator of one dialect and the function that computes it.
struct KernelEntry
{
    std::string_view domain; ///< "" for ONNX
    std::string_view op;
    KernelFunction run = nullptr;
};

/// The reference kernel of an operator, or nullptr. Covers every opset version: kernels look at KernelCall::opset().
[[nodiscard]] KernelFunction findReferenceKernel(std::string_view domain, std::string_view op);

} // namespace plimsoll::kernels
