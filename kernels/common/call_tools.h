#pragma once

#include "kernels/common/strides.h"
#include "kernels/kernel.h"

#include <optional>
#include <string>
#include <vector>

/// What kernels ask of their node: inputs, attributes, axes, and how they refuse.
namespace plimsoll::kernels {

/// An Error that names the node and its operator.
[[nodiscard]] Error refuse(const KernelCall& call, Message message);
[[nodiscard]] Error refuseType(const KernelCall& call, DType dtype);

/// The input's tensor, or nullptr where it is absent or no tensor.
[[nodiscard]] const TensorView* optionalInput(const KernelCall& call, std::size_t index);
/// The same, with an Error in place of nullptr.
[[nodiscard]] Result<TensorView> inputTensor(const KernelCall& call, std::size_t index);
/// An Error unless all of the first \p count inputs are tensors of one element type.
[[nodiscard]] Status requireSameType(const KernelCall& call, std::size_t count);
[[nodiscard]] Status requireRank(const KernelCall& call, const TensorView& tensor, std::size_t atLeast);

[[nodiscard]] std::int64_t intAttribute(const KernelCall& call, std::string_view name, std::int64_t fallback);
[[nodiscard]] double floatAttribute(const KernelCall& call, std::string_view name, double fallback);
[[nodiscard]] std::string textAttribute(const KernelCall& call, std::string_view name, std::string fallback);
[[nodiscard]] std::optional<std::vector<std::int64_t>> intsAttribute(const KernelCall& call, std::string_view name);
[[nodiscard]] std::optional<std::vector<double>> floatsAttribute(const KernelCall& call, std::string_view name);
[[nodiscard]] std::vector<std::string> textsAttribute(const KernelCall& call, std::string_view name);
[[nodiscard]] bool hasAttribute(const KernelCall& call, std::string_view name);

/// A list of integers that newer versions take as an input and older ones as an attribute; empty when neither is there.
[[nodiscard]] std::optional<std::vector<std::int64_t>> intsInputOrAttribute(const KernelCall& call, std::size_t input,
                                                                            std::string_view name);
/// The only element of an input, or the fallback when it is absent or empty.
[[nodiscard]] double scalarInput(const KernelCall& call, std::size_t index, double fallback);
[[nodiscard]] std::int64_t intInput(const KernelCall& call, std::size_t index, std::int64_t fallback);

/// The axis counted from the front; an Error unless it is in [-rank, rank).
[[nodiscard]] Result<std::int64_t> normalAxis(const KernelCall& call, std::int64_t axis, std::size_t rank);
/// Which dimensions a list of axes names.
[[nodiscard]] Result<std::vector<bool>> axisMask(const KernelCall& call, const std::vector<std::int64_t>& axes,
                                                 std::size_t rank);

/// ONNX's element type numbers (TensorProto.DataType), as attributes such as Cast's "to" name them.
[[nodiscard]] DType dtypeFromOnnx(std::int64_t number);

/// "float32[2,3]"
[[nodiscard]] std::string describe(const TensorView& tensor);

/// A copy that owns its memory.
[[nodiscard]] HostTensor ownedCopy(const TensorView& tensor);

/// One number without dimensions.
[[nodiscard]] HostTensor scalarTensor(DType dtype, double number);

/// Asks for an output and copies \p tensor into it, with another shape.
[[nodiscard]] Status writeReshaped(KernelCall& call, std::size_t output, const TensorView& tensor, const Shape& shape);
/// Writes numbers as an output of the given type.
[[nodiscard]] Status writeNumbers(KernelCall& call, std::size_t output, DType dtype, const Shape& shape,
                                  const std::vector<double>& numbers);
[[nodiscard]] Status writeNumbers(KernelCall& call, std::size_t output, DType dtype, const Shape& shape,
                                  const std::vector<float>& numbers);
[[nodiscard]] Status writeIntegers(KernelCall& call, std::size_t output, DType dtype, const Shape& shape,
                                   const std::vector<std::int64_t>& numbers);

} // namespace plimsoll::kernels
