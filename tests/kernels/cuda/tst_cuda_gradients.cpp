#include "core/facts/english/english.h"
#include "core/ops/derivatives/formula.h"
#include "core/ops/saving.h"
#include "core/pipeline/pipeline.h"
#include "kernels/checks/device_trial.h"
#include "kernels/common/call_tools.h"
#include "kernels/common/numbers.h"
#include "kernels/cuda/cuda.h"
#include "kernels/tensor_view.h"
#include "tests/kernels/common/gradient_cases.h"
#include "tests/support/graph_text.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <set>

using namespace plimsoll;
using namespace plimsoll::kernels;

/// Every formula of a gradient on the device against the reference: the backward nodes of the cases that the reference
/// is tested with, in float32.
class TestCudaGradients : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void backwardNodesAgreeWithTheReference_data();
    void backwardNodesAgreeWithTheReference();
    void backwardNodesOfAllTrialsAgreeWithTheReference_data();
    void backwardNodesOfAllTrialsAgreeWithTheReference();
    void manyOperatorsHaveBackwardTrials();
    void theGradientOfAProductMayLieOverTheIncomingOne();
    void aPlanForADeviceHasItsBackwardHalfThere();
};

namespace {

std::string inFloat32(std::string text)
{
    for (std::size_t at = text.find("float64"); at != std::string::npos; at = text.find("float64", at))
        text.replace(at, 7, "float32");
    return text;
}

Report planned(const std::string& text)
{
    PlanRequest request;
    request.recordDecisions = false;
    Result<Report> report = analyse(test::graphFromText(text), request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

RuntimeValue drawn(const Value& value, const test::GradientCase& one, std::mt19937& generator)
{
    HostTensor tensor(value.type.dtype, value.type.shape().value());
    if (value.data->bytes) {
        std::memcpy(tensor.view().data, value.data->bytes->data(), static_cast<std::size_t>(tensor.view().bytes()));
        return tensorValue(std::move(tensor));
    }
    std::uniform_real_distribution<double> uniform(one.low, one.high);
    std::vector<double> numbers(static_cast<std::size_t>(tensor.view().elements()));
    std::generate(numbers.begin(), numbers.end(), [&] { return uniform(generator); });
    if (!isFloatingPoint(value.type.dtype)) std::fill(numbers.begin(), numbers.end(), 1);
    storeNumbers(numbers.data(), tensor.view());
    return tensorValue(std::move(tensor));
}

bool isInFloat32(const Graph& graph, const Node& node)
{
    const auto isOther = [&](ValueId id) {
        const DType dtype = id.valid() ? graph[id].type.dtype : DType::Float32;
        return isFloatingPoint(dtype) && dtype != DType::Float32;
    };
    return std::none_of(node.outputs.begin(), node.outputs.end(), isOther) &&
           std::none_of(node.inputs.begin(), node.inputs.end(), isOther);
}

QString failureAt(const Graph& graph, NodeId node, const test::GradientCase& one)
{
    Trial::Prepared trial {graph, node, {}};
    std::mt19937 generator(11);
    for (const ValueId input : graph[node].inputs)
        trial.inputs.push_back(input.valid() ? drawn(graph[input], one, generator) : RuntimeValue {});
    const auto device = std::move(emulateCudaDevice()).value();
    const auto outcomes = tryOnDevice(*device, {.cublas = true}, trial);
    if (!outcomes.ok()) return QString::fromStdString(describe(outcomes.error()));
    if (isInFloat32(graph, graph[node]) && outcomes.value().empty()) return QStringLiteral("not offered");
    for (const TrialOutcome& outcome : outcomes.value()) {
        if (!outcome.wrong.empty())
            return QString::fromStdString(graph[node].name + ": " + english(outcome.wrong)) +
                   (outcome.inPlace ? QStringLiteral(" (in place of input %1)").arg(outcome.inPlace->input)
                                    : QString());
    }
    return {};
}

} // namespace

void TestCudaGradients::backwardNodesAgreeWithTheReference_data()
{
    QTest::addColumn<std::size_t>("index");
    QTest::addColumn<bool>("plain");
    const auto& cases = test::gradientCases();
    for (std::size_t i = 0; i < cases.size(); ++i) {
        QTest::addRow("%s, of its sum", cases[i].name) << i << true;
        QTest::addRow("%s, of its squares", cases[i].name) << i << false;
    }
}

void TestCudaGradients::backwardNodesAgreeWithTheReference()
{
    QFETCH(const std::size_t, index);
    QFETCH(const bool, plain);
    const test::GradientCase& one = test::gradientCases()[index];
    const std::string loss =
        plain ? "loss1: z = ReduceSum(y) keepdims=0\n" : "loss0: q = Mul(y, y)\nloss1: z = ReduceSum(q) keepdims=0\n";
    const Report report = planned(inFloat32(one.graph) + "\ngrad " + one.wanted + "\n" + loss + "output z\nloss z\n");
    int tried = 0;
    for (std::size_t i = 0; i < report.program.graph->nodes.size(); ++i) {
        const Node& node = report.program.graph->nodes[i];
        if (node.domain != GradientDomain || report.program.graph->decided[NodeId(i)].ahead) continue;
        ++tried;
        QCOMPARE(QString::fromStdString(node.op) + u' ' + failureAt(*report.program.graph, NodeId {i}, one),
                 QString::fromStdString(node.op) + u' ' +
                     (one.onDevices || node.op != report.program.graph->nodes.front().op
                          ? QString()
                          : QStringLiteral("not offered")));
    }
    QVERIFY(tried > 0);
}

void TestCudaGradients::backwardNodesOfAllTrialsAgreeWithTheReference_data()
{
    QTest::addColumn<std::size_t>("index");
    const std::vector<Trial> trials = allTrials();
    for (std::size_t i = 0; i < trials.size(); ++i)
        QTest::addRow("%zu %s", i, trials[i].name().c_str()) << i;
}

void TestCudaGradients::backwardNodesOfAllTrialsAgreeWithTheReference()
{
    static const std::vector<Trial> trials = allTrials();
    QFETCH(const std::size_t, index);
    const auto backward = trials[index].prepareBackward(20250603);
    QVERIFY2(backward.ok(), backward.ok() ? "" : describe(backward.error()).c_str());
    for (const Trial::Prepared& prepared : backward.value()) {
        const auto outcomes = tryOnDevice(*emulateCudaDevice().value(), {.cublas = true}, prepared);
        QVERIFY2(outcomes.ok(), outcomes.ok() ? "" : describe(outcomes.error()).c_str());
        const Node& node = prepared.graph[prepared.node];
        if (isInFloat32(prepared.graph, node)) QVERIFY(!outcomes.value().empty());
        for (const TrialOutcome& outcome : outcomes.value())
            QCOMPARE(QString::fromStdString(english(outcome.wrong)), QString());
    }
}

/// So that trials whose gradients got lost do not pass for fine.
void TestCudaGradients::manyOperatorsHaveBackwardTrials()
{
    std::set<std::string> operators;
    for (const Trial& trial : allTrials()) {
        const auto backward = trial.prepareBackward(1);
        QVERIFY(backward.ok());
        if (!backward.value().empty()) operators.insert(trial.op());
    }
    QVERIFY2(operators.size() > 60, qPrintable(QString::number(operators.size())));
    for (const char* op : {"Conv", "MatMul", "Gather", "Tile", "CumSum", "LayerNormalization", "MaxPool"})
        QVERIFY2(operators.count(op) == 1, op);
}

/// The example of saved tensors: ((x + 2) * m).sum(), whose gradient for x needs no bytes of its own.
void TestCudaGradients::theGradientOfAProductMayLieOverTheIncomingOne()
{
    const Report report = planned("input x float32[2,3]\ninput m float32[2,3]\nconst two float32[] = 2\ngrad x\n"
                                  "a: s = Add(x, two)\nb: p = Mul(s, m)\nq: r = Mul(p, p)\n"
                                  "c: z = ReduceSum(r) keepdims=0\noutput z\nloss z\n");
    const Catalogue catalogue = describeForCuda(*report.program.graph, {});
    int products = 0;
    for (const Node& node : report.program.graph->nodes) {
        if (node.domain != GradientDomain || node.op != "Mul" || node.outputs.size() != 1) continue;
        ++products;
        const auto& places = catalogue.offers.at(node.name).front().inPlace;
        QVERIFY(std::find(places.begin(), places.end(), Implementation::InPlacePair {0, 0}) != places.end());
    }
    QVERIFY(products > 0);
}

void TestCudaGradients::aPlanForADeviceHasItsBackwardHalfThere()
{
    const Graph graph = test::graphFromText("input x float32[4]\ninput m float32[4]\nconst two float32[] = 2\ngrad x\n"
                                            "a: s = Add(x, two)\nb: p = Mul(s, m)\nc: z = ReduceSum(p) keepdims=0\n"
                                            "output z\nloss z\n");
    PlanRequest request;
    request.policies.backend = BackendPolicy::Cuda;
    const auto joint = graphToDispatch(graph, request, {});
    QVERIFY(joint.ok());
    request.catalogue = std::make_shared<const Catalogue>(describeForCuda(joint.value(), {}));

    const auto report = analyse(graph, request, {});

    QVERIFY(report.ok());
    int backward = 0;
    for (std::size_t i = 0; i < report.value().program.graph->nodes.size(); ++i) {
        if (report.value().program.graph->nodes[i].domain != GradientDomain) continue;
        ++backward;
        QCOMPARE(report.value().program.implementations[NodeId(i)].device, std::string("cuda:0"));
    }
    QCOMPARE(backward, 3);
    QCOMPARE(countFindings(report.value(), Severity::Error), std::size_t(0));
}

QTEST_APPLESS_MAIN(TestCudaGradients)
#include "tst_cuda_gradients.moc"
