#include "kernels/reference/dialects/mxnet_call.h"

#include "kernels/reference/numbers.h"
#include "kernels/tensor_value.h"

#include <cstring>

namespace plimsoll::kernels {
namespace {

constexpr std::int64_t Opset = 21; ///< That the counterparts are taken from.
const RuntimeValue Absent;

/// The counterpart as its kernel sees it.
class CounterpartCall : public KernelCall
{
public:
    CounterpartCall(KernelCall& outer, OnnxRun run) : m_outer(outer), m_run(std::move(run)), m_results(m_run.outputs)
    {
        m_node = outer.node();
        m_node.op = m_run.op;
        m_node.domain.clear();
        m_node.attributes = m_run.attributes;
    }

    [[nodiscard]] const Graph& graph() const override { return m_outer.graph(); }
    [[nodiscard]] const Node& node() const override { return m_node; }
    [[nodiscard]] std::int64_t opset() const override { return Opset; }
    [[nodiscard]] const RuntimeValue& input(std::size_t index) const override
    {
        return index < m_run.inputs.size() ? m_run.inputs[index] : Absent;
    }
    [[nodiscard]] std::size_t inputCount() const override { return m_run.inputs.size(); }
    [[nodiscard]] bool wantsOutput(std::size_t index) const override { return index < m_results.size(); }
    [[nodiscard]] Result<TensorView> output(std::size_t index, DType dtype, const Shape& shape) override
    {
        if (!denseBytes(dtype, shape)) return refuse(*this, "a result has no size.");
        m_results[index] = tensorValue(HostTensor(dtype, shape));
        return m_results[index].tensor;
    }
    Status setOutput(std::size_t index, RuntimeValue value) override
    {
        m_results[index] = std::move(value);
        return {};
    }
    [[nodiscard]] Result<TensorView> literal(const TensorLiteral& literal) override { return m_outer.literal(literal); }
    [[nodiscard]] std::span<std::byte> scratchpad() override { return {}; }
    [[nodiscard]] std::uint64_t seed() const override { return m_outer.seed(); }

    [[nodiscard]] std::vector<RuntimeValue> takeResults() { return std::move(m_results); }

private:
    KernelCall& m_outer;
    OnnxRun m_run;
    Node m_node;
    std::vector<RuntimeValue> m_results;
};

/// What the plan says that an output is.
const TensorType& plannedType(const KernelCall& call, std::size_t output)
{
    return call.graph()[call.node().outputs[output]].type;
}

} // namespace

Result<std::vector<RuntimeValue>> runOnnx(KernelCall& call, OnnxRun run)
{
    const KernelFunction kernel = findReferenceKernel("", run.op);
    if (!kernel) return refuse(call, "there is no kernel for its counterpart " + run.op + ".");
    CounterpartCall counterpart(call, std::move(run));
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
        return refuse(call, describe(value.tensor) + " cannot have the shape " + plimsoll::describe(shape) + ".");
    value.tensor.shape = shape;
    return value;
}

Result<RuntimeValue> scalarValue(DType dtype, double number)
{
    HostTensor tensor(dtype, {});
    storeNumbers(&number, tensor.view());
    return tensorValue(std::move(tensor));
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
        return refuse(call, "its counterpart gives " + describe(tensor) + ", but the shape of the output is " +
                                plimsoll::describe(shape) + ".");
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
    if (!count || !type.bytes()) return refuse(call, "the type of its output is not known.");
    return writeNumbers(call, output, type.dtype, *shape,
                        std::vector<double>(static_cast<std::size_t>(*count), number));
}

Status translate(KernelCall& call, OnnxRun run)
{
    PLIMSOLL_ASSIGN(results, runOnnx(call, std::move(run)));
    return give(call, 0, results.front().tensor);
}

} // namespace plimsoll::kernels
