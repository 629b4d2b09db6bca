#include "kernels/checks/trial.h"

#include "core/lower/types/infer_types.h"
#include "kernels/common/numbers.h"
#include "kernels/common/random_numbers.h"
#include "kernels/tensor_view.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace plimsoll::kernels {
namespace {

TensorData dataOf(const TensorView& tensor)
{
    auto bytes = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(tensor.bytes()));
    if (!bytes->empty()) std::memcpy(bytes->data(), tensor.data, bytes->size());
    TensorData data;
    data.bytes = std::move(bytes);
    return data;
}

} // namespace

Trial::Trial(std::string op, std::string domain)
{
    m_node.op = std::move(op);
    m_node.domain = std::move(domain);
    m_node.name = "node";
}

Trial& Trial::input(DType dtype, Shape shape)
{
    const bool isReal = isFloatingPoint(dtype);
    m_inputs.push_back({dtype, std::move(shape), isReal ? -1.0 : 0.0, dtype == DType::Bool ? 2.0 : isReal ? 1.0 : 9.0});
    return *this;
}

Trial& Trial::within(double low, double high)
{
    m_inputs.back().low = low;
    m_inputs.back().high = high;
    return *this;
}

Trial& Trial::odd()
{
    m_inputs.back().odd = true;
    return *this;
}

Trial& Trial::forwardOnly()
{
    m_forwardOnly = true;
    return *this;
}

Trial& Trial::absent()
{
    m_inputs.push_back({});
    return *this;
}

Trial& Trial::ints(std::vector<std::int64_t> numbers)
{
    input(DType::Int64, {static_cast<std::int64_t>(numbers.size())});
    m_inputs.back().constant = std::move(numbers);
    return *this;
}

Trial& Trial::flag(bool value)
{
    input(DType::Bool, {});
    m_inputs.back().constant = {value ? 1 : 0};
    return *this;
}

Trial& Trial::set(std::string name, Attribute value)
{
    m_node.attributes[std::move(name)] = std::move(value);
    return *this;
}

Trial& Trial::outputs(std::size_t count)
{
    m_outputs = count;
    return *this;
}

Trial& Trial::opset(std::int64_t version)
{
    m_opset = version;
    return *this;
}

std::string Trial::name() const
{
    std::string text = qualifiedOp(m_node);
    for (const Input& input : m_inputs) {
        text +=
            input.dtype == DType::Unknown ? " -" : " " + std::string(dtypeName(input.dtype)) + describe(input.shape);
        if (input.odd) text += " odd";
    }
    for (const auto& [name, value] : m_node.attributes) {
        text += " " + name;
        if (const auto* number = std::get_if<std::int64_t>(&value)) text += "=" + std::to_string(*number);
        if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) text += "=" + describe(*list);
        if (const auto* word = std::get_if<std::string>(&value)) text += "=" + *word;
    }
    return text;
}

Result<RuntimeValue> Trial::content(const Input& input, std::uint64_t seed) const
{
    if (input.dtype == DType::Unknown) return RuntimeValue {};
    const HostTensor tensor(input.dtype, input.shape);
    RandomNumbers random(seed);
    std::vector<double> numbers(static_cast<std::size_t>(tensor.view().elements()));
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = input.constant ? static_cast<double>((*input.constant)[i])
                                    : input.low + (input.high - input.low) * random.uniform();
    if (!isFloatingPoint(input.dtype)) {
        for (double& number : numbers)
            number = std::floor(number);
    }
    using Limits = std::numeric_limits<double>;
    constexpr std::array Odd {
        Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), 0.0, -0.0, 1e-40, 60000.0, -60000.0};
    for (std::size_t i = 0; input.odd && i < numbers.size(); i += 5)
        numbers[i] = Odd[i / 5 % Odd.size()];
    storeNumbers(numbers.data(), tensor.view());
    return tensorValue(tensor);
}

Result<Trial::Prepared> Trial::begin(GraphBuilder& builder, std::uint64_t seed) const
{
    builder.graph().opsets[m_node.domain] = m_opset;
    ValueIds inputs;
    Prepared prepared;
    for (std::size_t i = 0; i < m_inputs.size(); ++i) {
        const Input& input = m_inputs[i];
        const TensorType type = TensorType::dense(input.dtype, input.shape);
        const std::string name = "x" + std::to_string(i);
        PLIMSOLL_ASSIGN(value, content(input, seed * 131 + i));
        inputs.push_back(input.dtype == DType::Unknown ? ValueId()
                         : input.constant              ? builder.addConstant(name, type, dataOf(value.tensor))
                                                       : builder.addInput(name, type));
        prepared.inputs.push_back(std::move(value));
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < m_outputs; ++i)
        names.push_back("y" + std::to_string(i));
    prepared.node = builder.addNode(m_node, inputs, names);
    return prepared;
}

Result<Trial::Prepared> Trial::prepare(std::uint64_t seed) const
{
    GraphBuilder builder("trial");
    PLIMSOLL_ASSIGN(prepared, begin(builder, seed));
    for (std::size_t i = 0; i < m_outputs; ++i)
        builder.addOutput(builder.output(prepared.node, i));
    PLIMSOLL_ASSIGN(graph, std::move(builder).build());
    PLIMSOLL_ASSIGN(inferred, inferTypes(graph, {}, {}));
    prepared.graph = std::move(inferred.graph);
    return prepared;
}

std::vector<Trial> allTrials()
{
    std::vector<Trial> all;
    for (const std::vector<Trial>& family :
         {elementwiseTrials(), rowTrials(), networkTrials(), movementTrials(), recurrentTrials()})
        all.insert(all.end(), family.begin(), family.end());
    return all;
}

} // namespace plimsoll::kernels
