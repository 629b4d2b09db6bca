#include "core/facts/english/english.h"
#include "core/verify/verifier.h"

#include "tests/core/verify/case.h"

#include <QTest>

using namespace plimsoll;

namespace {

constexpr const char* Diamond = R"(
    input x uint8[64]
    a: p = my::Op(x)
    b: q = my::Op(x)
    c: y = my::Op(p,q)
    output y
)";

/// m writes to the bytes that r reads before; s reads what m has left.
constexpr const char* Mutation = R"(
    input x uint8[64]
    p: v = my::Op(x)
    r: before = my::Op(v)
    m: w = my::Op(v) alias=0:mutates:0
    s: after = my::Op(w)
    output before after
)";

constexpr const char* Nested = R"(
    input k bool[]
    input x uint8[64]
    p: v = my::Op(x)
    i: y = If(k)
    body then_branch
      a: t = my::Op(v)
      b: u = my::Op(t)
      output u
    end
    body else_branch
      c: e = my::Op(v)
      output e
    end
    output y
)";

} // namespace

class TestOrder : public QObject
{
    Q_OBJECT

private slots:
    void aPlanIsJudgedInItsOwnOrder_data();
    void aPlanIsJudgedInItsOwnOrder();
    void bothNodesAreSaid();
    void reservedBytesAreKeptFree_data();
    void reservedBytesAreKeptFree();
};

void TestOrder::aPlanIsJudgedInItsOwnOrder_data()
{
    QTest::addColumn<QString>("graph");
    QTest::addColumn<QString>("plan");
    QTest::addColumn<QString>("found");
    const QString apart = QStringLiteral("arena 192\np 0\nq 64\ny 128\n");
    // y may lie on p, which is dead: were the captured order walked, step 1 would be of b.
    QTest::newRow("captured") << Diamond << apart << QString();
    QTest::newRow("b first") << Diamond << apart + "order b a c" << QString();
    QTest::newRow("c before b") << Diamond << apart + "order a c b"
                                << QStringLiteral("order q / c b / [1, 3) / [0, 0)");
    QTest::newRow("backwards") << Diamond << apart + "order c b a"
                               << QStringLiteral("order p / c a / [0, 3) / [0, 0)\norder q / c b / [0, 2) / [0, 0)");
    // The same bytes for p and q: in either order the later one destroys the earlier.
    const QString together = QStringLiteral("arena 128\np 0\nq 0\ny 64\n");
    QTest::newRow("damage") << Diamond << together << QStringLiteral("clobbered-read p q / c b / [1, 3) / [0, 64)");
    QTest::newRow("damage the other way round")
        << Diamond << together + "order b a c" << QStringLiteral("clobbered-read q p / c a / [1, 3) / [0, 64)");
    // v is free behind m in the captured order; in the other one r still reads it.
    const QString moved = QStringLiteral("arena 192\nv 0\nw 0\nbefore 64\nafter 128\n");
    QTest::newRow("a write keeps its place") << Mutation << moved + "order p r m s" << QString();
    QTest::newRow("a write too early")
        << Mutation << moved + "order p m r s"
        << QStringLiteral("clobbered-read v w / r m / [1, 3) / [0, 64)\norder v w / m r / [1, 3) / [0, 0)");
    QTest::newRow("what follows a write too early")
        << Mutation << moved + "order p r s m" << QStringLiteral("order w / s m / [2, 4) / [0, 0)");
    const QString nested = QStringLiteral("arena 320\nv 0\ni/then_branch/t 64\ni/then_branch/u 128\n"
                                          "i/else_branch/e 192\ny 256\n");
    QTest::newRow("nested") << Nested << nested + "order p i i/then_branch/a i/then_branch/b" << QString();
    QTest::newRow("turned round inside")
        << Nested << nested + "order i/then_branch/b i/then_branch/a"
        << QStringLiteral("order i/then_branch/t / i/then_branch/b i/then_branch/a / [2, 4) / [0, 0)");
    QTest::newRow("an owner too early") << Nested << nested + "order i p"
                                        << QStringLiteral("order v / i/then_branch/a p / [1, 8) / [0, 0)\n"
                                                          "order v / i/else_branch/c p / [4, 8) / [0, 0)");
}

void TestOrder::aPlanIsJudgedInItsOwnOrder()
{
    QFETCH(QString, graph);
    QFETCH(QString, plan);
    QFETCH(QString, found);
    QCOMPARE(QString::fromStdString(test::verdict(graph.toStdString(), plan.toStdString())), found);
}

void TestOrder::bothNodesAreSaid()
{
    const test::Case c = test::parseCase(Diamond, "arena 192\np 0\nq 64\ny 128\norder a c b");
    const std::vector<Finding> found = c.judge();
    QCOMPARE(found.size(), std::size_t {1});
    QCOMPARE(QString::fromStdString(english(found.front().message)),
             QStringLiteral("Node 'c' runs at step 1 and reads 'q', which node 'b' does not make before step 2."));
    QCOMPARE(QString::fromStdString(english(found.front().fix)), QStringLiteral("Run 'b' before 'c'."));
}

void TestOrder::reservedBytesAreKeptFree_data()
{
    QTest::addColumn<QString>("plan");
    QTest::addColumn<QString>("found");
    const QString apart = QStringLiteral("arena 256\np 0\nq 64\ny 128\n");
    QTest::newRow("beside") << apart + "reserved 0 192:64" << QString();
    QTest::newRow("in the middle") << apart + "reserved 0 100:4"
                                   << QStringLiteral("reserved q / b / [1, 3) / [100, 104)");
    QTest::newRow("over two") << apart + "reserved 0 60:8"
                              << QStringLiteral("reserved p / a / [0, 3) / [60, 64)\n"
                                                "reserved q / b / [1, 3) / [64, 68)");
    QTest::newRow("of the policy") << apart + "policy reserved 0+1"
                                   << QStringLiteral("reserved p / a / [0, 3) / [0, 1)");
    QTest::newRow("of another memory") << apart + "policy reserved sram=0+1" << QString();
    QTest::newRow("scratchpad") << apart + "scratch b 192:8\nreserved 0 196:60"
                                << QStringLiteral("reserved / b / [1, 2) / [196, 200)");
}

void TestOrder::reservedBytesAreKeptFree()
{
    QFETCH(QString, plan);
    QFETCH(QString, found);
    QCOMPARE(QString::fromStdString(test::verdict(Diamond, plan.toStdString())), found);
}

QTEST_APPLESS_MAIN(TestOrder)
#include "tst_order.moc"
