#include "core/facts/english/english.h"
#include "kernels/common/call_tools.h"
#include "kernels/common/formula/gradient_node.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/gradients/host_steps.h"
#include "tests/kernels/reference/fake_call.h"
#include "tests/kernels/reference/kernel_case.h"

#include <QTest>

#include <cmath>

using namespace plimsoll;
using namespace plimsoll::kernels;
using namespace plimsoll::kernels::test;

namespace {

using Ints = std::vector<std::int64_t>;

/// A formula over named tensors, and the variable whose gradient it is.
struct Walk
{
    const char* formula;
    std::vector<std::pair<std::string, RuntimeValue>> inputs;
    Attributes attributes {};
    std::string variable = "self";
};

/// The node behind a walk; sizes that are not given are those of the inputs.
struct Stage
{
    Graph graph;
    std::vector<std::string> names;
    std::unique_ptr<FakeCall> call;

    explicit Stage(const Walk& walk)
    {
        Node node;
        node.name = "node";
        node.op = "Op";
        node.attributes = walk.attributes;
        graph.nodes.push_back(std::move(node));
        std::vector<RuntimeValue> values;
        for (const auto& [name, value] : walk.inputs) {
            names.push_back(name);
            values.push_back(value);
        }
        call = std::make_unique<FakeCall>(graph, NodeId {std::size_t {0}}, std::move(values));
    }
};

QString textOf(const Result<FormulaValue>& value, const FormulaScope& scope)
{
    if (!value.ok()) return QStringLiteral("error");
    const auto written = scope.written(value.value(), value.value().shape);
    if (!written.ok()) return QStringLiteral("error");
    QString text = QString::fromStdString(plimsoll::describe(written.value().shape));
    for (const double number : doublesOf(written.value().view()))
        text += u' ' + (std::isnan(number) ? QStringLiteral("nan") : QString::number(number, 'g', 6));
    return text;
}

QString valueOf(const Walk& walk)
{
    const Stage stage(walk);
    const auto formula = parseFormula(walk.formula);
    if (!formula.ok()) return QString::fromStdString(describe(formula.error()));
    const FormulaScope scope(*stage.call, hostSteps(), stage.names, walk.variable);
    return textOf(evaluateFormula(formula.value(), scope), scope);
}

/// Steps that are written down and make nothing: what a backend is asked for, in which order.
std::vector<std::string> asked;

Result<FormulaValue> named(const std::string& step, const Shape& shape)
{
    asked.push_back(step + plimsoll::describe(shape));
    return FormulaValue {.shape = shape, .dtype = DType::Float32};
}

FormulaSteps recordingSteps()
{
    FormulaSteps steps;
    steps.dtype = DType::Float32;
    steps.reads = [](DType dtype) { return dtype == DType::Float32; };
    steps.readOnHost = [](const FormulaScope&, std::size_t) { return Status(); };
    steps.compute = [](const FormulaScope&, const FormulaProgram& program, const Shape& shape, const TensorView*) {
        return named("compute " + std::to_string(program.code.size()) + " of " +
                         std::to_string(program.operands.size()) + " ",
                     shape);
    };
    steps.reduced = [](const FormulaScope&, const FormulaValue& x, const std::vector<bool>& gone) {
        return named("reduce ", reductionOver(x.shape, gone, true).outShape);
    };
    steps.permuted = [](const FormulaScope&, const FormulaValue&, const PermutedView& view) {
        return named("permute ", view.permuted());
    };
    steps.multiplied = [](const FormulaScope&, const MatMulPlan& plan, const FormulaFactor& a, const FormulaFactor& b) {
        return named(std::string("multiply") + (a.transposed ? " a'" : " a") + (b.transposed ? " b' " : " b "),
                     plan.outShape);
    };
    steps.convolved = [](const FormulaScope& scope, const FormulaConvolution&) {
        return named("convolve ", scope.target());
    };
    return steps;
}

} // namespace

