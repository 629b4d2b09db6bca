#include "core/advice/freeing.h"

#include "core/facts/english/english.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// "n1 in place 1000": every way with what would be kept, by name.
QString waysFor(const std::string& text, std::string_view value, std::string_view saved)
{
    PlanRequest request;
    test::choose(request.policies, {{"inplace", "off"}, {"alignment", "1"}, {"saved", saved}});
    const Result<std::vector<Freeing>> ways = whatWouldFree(test::graphFromText(text), request, value, {});
    if (!ways.ok()) qFatal("%s", describe(ways.error()).c_str());
    QStringList lines;
    for (const Freeing& way : ways.value())
        lines << QString::fromStdString(english(describe(way))) + u' ' + QString::number(way.boundaryBytes);
    lines.sort();
    return lines.join(QStringLiteral(" | "));
}

/// h and r, of 1,000 bytes each, are kept: one for the activation, one for the second product.
std::string network(const std::string& activation)
{
    return "input x float32[25,10]\nparam w1 float32[10,10]\nparam w2 float32[10,10]\n"
           "n0: h = MatMul(x, w1)\nn1: r = " +
           activation + "(h)\nn2: y = MatMul(r, w2)\nn3: z = ReduceSum(y) keepdims=0\noutput z\ngrad w1 w2\nloss z\n";
}

} // namespace

/// Each change after which a tensor is no longer kept, planned for real.
class FreeingTest : public QObject
{
    Q_OBJECT

private slots:
    void whatWouldFreeIt_data();
    void whatWouldFreeIt();
};

void FreeingTest::whatWouldFreeIt_data()
{
    QTest::addColumn<std::string>("graph");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("saved");
    QTest::addColumn<QString>("ways");
    QTest::newRow("the reader can keep its own result")
        << network("LeakyRelu") << QByteArray("h") << QByteArray("guarded")
        << "freeze w1 1000 | n1 in place 1000 | recompute h: 1 node, 2,400 bytes moved 1000";
    QTest::newRow("another formula, too, keeps the result")
        << network("Relu") << QByteArray("h") << QByteArray("guarded-2019")
        << "freeze w1 1000 | n1 in place 1000 | recompute h: 1 node, 2,400 bytes moved 1000 | saved=exact 1000 | "
           "saved=guarded 1000";
    QTest::newRow("a cheap result")
        << network("LeakyRelu") << QByteArray("r") << QByteArray("guarded")
        << "freeze w2 1000 | recompute r: 1 node, 2,000 bytes moved 1000 | recompute=cheap 1000";
    QTest::newRow("the old version would be kept instead")
        << std::string("input x float32[250]\nparam m float32[250]\nh = Neg(x)\ny = Mul(h, m)\n"
                       "z = ReduceSum(y) keepdims=0\noutput z\ngrad m\nloss z\n")
        << QByteArray("h") << QByteArray("guarded") << "freeze m 0 | recompute h: 1 node, 2,000 bytes moved 0";
}

void FreeingTest::whatWouldFreeIt()
{
    QFETCH(std::string, graph);
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, saved);

    QTEST(waysFor(graph, value.toStdString(), saved.toStdString()), "ways");
}

QTEST_APPLESS_MAIN(FreeingTest)
#include "tst_freeing.moc"
