#include "kernels/common/call_tools.h"
#include "kernels/common/moved_elements.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/reference/reorder.h"
#include "kernels/reference/special/sparse_kernels.h"

namespace plimsoll::kernels {
namespace {

constexpr std::string_view Domain = "plimsoll";

/// An operator that writes its first input computes what ONNX's of the name without the underscore does; its output is
/// the input's bytes.
Status likeOnnx(KernelCall& call)
{
    const std::string_view op = call.node().op;
    const KernelFunction run = findReferenceKernel("", op.substr(0, op.size() - 1));
    return run ? run(call) : refuse(call, say("kernel.no-in-place-kernel"));
}

/// x becomes the other input, which broadcasts to it.
Status copyInto(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(source, inputTensor(call, 1));
    if (source.dtype != x.dtype || broadcastShape(source.shape, x.shape) != x.shape) {
        return refuse(call, say("kernel.copy-misfit", describe(source), describe(x)));
    }
    PLIMSOLL_ASSIGN(out, call.output(0, x.dtype, x.shape));
    copyRegion({source, 0, broadcastStrides(source.shape, x.shape)}, {out, 0, rowMajorStrides(x.shape)}, x.shape);
    return {};
}

Status zero(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(out, call.output(0, x.dtype, x.shape));
    fillZero(out);
    return {};
}

/// The number comes as second input or as the attribute "value".
Status fill(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    const TensorView* const given = optionalInput(call, 1);
    if (given && isInteger(given->dtype) && isInteger(x.dtype)) {
        const std::vector<std::int64_t> numbers(static_cast<std::size_t>(x.elements()), intInput(call, 1, 0));
        return writeIntegers(call, 0, x.dtype, x.shape, numbers);
    }
    const double value = scalarInput(call, 1, floatAttribute(call, "value", 0));
    PLIMSOLL_ASSIGN(out, call.output(0, x.dtype, x.shape));
    const std::vector<double> numbers(static_cast<std::size_t>(out.elements()), value);
    storeNumbers(numbers.data(), out);
    return {};
}

Status detach(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    return writeReshaped(call, 0, x, x.shape);
}

Status fillRows(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    Shape shape = x.shape;
    const std::int64_t rows = intAttribute(call, "rows", 0);
    if (shape.empty() || shape.front() > rows)
        return refuse(call, say("kernel.no-place-in-rows", describe(x), word::Number(rows)));
    shape.front() = rows;
    PLIMSOLL_ASSIGN(out, call.output(0, x.dtype, shape));
    fillZero(out);
    copyRegion({x, 0, rowMajorStrides(x.shape)}, {out, 0, rowMajorStrides(shape)}, x.shape);
    return {};
}

constexpr KernelEntry PlimsollKernels[] = {
    {Domain, "Add_", likeOnnx},
    {Domain, "Clamp_", [](KernelCall& call) { return findReferenceKernel("", "Clip")(call); }},
    {Domain, "Copy_", copyInto},
    {Domain, "Detach", detach},
    {Domain, "Div_", likeOnnx},
    {Domain, "Exp_", likeOnnx},
    {Domain, "Fill_", fill},
    {Domain, "Mul_", likeOnnx},
    {Domain, "Neg_", likeOnnx},
    {Domain, "Relu_", likeOnnx},
    {Domain, "Sigmoid_", likeOnnx},
    {Domain, "Sub_", likeOnnx},
    {Domain, "Tanh_", likeOnnx},
    {Domain, "Zero_", zero},
    {Domain, "FillRows", fillRows},
    {Domain, "Data", detach},
    {Domain, "Reorder", reorder},
    {Domain, "CastStorage", castDense},
    {Domain, "Retain", retainDense},
    {Domain, "Elu_", likeOnnx},
    {Domain, "LeakyRelu_", likeOnnx},
    {Domain, "CopyTo", detach},
};

} // namespace

constinit const KernelTable plimsollKernels = PlimsollKernels;

} // namespace plimsoll::kernels