/// How formulas are walked, with the steps of the host and with steps that only say what is asked of them.
class FormulaWalk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void valuesOfTheHost_data();
    void valuesOfTheHost();
    void stepsOfABackend_data();
    void stepsOfABackend();
    void aProgramComputesNothingTwice();
    void everyOperationIsThatOfItsName_data();
    void everyOperationIsThatOfItsName();
    void aGradientIsBroughtToItsOutput_data();
    void aGradientIsBroughtToItsOutput();
};

void FormulaWalk::valuesOfTheHost_data()
{
    QTest::addColumn<QString>("got");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const Walk& walk, const char* expected) {
        QTest::newRow(name) << valueOf(walk) << QString::fromLatin1(expected);
    };
    const auto g = std::pair {std::string("g"), floats({2, 2}, {1, 2, 3, 4})};
    const auto line = std::pair {std::string("self"), floats({2}, {10, 100})};
    row("broadcast", {"g * self", {g, line}}, "[2,2] 10 200 30 400");
    row("a gradient that never came", {"g1 + self", {line}}, "[2] 10 100");
    row("another tensor that is absent", {"other + self", {line}}, "[2] nan nan");
    row("a setting", {"attr(alpha, 3) * self", {line}, {{"alpha", 0.5}}}, "[2] 5 50");
    row("a setting by default", {"attr(alpha, 3) * self", {line}}, "[2] 30 300");
    row("metadata", {"self / count(g)", {g, line}}, "[2] 2.5 25");
    row("only mentioned", {"with(self, g)", {g, line}}, "[2] 10 100");
    row("integers and truths",
        {"where(flag, n, 0)", {{"flag", numbers(DType::Bool, {2}, {1, 0})}, {"n", ints({2}, {7, 8})}}}, "[2] 7 0");
    row("shapes that do not meet", {"g + self", {g, {"self", floats({3}, {1, 2, 3})}}}, "error");
    row("of nothing", {"exp(self)", {{"self", floats({0, 2}, {})}}}, "[0,2]");
    row("more elements than a block",
        {"along(self)", {{"self", floats({600}, std::vector<double>(600, 0.5))}}, {{"grad.axes", Ints {0}}}},
        "[1] 300");
    row("column times row", {"column(self) * self", {line}}, "[2,2] 100 1000 1000 10000");
    row("sum over the batch", {"batch_sum(g)", {g}}, "[2] 4 6");
    row("sum over axes from behind", {"sum_axes(g)", {g}, {{"axes", Ints {-1}}}}, "[2] 3 7");
    row("sum over an axis that is not there", {"sum_axes(g)", {g}, {{"axes", Ints {2}}}}, "error");
    row("product", {"matmul(g, self)", {g, line}}, "[2] 210 430");
    row("product of vectors", {"matmul(self, self)", {line}}, "[] 10100");
    row("transposed", {"transpose(g)", {g}}, "[2,2] 1 3 2 4");
    row("turned where it is asked", {"turned(g, attr(trans, 0))", {g}, {{"trans", std::int64_t {1}}}}, "[2,2] 1 3 2 4");
    row("left factor",
        {"matmul_left(g, other)", {g, {"other", floats({2, 2}, {1, 0, 1, 1})}, {"self", floats({2, 2}, {0, 0, 0, 0})}}},
        "[2,2] 1 3 3 7");
    row("cross product", {"cross(self, other)", {{"self", floats({3}, {1, 0, 0})}, {"other", floats({3}, {0, 1, 0})}}},
        "[3] 0 0 1");
    row("cross product of two", {"cross(self, self)", {line}}, "error");
    row("slices at indices", {"pick(g, index)", {g, {"index", ints({3}, {1, -1, 0})}}}, "[3,2] 3 4 3 4 1 2");
    row("slices outside", {"pick(g, index)", {g, {"index", ints({1}, {2})}}}, "error");
    row("slices without indices", {"pick(g, index)", {g}}, "error");
    row("elements at indices", {"pick_elements(g, index)", {g, {"index", ints({1, 2}, {1, 0})}}}, "[1,2] 3 2");
    row("running sum, the other way", {"cumsum_back(g, axis)", {g, {"axis", ints({}, {1})}}}, "[2,2] 3 2 7 4");
    row("per channel", {"per_channel(self)", {line, {"g", floats({1, 2, 3}, {0, 0, 0, 0, 0, 0})}}}, "[2,1] 10 100");
    row("one number for two channels", {"per_channel(self)", {line, {"g", floats({1, 4}, {0, 0, 0, 0})}}},
        "[4] 10 10 100 100");
    row("rows without a mean", {"scaled_rows(self)", {{"self", floats({1, 2}, {3, 4})}}, {{"epsilon", 0.0}}},
        "[1,2] 0.848528 1.13137");
    row("rows", {"normalized_rows(g)", {g}, {{"epsilon", 0.75}}}, "[2,2] -0.5 0.5 -0.5 0.5");
    row("groups that do not divide", {"normalized_groups(g)", {g}, {{"num_groups", std::int64_t {3}}}}, "error");
}

