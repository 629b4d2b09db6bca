#include "kernel_case.h"
#include "core/facts/english/english.h"

#include "kernels/common/numbers.h"
#include "kernels/tensor_view.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace plimsoll::kernels::test {
namespace {

std::string textOf(const TensorView& tensor)
{
    std::string text = std::string(dtypeName(tensor.dtype)) + describe(tensor.shape);
    if (tensor.dtype == DType::String) {
        for (std::int64_t i = 0; i < tensor.elements(); ++i)
            text += " '" + tensor.as<std::string>()[i] + "'";
        return text;
    }
    for (const double number : doublesOf(tensor)) {
        char buffer[40];
        std::snprintf(buffer, sizeof buffer, " %.6g",
                      number == 0        ? 0.0
                      : number != number ? std::fabs(number)
                                         : number);
        text += buffer;
    }
    return text;
}

} // namespace

RuntimeValue numbers(DType dtype, const Shape& shape, const std::vector<double>& values)
{
    const HostTensor tensor(dtype, shape);
    storeNumbers(values.data(), tensor.view());
    return tensorValue(tensor);
}

RuntimeValue texts(const Shape& shape, const std::vector<std::string>& values)
{
    const HostTensor tensor(DType::String, shape);
    std::copy(values.begin(), values.end(), tensor.view().as<std::string>());
    return tensorValue(tensor);
}

std::string textOf(const RuntimeValue& value)
{
    if (value.kind == RuntimeValue::Kind::Absent) return "absent";
    if (value.kind == RuntimeValue::Kind::Tensor) return textOf(value.tensor);
    std::string text;
    for (const HostTensor& tensor : value.sequence)
        text += (text.empty() ? "" : "; ") + textOf(tensor.view());
    return "sequence(" + text + ")";
}

std::string Outcome::text(std::size_t output) const
{
    return status.ok() ? textOf(outputs[output]) : "error: " + describe(status.error());
}

OpCase::OpCase(std::string op, std::int64_t opset, std::string domain) : m_opset(opset)
{
    m_node.name = "node";
    m_node.op = std::move(op);
    m_node.domain = std::move(domain);
}

OpCase& OpCase::input(RuntimeValue value)
{
    m_node.inputs.emplace_back();
    m_inputs.push_back(std::move(value));
    return *this;
}

OpCase& OpCase::set(std::string name, Attribute value)
{
    m_node.attributes[std::move(name)] = std::move(value);
    return *this;
}

OpCase& OpCase::outputs(std::size_t count)
{
    m_outputs = count;
    return *this;
}

OpCase& OpCase::inPlace(std::size_t inputIndex)
{
    m_inPlace = inputIndex;
    return *this;
}

OpCase& OpCase::seed(std::uint64_t seed)
{
    m_seed = seed;
    return *this;
}

Outcome OpCase::run() const
{
    Graph graph;
    graph.opsets[m_node.domain] = m_opset;
    graph.nodes.push_back(m_node);
    graph.values.resize(m_outputs);
    for (std::size_t i = 0; i < m_outputs; ++i)
        graph.nodes[0].outputs.emplace_back(i);
    const KernelFunction kernel = findReferenceKernel(m_node.domain, m_node.op);
    if (!kernel) return {Error {ErrorCode::Unsupported, say("checks.no-reference"), {}, {}}, {}};
    std::vector<RuntimeValue> inputs;
    for (const RuntimeValue& value : m_inputs)
        inputs.push_back(copyOf(value));
    FakeCall call(graph, NodeId {std::size_t {0}}, inputs);
    if (m_inPlace) call.shareBytes(0, *m_inPlace);
    call.setSeed(m_seed);
    Outcome outcome {kernel(call), {}};
    for (std::size_t i = 0; i < m_outputs; ++i)
        outcome.outputs.push_back(call.result(i));
    return outcome;
}

void addRows(std::initializer_list<std::vector<Row>> tables)
{
    QTest::addColumn<QString>("got");
    QTest::addColumn<QString>("outcome");
    for (const std::vector<Row>& table : tables) {
        for (const Row& row : table) {
            const QString got = QString::fromStdString(row.op.run().text());
            const QString outcome = QString::fromLatin1(row.outcome);
            QTest::newRow(row.name) << (outcome == QLatin1String("error") ? got.left(5) : got) << outcome;
        }
    }
}

void compareRow()
{
    QFETCH(const QString, got);
    QFETCH(const QString, outcome);
    QCOMPARE(got, outcome);
}

} // namespace plimsoll::kernels::test
