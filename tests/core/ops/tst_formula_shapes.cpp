#include "core/ops/derivatives/formula_shape.h"

#include <QTest>

#include <map>

using namespace plimsoll;

/// Formulas as trees, and how small the tensors of a formula may be.
class FormulaShapes : public QObject
{
    Q_OBJECT

private slots:
    void operatorsBindAsUsual_data();
    void operatorsBindAsUsual();
    void everyFunctionIsFoundByItsName();
    void gradientsAreNamedByOutput();
    void namesAndZerosAreRecognised();
    void shapesStayCompact_data();
    void shapesStayCompact();
    void reducedAxesComeBack_data();
    void reducedAxesComeBack();
};

namespace {

/// "(g * (a + 1))"
QString textOf(const Formula& formula, std::size_t index)
{
    const Formula::Term& term = formula.terms[index];
    const QString text = QString::fromStdString(term.text);
    if (term.kind != Formula::Kind::Call) return text;
    QStringList arguments;
    for (const std::size_t argument : term.arguments)
        arguments += textOf(formula, argument);
    const bool infix = text.size() == 1 && QStringLiteral("+-*/").contains(text);
    return infix ? u'(' + arguments.join(u' ' + text + u' ') + u')' : text + u'(' + arguments.join(u',') + u')';
}

/// "2,1"; "" is a scalar.
Shape shapeIn(const QString& text)
{
    Shape shape;
    for (const QString& size : text.split(u',', Qt::SkipEmptyParts))
        shape.push_back(size.toLongLong());
    return shape;
}

QString textOf(const std::optional<Shape>& shape)
{
    if (!shape) return QStringLiteral("none");
    QStringList sizes;
    for (const std::int64_t size : *shape)
        sizes += QString::number(size);
    return sizes.join(u',');
}

} // namespace

void FormulaShapes::operatorsBindAsUsual_data()
{
    QTest::addColumn<QString>("tree");
    const auto row = [](const char* text, const char* tree) { QTest::newRow(text) << QString::fromLatin1(tree); };
    row("g", "g");
    row("a + b * c", "(a + (b * c))");
    row("(a + b) * c", "((a + b) * c)");
    row("a - b - c", "((a - b) - c)");
    row("a / b * c", "((a / b) * c)");
    row("-g * a", "(neg(g) * a)");
    row("a * -b", "(a * neg(b))");
    row("--a", "neg(neg(a))");
    row("exp( a )", "exp(a)");
    row("where(gt(a, 0), g, 0)", "where(gt(a,0),g,0)");
    row("1e-5 + .5", "(1e-5 + .5)");
    row("pow(a, 2) - 1", "(pow(a,2) - 1)");
    row("moved_back(g, a, b)", "moved_back(g,a,b)");
}

void FormulaShapes::operatorsBindAsUsual()
{
    const auto formula = parseFormula(QTest::currentDataTag());
    QVERIFY(formula.ok());
    QTEST(textOf(formula.value(), formula.value().terms.size() - 1), "tree");
}

void FormulaShapes::everyFunctionIsFoundByItsName()
{
    for (const FormulaFunction& function : formulaFunctions()) {
        QCOMPARE(findFormulaFunction(function.name), &function);
        QVERIFY2(function.least >= 1 && function.least <= function.most, std::string(function.name).data());
    }
    QVERIFY(!findFormulaFunction("no_such_function"));
}

void FormulaShapes::gradientsAreNamedByOutput()
{
    QCOMPARE(gradientName(0), std::string("g"));
    QCOMPARE(gradientName(2), std::string("g2"));
    QVERIFY(isGradientName("g") && isGradientName("g12"));
    QVERIFY(!isGradientName("grad") && !isGradientName("h1") && !isGradientName("") && !isGradientName("g1a"));
}

void FormulaShapes::namesAndZerosAreRecognised()
{
    QVERIFY(parseFormula("self").value().isName("self"));
    QVERIFY(!parseFormula("self").value().isName("other"));
    QVERIFY(!parseFormula("-self").value().isName("self"));
    QVERIFY(parseFormula("0").value().isZero());
    QVERIFY(!parseFormula("1").value().isZero());
    QVERIFY(!parseFormula("0 * g").value().isZero());
}

/// With g [4,3], a [3], b [4,1]; expand puts a first axis of size 1 in front, and "gone" never comes.
void FormulaShapes::shapesStayCompact_data()
{
    QTest::addColumn<QString>("shape");
    const auto row = [](const char* text, const char* shape) { QTest::newRow(text) << QString::fromLatin1(shape); };
    row("g", "4,3");
    row("0.5", "");
    row("a * 2", "3");
    row("a * b", "4,3");
    row("a + exp(a)", "3");
    row("gone * a", "3");
    row("with(a, g)", "3");
    row("count(g) * 2", "");
    row("held(g) + a", "3");
    row("attr(alpha, 1) * b", "4,1");
    row("expand(a)", "1,3");
    row("expand(a) * g", "4,3");
    row("along(g)", "none");
    row("a * matmul(g, a)", "none");
    row("expand(reduce(g))", "none");
    row("a * odd", "none"); // [3] and [2]
}

void FormulaShapes::shapesStayCompact()
{
    const std::map<std::string_view, Shape> shapes = {{"g", {4, 3}}, {"a", {3}}, {"b", {4, 1}}, {"odd", {2}}};
    const auto shapeOfName = [&](std::string_view name) {
        const auto found = shapes.find(name);
        return found == shapes.end() ? std::nullopt : std::optional(found->second);
    };
    const auto expanded = [](const Shape& shape) {
        Shape more = shape;
        more.insert(more.begin(), 1);
        return more;
    };
    QTEST(textOf(compactShape(parseFormula(QTest::currentDataTag()).value(), shapeOfName, expanded)), "shape");
}

void FormulaShapes::reducedAxesComeBack_data()
{
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QString>("reduced");
    QTest::addColumn<QString>("axes");
    QTest::addColumn<int>("rank");
    QTest::addColumn<QString>("result");
    const auto row = [](const char* name, const char* shape, const char* reduced, const char* axes, int rank,
                        const char* result) {
        QTest::newRow(name) << QString::fromLatin1(shape) << QString::fromLatin1(reduced) << QString::fromLatin1(axes)
                            << rank << QString::fromLatin1(result);
    };
    row("in the middle", "2,4", "2,4", "1", 3, "2,1,4");
    row("all of them", "", "", "0,1", 2, "1,1");
    row("a scalar for a matrix", "", "2,4", "1", 3, "1,1,1");
    row("first and last", "3", "3", "0,2", 3, "1,3,1");
    row("they were kept", "2,1,4", "2,1,4", "1", 3, "2,1,4");
    row("a row for a matrix", "4", "2,4", "0", 3, "1,1,4");
}

void FormulaShapes::reducedAxesComeBack()
{
    QFETCH(const QString, shape);
    QFETCH(const QString, reduced);
    QFETCH(const QString, axes);
    QFETCH(const int, rank);
    const Shape result = withReducedAxes(shapeIn(shape), shapeIn(reduced), shapeIn(axes), std::size_t(rank));
    QTEST(textOf(result), "result");
}

QTEST_APPLESS_MAIN(FormulaShapes)
#include "tst_formula_shapes.moc"