void FormulaWalk::valuesOfTheHost()
{
    QFETCH(const QString, got);
    QFETCH(const QString, expected);
    QCOMPARE(got, expected);
}

void FormulaWalk::stepsOfABackend_data()
{
    QTest::addColumn<QString>("got");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const Walk& walk, const char* expected) {
        const Stage stage(walk);
        const FormulaSteps steps = recordingSteps();
        const FormulaScope scope(*stage.call, steps, stage.names, walk.variable);
        asked.clear();
        const auto value = evaluateFormula(parseFormula(walk.formula).value(), scope);
        QString text;
        for (const std::string& step : asked)
            text += QString::fromStdString(step) + QStringLiteral("; ");
        QTest::newRow(name) << text + (value.ok() ? QStringLiteral("ok") : QStringLiteral("error"))
                            << QString::fromLatin1(expected);
    };
    const auto g = std::pair {std::string("g"), floats({4, 3}, std::vector<double>(12, 0))};
    const auto self = std::pair {std::string("self"), floats({4, 3}, std::vector<double>(12, 0))};
    row("one pass for what is elementwise", {"-g * self / (self * self)", {g, self}}, "compute 6 of 2 [4,3]; ok");
    row("whole tensors cut it", {"self * along(g * self)", {g, self}, {{"grad.axes", Ints {1}}}},
        "compute 3 of 2 [4,3]; reduce [4,1]; compute 3 of 2 [4,3]; ok");
    row("nothing to sum", {"along(g)", {g}}, "ok");
    row("a gradient that is stored smaller is written out",
        {"matmul(g, self)",
         {{"g", floats({1, 3}, {0, 0, 0})}, {"self", floats({3, 2}, std::vector<double>(6, 0))}},
         {{"grad.sizes.g", Ints {4, 3}}}},
        "compute 1 of 1 [4,3]; multiply a b [4,2]; ok");
    row("transposed while it is read",
        {"matmul_right(self, g)", {g, self, {"other", floats({3, 3}, std::vector<double>(9, 0))}}, {}, "other"},
        "multiply a' b [3,3]; ok");
    row("a type that is not read", {"g + self", {g, {"self", ints({3}, {1, 2, 3})}}}, "error");
    row("weights of a convolution",
        {"conv_weight(g, x)",
         {{"g", floats({1, 1, 2}, {0, 0})}, {"x", floats({1, 1, 3}, {0, 0, 0})}, {"self", floats({1, 1, 2}, {0, 0})}}},
        "convolve [1,1,2]; ok");
}

void FormulaWalk::stepsOfABackend()
{
    valuesOfTheHost();
}

void FormulaWalk::aProgramComputesNothingTwice()
{
    FormulaProgram program;
    const FormulaValue x {.shape = {2, 1}, .dtype = DType::Float32};
    const auto first = program.read(x, "x");
    QCOMPARE(program.read(x, "x"), first);
    QVERIFY(program.read(x) != first); // without a name it may be another tensor
    QCOMPARE(program.read({.number = 2}), program.read({.number = 2}));
    const std::size_t sum = program.append({Operation::Add, *first, *first});
    QCOMPARE(program.append({Operation::Add, *first, *first}), sum);
    QVERIFY(program.read({.shape = {1, 3}}, "y").has_value());
    QCOMPARE(program.shape, (Shape {2, 3}));
    QVERIFY(!program.read({.shape = {4}}, "z").has_value());
}

