#include "core/facts/english/english.h"
#include "core/ops/derivatives/derivatives.h"

#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

/// Formulas and the files that hold them.
class Derivatives : public QObject
{
    Q_OBJECT

private slots:
    void formulasNameWhatTheyRead_data();
    void formulasNameWhatTheyRead();
    void brokenFilesNameTheLine_data();
    void brokenFilesNameTheLine();
    void theFirstDerivativeThatFitsIsTaken_data();
    void theFirstDerivativeThatFitsIsTaken();
    void aFileReplacesAndAdds();
};

void Derivatives::formulasNameWhatTheyRead_data()
{
    QTest::addColumn<QByteArray>("formula");
    QTest::addColumn<QString>("mentions");
    QTest::newRow("values") << QByteArray("-g * self / (other*other)") << "g self other other";
    QTest::newRow("metadata") << QByteArray("g * count(self)") << "g (self)";
    QTest::newRow("held") << QByteArray("with(g, held(self))") << "g [self]";
    QTest::newRow("metadata of what is held") << QByteArray("count(held(self))") << "(self)";
    QTest::newRow("attributes are no tensors") << QByteArray("attr(alpha, 1) * g") << "g";
    QTest::newRow("numbers") << QByteArray("1e-5 + .5 * -2") << "";
}

void Derivatives::formulasNameWhatTheyRead()
{
    QFETCH(QByteArray, formula);

    QStringList names;
    for (const Mention& mention : mentionsOf(parseFormula(formula.toStdString()).value())) {
        const QString name = QString::fromStdString(mention.name);
        names += mention.kind == Mention::Kind::Value  ? name
                 : mention.kind == Mention::Kind::Held ? u'[' + name + u']'
                                                       : u'(' + name + u')';
    }
    QTEST(names.join(u' '), "mentions");
}

void Derivatives::brokenFilesNameTheLine_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const QByteArray& text, const char* error) {
        QTest::newRow(name) << text << QString::fromUtf8(error);
    };
    row("no operator", "self: g\n", "line 1: a line 'op NAME(arguments)' was expected.");
    row("no parenthesis", "op Mul\n", "line 1: 'NAME(arguments)' was expected.");
    row("a name with a blank", "op My op(a)\n", "line 1: 'My op' is no name of an operator.");
    row("twice the same argument", "# first\nop f(a, a)\n", "line 2: two arguments are called 'a'.");
    row("an argument called g", "op f(g)\n", "line 1: 'g' cannot name an argument.");
    row("a list in front", "op f(a..., b)\n", "line 1: a list must be the last argument.");
    row("no colon", "op f(a)\n a = g\n", "line 2: 'variable: formula' was expected.");
    row("no such variable", "op f(a)\n b: g\n", "line 2: 'b' is no argument of f.");
    row("two formulas", "op f(a)\n a: g\n a: g\n", "line 3: 'a' has two formulas.");
    row("a gradient for a setting", "op f(a#)\n a: g\n", "line 2: 'a' is a setting (#) and has no gradient.");
    row("nobody knows the name", "op f(a)\n a: g * weight\n",
        "line 2: 'weight' is neither an argument nor an output of f.");
    row("no such function", "op f(a)\n a: sqare(g)\n",
        "line 2: In 'sqare(g)', column 1: there is no function 'sqare'.");
    row("too many arguments", "op f(a)\n a: exp(g, a)\n",
        "line 2: In 'exp(g, a)', column 1: 'exp' does not take 2 arguments.");
    row("an open parenthesis", "op f(a)\n a: g * (a\n", "line 2: In 'g * (a', column 7: ')' was expected.");
    row("an end", "op f(a)\n a: g *\n", "line 2: In 'g *', column 4: a number, a name or a parenthesis was expected.");
    row("too much", "op f(a)\n a: g g\n", "line 2: In 'g g', column 3: nothing more was expected.");
    row("a hint without joint", "op f(a)\n a: g\n hint a: a\n", "line 3: a hint names an argument of a joint formula.");
    row("a condition", "op f(a) when raining\n",
        "line 1: a condition is 'random', 'number ARGUMENT', 'absent ARGUMENT', 'attribute NAME VALUE' or 'ranks SIZE "
        "…'.");
    row("deep", "op f(a)\n a: " + QByteArray(500, '(') + "\n", "fewer parentheses was expected.");
    row("long", "op f(a)\n a: g" + QByteArray(3000, ' ') + "+ g\n",
        "line 2: The formula is longer than 2000 characters.");
}

void Derivatives::brokenFilesNameTheLine()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, error);

    const Result<DerivativeSet> set = DerivativeSet().with(text.toStdString());

    QVERIFY(!set.ok());
    QVERIFY2(QString::fromStdString(describe(set.error())).endsWith(error), describe(set.error()).data());
}

void Derivatives::theFirstDerivativeThatFitsIsTaken_data()
{
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<QString>("name");
    const auto row = [](const char* name, const QByteArray& node, const char* wanted) {
        QTest::newRow(name)
            << "input x float32[2,2]\ninput v float32[2]\nconst k float32[] = 2\nconst t float32[1] = 2\n" + node +
                   "output y\n"
            << QString::fromLatin1(wanted);
    };
    row("mm", "y = MatMul(x, x)\nvalue y float32[2,2]\n", "aten::mm");
    row("mv", "y = MatMul(x, v)\n", "aten::mv");
    row("dot", "y = MatMul(v, v)\n", "aten::dot");
    row("a tensor", "y = Mul(x, v)\n", "aten::mul");
    row("a number", "y = Mul(x, k)\n", "aten::mul.Scalar");
    row("a constant tensor of one element", "y = Mul(x, t)\n", "aten::mul");
    row("such a divisor", "y = Div(x, t)\n", "aten::div");
    row("such an exponent", "y = Pow(x, t)\n", "aten::pow.Tensor_Tensor");
    row("fmod", "y = Mod(x, x) fmod=1\n", "aten::fmod");
    row("another mod", "y = Mod(x, x)\n", "nothing");
    row("an unknown operator", "y = my::Op(x)\n", "nothing");
    row("no such argument", "y = Neg(x, v)\n", "nothing");
}

void Derivatives::theFirstDerivativeThatFitsIsTaken()
{
    QFETCH(QByteArray, graph);
    const Graph read = test::graphFromText(graph.toStdString());

    const Derivative* found = derivatives26().find(read, NodeId(std::size_t(0)));

    QTEST(QString::fromStdString(found ? found->names.front() : "nothing"), "name");
}

void Derivatives::aFileReplacesAndAdds()
{
    const DerivativeSet set = derivatives26().with("op Relu(self)\n  self: g * self\nop my::Op(a)\n  a: g\n").value();

    QCOMPARE(set.all().size(), derivatives26().all().size() + 1);
    QVERIFY(set.find("Relu")->names.empty());
    QVERIFY(set.find("my::Op"));
    QVERIFY(!derivatives26().find("my::Op"));
}

QTEST_APPLESS_MAIN(Derivatives)
#include "tst_derivatives.moc"
