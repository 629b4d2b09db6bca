#include "kernels/reference/dialects/mxnet_call.h"

#include "kernels/common/inner_call.h"
#include "kernels/common/numbers.h"
#include "kernels/tensor_view.h"

namespace plimsoll::kernels {
namespace {

constexpr std::int64_t Opset = 21; ///< That the counterparts are taken from.
/// What the plan says that an output is.
const TensorType& plannedType(const KernelCall& call, std::size_t output)
{
    return call.graph()[call.node().outputs[output]].type;
}

} // namespace

Result<std::vector<RuntimeValue>> runOnnx(KernelCall& call, OnnxRun run)
{
    const KernelFunction kernel = findReferenceKernel(run.domain, run.op);
    if (!kernel) return refuse(call, say("kernel.no-counterpart", run.op));
    Node node = call.node();
    node.op = run.op;
    node.domain = run.domain;
    node.attributes = std::move(run.attributes);
    node.outputs.resize(run.outputs);
    InnerCall counterpart(call, std::move(node), std::move(run.inputs), Opset);
    PLIMSOLL_TRY(kernel(counterpart));
    return counterpart.takeResults();
}

Result<RuntimeValue> mxnetInput(const KernelCall& call, std::size_t index)
{
    PLIMSOLL_TRY(inputTensor(call, index));
    return call.input(index);
}

Result<RuntimeValue> mxnetInput(const KernelCall& call, std::size_t index, const Shape& shape)
{
    PLIMSOLL_ASSIGN(value, mxnetInput(call, index));
    if (elementCount(shape) != value.tensor.elements())
        return refuse(call, say("kernel.reshape-misfit", describe(value.tensor), plimsoll::describe(shape)));
    value.tensor.shape = shape;
    return value;
}

Result<RuntimeValue> listValue(const std::vector<std::int64_t>& numbers)
{
    HostTensor tensor(DType::Int64, {static_cast<std::int64_t>(numbers.size())});
    storeNumbers(numbers.data(), tensor.view());
    return tensorValue(std::move(tensor));
}

Status give(KernelCall& call, std::size_t output, const TensorView& tensor)
{
    if (!call.wantsOutput(output)) return {};
    const TensorType& type = plannedType(call, output);
    const Shape shape = type.shape().value_or(tensor.shape);
    if (elementCount(shape) != tensor.elements())
        return refuse(call, say("kernel.counterpart-shape", describe(tensor), plimsoll::describe(shape)));
    if (type.dtype == DType::Unknown || type.dtype == tensor.dtype) return writeReshaped(call, output, tensor, shape);
    return isInteger(type.dtype) ? writeIntegers(call, output, type.dtype, shape, integersOf(tensor))
                                 : writeNumbers(call, output, type.dtype, shape, doublesOf(tensor));
}

Status fill(KernelCall& call, std::size_t output, double number)
{
    if (!call.wantsOutput(output)) return {};
    const TensorType& type = plannedType(call, output);
    const auto shape = type.shape();
    const auto count = shape ? elementCount(*shape) : std::nullopt;
    if (!count || !type.bytes()) return refuse(call, say("kernel.unknown-type"));
    return writeNumbers(call, output, type.dtype, *shape,
                        std::vector<double>(static_cast<std::size_t>(*count), number));
}

Status translate(KernelCall& call, OnnxRun run)
{
    PLIMSOLL_ASSIGN(results, runOnnx(call, std::move(run)));
    return give(call, 0, results.front().tensor);
}

} // namespace plimsoll::kernels
