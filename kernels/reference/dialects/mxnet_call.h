#pragma once

#include "kernels/common/call_tools.h"

/// MXNet's operators in terms of ONNX's: a kernel of ours translates its attributes, runs the kernel of the counterpart
/// on copies of its outputs, and hands over the results in the shapes and types of the plan.
namespace plimsoll::kernels {

/// One run of an ONNX operator. Inputs own their memory, or are views of what lives longer.
struct OnnxRun
{
    std::string op;
    Attributes attributes;
    std::vector<RuntimeValue> inputs;
    std::size_t outputs = 1;
    std::string domain {};
};

/// The results; each owns its memory.
[[nodiscard]] Result<std::vector<RuntimeValue>> runOnnx(KernelCall& call, OnnxRun run);

/// An input of the node, with another shape if one is given.
[[nodiscard]] Result<RuntimeValue> mxnetInput(const KernelCall& call, std::size_t index);
[[nodiscard]] Result<RuntimeValue> mxnetInput(const KernelCall& call, std::size_t index, const Shape& shape);
[[nodiscard]] Result<RuntimeValue> listValue(const std::vector<std::int64_t>& numbers); ///< int64

/// Writes a result in the shape and type of the plan, which the inference of the dialect knows; its own where there is
/// no plan for it.
[[nodiscard]] Status give(KernelCall& call, std::size_t output, const TensorView& tensor);
/// Fills an output of known type with one number; does nothing where it has no name.
[[nodiscard]] Status fill(KernelCall& call, std::size_t output, double number);

/// Runs \p run and gives its first result as output 0.
[[nodiscard]] Status translate(KernelCall& call, OnnxRun run);

} // namespace plimsoll::kernels
