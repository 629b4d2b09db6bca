#include "core/facts/english/english.h"
#include "kernels/common/formula/formula_steps.h"
#include "kernels/run/executor.h"
#include "kernels/run/step/element_values.h"

#include "core/facts/words/request_kind.h"
#include "core/ops/derivatives/derivatives.h"
#include "core/pipeline/pipeline.h"
#include "kernels/common/call_tools.h"
#include "kernels/tensor_view.h"
#include "tests/kernels/common/gradient_cases.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"
#include "tests/support/training_networks.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <random>
#include <set>

using namespace plimsoll;

namespace {

using Values = std::map<std::string, std::vector<double>>;

/// Both ways to a loss: a gradient that is 1 everywhere and stored as one number, and one that differs.
std::string withLoss(const test::GradientCase& one, bool plain)
{
    std::string text = std::string(one.graph) + "\ngrad " + one.wanted + "\n";
    text +=
        plain ? "loss1: z = ReduceSum(y) keepdims=0\n" : "loss0: q = Mul(y, y)\nloss1: z = ReduceSum(q) keepdims=0\n";
    return text + "output z\nloss z\n";
}

Values draw(const Graph& graph, const test::GradientCase& one)
{
    std::mt19937 generator(7);
    std::uniform_real_distribution<double> uniform(one.low, one.high);
    Values values;
    for (const ValueId input : graph.top().inputs) {
        std::vector<double>& numbers = values[graph[input].name];
        const auto count = elementCount(graph[input].type.shape().value()).value();
        while (static_cast<std::int64_t>(numbers.size()) < count) {
            const double number = uniform(generator);
            if (std::fabs(number) > 0.05) numbers.push_back(number);
        }
    }
    return values;
}

kernels::RunOutcome run(const Report& report, const Values& values)
{
    kernels::RunRequest request;
    request.mode = kernels::RunMode::Numeric;
    for (const auto& [name, numbers] : values) {
        const ValueId id = findValue(*report.program.graph, name);
        kernels::HostTensor tensor(DType::Float64, (*report.program.graph)[id].type.shape().value());
        std::memcpy(tensor.view().data, numbers.data(), numbers.size() * sizeof(double));
        request.inputs[id] = kernels::tensorValue(std::move(tensor));
    }
    kernels::RunObserver silent;
    Result<kernels::RunOutcome> outcome = kernels::execute(report.program, request, silent, {});
    if (!outcome.ok()) qFatal("%s", describe(outcome.error()).c_str());
    return std::move(outcome).value();
}

Report planned(const Graph& graph, std::string_view saved, std::string_view folded = "shapes")
{
    PlanRequest request;
    request.policies.fold = folded == "all" ? FoldPolicy::All : FoldPolicy::Shapes;
    request.recordDecisions = false;
    test::choose(request.policies, {{"saved", saved}});
    Result<Report> report = analyse(graph, request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

std::vector<double> numbersOf(const kernels::RuntimeValue& value)
{
    std::vector<double> numbers;
    for (std::int64_t i = 0; i < value.tensor.elements(); ++i)
        numbers.push_back(kernels::readElement(value.tensor, i));
    return numbers;
}

/// By name of the variable.
Values gradientsOf(const Report& report, const kernels::RunOutcome& outcome)
{
    Values gradients;
    const auto& outputs = report.program.graph->top().outputs;
    for (std::size_t i = outputs.size() - report.program.graph->boundary.gradients; i < outputs.size(); ++i)
        gradients[(*report.program.graph)[outputs[i]].name.substr(5)] = numbersOf(outcome.outputs[i]);
    return gradients;
}

} // namespace

/// Every formula against central finite differences, in double precision.
class Gradients : public QObject
{
    Q_OBJECT

private slots:
    void everyFunctionHasAKernel();
    void everyDerivativeIsTried();
    void formulasAgreeWithFiniteDifferences_data();
    void formulasAgreeWithFiniteDifferences();
    void whatIsComputedAheadPassesGradientsOn();
    void aLossMayBeAnInput();
    void oneStepOfANetworkEqualsTheOracle_data();
    void oneStepOfANetworkEqualsTheOracle();
    void contributionsAreSummed_data();
    void contributionsAreSummed();
};

void Gradients::everyFunctionHasAKernel()
{
    for (const FormulaFunction& function : formulaFunctions()) {
        if (function.kind == FunctionKind::Tensor)
            QVERIFY2(kernels::findTensorFunction(function.name), function.name.data());
        if (function.kind == FunctionKind::Elementwise && function.name != "with")
            QVERIFY2(kernels::operationNamed(function.name), function.name.data());
    }
}

void Gradients::everyDerivativeIsTried()
{
    std::set<const Derivative*> tried;
    for (const test::GradientCase& one : test::gradientCases()) {
        const Report report = planned(test::graphFromText(one.graph), "guarded");
        for (std::size_t node = 0; node < report.program.graph->nodes.size(); ++node)
            tried.insert(derivatives26().find(*report.program.graph, NodeId(node)));
    }
    QStringList untried;
    for (const Derivative& derivative : derivatives26().all()) {
        const bool some = std::any_of(derivative.entries.begin(), derivative.entries.end(),
                                      [](const GradientEntry& entry) { return !entry.formula.isZero(); });
        if (some && tried.count(&derivative) == 0)
            untried += QString::fromStdString(derivative.domain + "::" + derivative.op);
    }
    untried.sort();
    // The mask of a Dropout is drawn anew for each run; the convolution of NNPACK is Conv under another name.
    QCOMPARE(untried.join(u' '), QStringLiteral("::Dropout ::Dropout aten::_nnpack_spatial_convolution"));
}

void Gradients::formulasAgreeWithFiniteDifferences_data()
{
    QTest::addColumn<int>("index");
    QTest::addColumn<bool>("plain");
    for (std::size_t i = 0; i < test::gradientCases().size(); ++i) {
        for (const bool plain : {true, false})
            QTest::addRow("%s, %s", test::gradientCases()[i].name, plain ? "sum" : "sum of squares")
                << static_cast<int>(i) << plain;
    }
}

void Gradients::formulasAgreeWithFiniteDifferences()
{
    QFETCH(int, index);
    QFETCH(bool, plain);
    const test::GradientCase& one = test::gradientCases()[static_cast<std::size_t>(index)];
    const Graph graph = test::graphFromText(withLoss(one, plain));
    const Values values = draw(graph, one);

    const Report report = planned(graph, "guarded");
    const kernels::RunOutcome outcome = run(report, values);
    const Values gradients = gradientsOf(report, outcome);

    QVERIFY(outcome.result.mismatches.empty());
    QCOMPARE(countFindings(report, Severity::Error), std::size_t(0));
    Graph forward = graph;
    forward.loss = {};
    const Report plan = planned(forward, "guarded");
    constexpr double Step = 1e-5;
    for (const QByteArray& name : QByteArray(one.wanted).split(' ')) {
        const std::vector<double>& gradient = gradients.at(name.toStdString());
        QCOMPARE(gradient.size(), values.at(name.toStdString()).size());
        for (std::size_t i = 0; i < gradient.size(); ++i) {
            Values up = values;
            Values down = values;
            up[name.toStdString()][i] += Step;
            down[name.toStdString()][i] -= Step;
            const double slope =
                (numbersOf(run(plan, up).outputs[0])[0] - numbersOf(run(plan, down).outputs[0])[0]) / (2 * Step);
            const double error = std::fabs(slope - gradient[i]) / (1 + std::fabs(slope));
            QVERIFY2(error < 1e-6, qPrintable(QStringLiteral("d%1[%2]: %3, differences give %4")
                                                  .arg(QString::fromUtf8(name))
                                                  .arg(i)
                                                  .arg(gradient[i])
                                                  .arg(slope)));
        }
    }
    for (const char* policy : {"guarded-2019", "save-all", "exact"}) {
        const Report other = planned(graph, policy);
        QCOMPARE(gradientsOf(other, run(other, values)), gradients);
    }
}

void Gradients::whatIsComputedAheadPassesGradientsOn()
{
    const Graph graph = test::graphFromText("input x float64[2,3]\nparam w float64[2,3]\nm = ReduceMean(w) keepdims=0\n"
                                            "g = Gelu(w)\np = Mul(m, g)\ny = Mul(p, x)\n"
                                            "z = ReduceSum(y) keepdims=0\noutput z\ngrad w\nloss z\n");

    const Report report = planned(graph, "guarded");
    const Report ahead = planned(graph, "guarded", "all");

    QVERIFY(ahead.program.schedule.length() < report.program.schedule.length());
    QCOMPARE(gradientsOf(ahead, run(ahead, {})), gradientsOf(report, run(report, {})));
}

void Gradients::aLossMayBeAnInput()
{
    const Report report = planned(test::graphFromText("input x float64[]\noutput x\ngrad x\nloss x\n"), "guarded");

    QCOMPARE(gradientsOf(report, run(report, {})), (Values {{"x", {1.0}}}));
    QCOMPARE(countFindings(report, Severity::Error), std::size_t(0));
}

void Gradients::oneStepOfANetworkEqualsTheOracle_data()
{
    QTest::addColumn<std::string>("text");
    QTest::newRow("ResNet-18") << test::resNet18(2, 32, 8, test::Trained::All);
    QTest::newRow("transformer of six layers") << test::transformer(6, 1, 8, 16, test::Trained::All);
}

void Gradients::oneStepOfANetworkEqualsTheOracle()
{
    QFETCH(std::string, text);
    const Report report = planned(test::graphFromText(text), "guarded");

    const kernels::RunOutcome outcome = run(report, {});

    QVERIFY(outcome.result.mismatches.empty());
    QVERIFY(outcome.result.measuredPeakBytes <= report.memory.peakBytes);
    for (const auto& [name, gradient] : gradientsOf(report, outcome)) {
        const auto zero = [](double number) { return number == 0; };
        QVERIFY2(!std::all_of(gradient.begin(), gradient.end(), zero), name.c_str());
        QVERIFY2(std::all_of(gradient.begin(), gradient.end(), [](double number) { return std::isfinite(number); }),
                 name.c_str());
    }
}

void Gradients::contributionsAreSummed_data()
{
    QTest::addColumn<int>("count");
    for (int count = 1; count <= 10; ++count)
        QTest::addRow("%d", count) << count;
}

/// z = Σ k · x: its gradient is the sum of all k, by one sum of fewer than eight or by an accumulator.
void Gradients::contributionsAreSummed()
{
    QFETCH(int, count);
    std::string text = "input x float64[4]\ngrad x\n";
    std::string sum = "z0";
    double expected = 0;
    for (int i = 0; i < count; ++i) {
        const std::string n = std::to_string(i);
        text += "const k" + n + " float64[4] = " + std::to_string(i + 1) + " 1 1 1\nm" + n + ": y" + n + " = Mul(x, k" +
                n + ")\nr" + n + ": z" + n + " = ReduceSum(y" + n + ") keepdims=0\n";
        if (i > 0) text += "s" + n + ": t" + n + " = Add(" + sum + ", z" + n + ")\n";
        if (i > 0) sum = "t" + n;
        expected += i + 1;
    }
    const Report report = planned(test::graphFromText(text + "output " + sum + "\nloss " + sum + "\n"), "guarded");

    const kernels::RunOutcome outcome = run(report, {{"x", {1, 2, 3, 4}}});

    QCOMPARE(gradientsOf(report, outcome), (Values {{"x", {expected, 1.0 * count, 1.0 * count, 1.0 * count}}}));
    QVERIFY(outcome.result.mismatches.empty());
    QCOMPARE(countFindings(report, Severity::Error), std::size_t(0));
    // Of eight or more, the first is where the others are added as they are computed.
    const std::vector<RequestKind> kinds = requestKinds(report);
    QCOMPARE(std::count(kinds.begin(), kinds.end(), RequestKind::AddTo), std::ptrdiff_t(count < 8 ? 0 : count - 1));
    QVERIFY(std::none_of(report.program.graph->nodes.begin(), report.program.graph->nodes.end(),
                         [](const Node& node) { return node.op == "Accumulate_"; }));
}

QTEST_APPLESS_MAIN(Gradients)
#include "tst_gradients.moc"
