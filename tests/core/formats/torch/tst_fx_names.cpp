#include "core/facts/english/english.h"
#include "core/formats/torch/fx_names.h"

#include <QtTest>

using namespace plimsoll;
using namespace plimsoll::fx;

namespace {

Expression expressionIn(const char* text)
{
    return Scanner(text, 1).expression().value();
}

/// "name = text" in line 7; what has no annotation may be a tuple.
Statement statement(const char* name, const char* text, const char* annotation = "")
{
    return {{{name, annotation, {}, 7}}, expressionIn(text), {}, 7, {}, {}};
}

/// x and y are tensors, pair is a tuple of a and b, of which the graph has a; size is a number; old was given up.
struct Text
{
    Text()
    {
        for (const char* name : {"x", "y", "a"}) {
            NamedValue value;
            value.name = name;
            writer.addInput(std::move(value), {});
        }
    }
    GraphWriter writer;
    Expression number = expressionIn("4");
    Names names {writer, {{"pair", {{"a", {}, {}, 1}, {"b", {}, {}, 1}}}}, {{"size", &number}}, {{"old", 3}}};
};

QString joined(const std::vector<std::string>& names)
{
    QStringList list;
    for (const std::string& name : names)
        list << QString::fromStdString(name);
    return list.join(u' ');
}

} // namespace

class FxNamesTest : public QObject
{
    Q_OBJECT

private slots:
    void elementsAreOutputsOfTheirTuple();
    void namesAreCheckedWhereTheyAreRead_data();
    void namesAreCheckedWhereTheyAreRead();
    void aTupleMeansTheTensorsThatTheGraphHas();
    void aCallWritesToItsFirstArgument_data();
    void aCallWritesToItsFirstArgument();
};

void FxNamesTest::elementsAreOutputsOfTheirTuple()
{
    const Elements elements = findElements(
        {statement("pair", "torch.split(x, 2)"), statement("b", "pair[1]", "f32[2]"),
         statement("again", "pair[1]", "f32[2]"), statement("t", "torch.relu(x)", "f32[4]"),
         statement("row", "t[0]", "f32[]"), statement("late", "unknown[0]"), statement("far", "pair[4096]")});
    QCOMPARE(elements.size(), 1u);
    const std::vector<Declared>& outputs = elements.at("pair");
    QCOMPARE(outputs.size(), 2u);
    QCOMPARE(outputs[0].name, std::string());
    QCOMPARE(outputs[1].name, std::string("b"));
}

void FxNamesTest::namesAreCheckedWhereTheyAreRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("error");
    QTest::newRow("tensor") << "torch.add(x, y)"
                            << "";
    QTest::newRow("tuple and number") << "f(pair, [size], k = size)"
                                      << "";
    QTest::newRow("global") << "f(torch.float32, device(type = 'cpu'))"
                            << "";
    QTest::newRow("attribute of a tensor") << "x.shape"
                                           << "";
    QTest::newRow("unknown") << "f(x, [z])"
                             << "'z' is read here, but neither an input nor computed above.";
    QTest::newRow("given up") << "f(k = old.view)"
                              << "'old' is read here, but was given up in line 3.";
}

void FxNamesTest::namesAreCheckedWhereTheyAreRead()
{
    QFETCH(QString, text);
    QFETCH(QString, error);
    const Status status = Text().names.check(expressionIn(text.toUtf8().constData()), "line 7");
    QCOMPARE(status.ok() ? QString() : QString::fromStdString(english(status.error().message)), error);
    if (!status.ok()) QCOMPARE(status.error().where, std::string("line 7"));
}

void FxNamesTest::aTupleMeansTheTensorsThatTheGraphHas()
{
    const Text text;
    QCOMPARE(joined(text.names.tensorsOf("x")), "x");
    QCOMPARE(joined(text.names.tensorsOf("pair")), "a");
    QCOMPARE(joined(text.names.tensorsOf("size")), "");
    QCOMPARE(joined(text.names.tensorsIn(expressionIn("f(y, [pair, x], size, k = x)"))), "y a x x");
}

void FxNamesTest::aCallWritesToItsFirstArgument_data()
{
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("written");
    QTest::newRow("reads only") << "add"
                                << "f(x, y)"
                                << "";
    QTest::newRow("in place") << "add_"
                              << "f(x, y)"
                              << "x";
    QTest::newRow("a method of Python") << "__add__"
                                        << "f(x, y)"
                                        << "";
    QTest::newRow("on request") << "relu"
                                << "f(x, inplace = True)"
                                << "x";
    QTest::newRow("not on request") << "relu"
                                    << "f(x, inplace = False)"
                                    << "";
    QTest::newRow("a list") << "_foreach_add_"
                            << "f([x, y], 1)"
                            << "x y";
    QTest::newRow("a subscript") << "zero_"
                                 << "f(x[y])"
                                 << "x";
}

void FxNamesTest::aCallWritesToItsFirstArgument()
{
    QFETCH(QString, op);
    QFETCH(QString, text);
    QFETCH(QString, written);
    const Callee callee {"aten", op.toStdString(), "default", op.toStdString()};
    QCOMPARE(joined(Text().names.writtenBy(callee, expressionIn(text.toUtf8().constData()))), written);
}

QTEST_APPLESS_MAIN(FxNamesTest)
#include "tst_fx_names.moc"