void FormulaWalk::everyOperationIsThatOfItsName_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<double>("expected"); // at 0.75, 2, -1
    const auto row = [](const char* name, double expected) {
        QTest::newRow(name) << QString::fromLatin1(name) << expected;
    };
    row("+", 2.75);
    row("-", -1.25);
    row("*", 1.5);
    row("/", 0.375);
    row("neg", -0.75);
    row("abs", 0.75);
    row("cos", std::cos(0.75));
    row("cosh", std::cosh(0.75));
    row("erf", std::erf(0.75));
    row("exp", std::exp(0.75));
    row("log", std::log(0.75));
    row("sigmoid", 1 / (1 + std::exp(-0.75)));
    row("sign", 1);
    row("sin", std::sin(0.75));
    row("sinh", std::sinh(0.75));
    row("softplus", std::log(1 + std::exp(0.75)));
    row("sqrt", std::sqrt(0.75));
    row("tan", std::tan(0.75));
    row("tanh", std::tanh(0.75));
    row("trunc", 0);
    row("both", 1);
    row("eq", 0);
    row("ge", 0);
    row("gt", 0);
    row("le", 1);
    row("lt", 1);
    row("pow", 0.5625);
    row("where", 2);
}

void FormulaWalk::everyOperationIsThatOfItsName()
{
    QFETCH(const QString, name);
    QFETCH(const double, expected);
    const auto operation = operationNamed(name.toStdString());
    QVERIFY(operation.has_value());
    QCOMPARE(applied(*operation, 0.75, 2.0, -1.0), expected);
    QCOMPARE(applied(*operation, 0.75F, 2.0F, -1.0F), static_cast<float>(expected));
    QVERIFY(!operationNamed(name.toStdString() + "x").has_value());
}

void FormulaWalk::aGradientIsBroughtToItsOutput_data()
{
    QTest::addColumn<QString>("formula");
    QTest::addColumn<QList<qint64>>("shape"); // of the variable and of the output
    QTest::addColumn<QString>("expected");
    QTest::addColumn<double>("times");
    // g is [2,2], stored as [1,2].
    QTest::newRow("as it is") << QStringLiteral("g") << QList<qint64> {2, 2} << QStringLiteral("[1,2] 1 2") << 1.0;
    QTest::newRow("rows that are alike count twice")
        << QStringLiteral("g") << QList<qint64> {1, 2} << QStringLiteral("[1,2] 1 2") << 2.0;
    QTest::newRow("summed over columns") << QStringLiteral("g") << QList<qint64> {2, 1} << QStringLiteral("[1,1] 3")
                                         << 1.0;
    QTest::newRow("summed over all") << QStringLiteral("g") << QList<qint64> {} << QStringLiteral("[] 3") << 2.0;
    QTest::newRow("a number for all elements")
        << QStringLiteral("3") << QList<qint64> {1} << QStringLiteral("[1] 3") << 4.0;
}

void FormulaWalk::aGradientIsBroughtToItsOutput()
{
    QFETCH(const QString, formula);
    QFETCH(const QList<qint64>, shape);
    QFETCH(const QString, expected);
    QFETCH(const double, times);
    const Shape target(shape.begin(), shape.end());
    const Walk walk {"", {{"g", floats({1, 2}, {1, 2})}}, {{"grad.sizes.g", Ints {2, 2}}, {"grad.sizes.self", target}}};
    const Stage stage(walk);
    const FormulaScope scope(*stage.call, hostSteps(), stage.names, "self");

    const auto gradient = bringGradient(parseFormula(formula.toStdString()).value(), scope, target);

    QVERIFY(gradient.ok());
    QCOMPARE(textOf(gradient.value().value, scope), expected);
    QCOMPARE(gradient.value().times, times);
}

QTEST_APPLESS_MAIN(FormulaWalk)
#include "tst_formula_walk.moc"
