#include "core/facts/english/english.h"
#include "tests/kernels/run/run_support.h"

#include "tests/support/graph_text.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;
using namespace plimsoll::test;

namespace {

/// x is copied to p, \p op makes q of it, and both become r.
std::string chain(const std::string& op)
{
    return "input x float32[4,4]\na: p = Neg(x)\nb: q = " + op + "\nvalue q float32[4,4]\nc: r = Exp(q)\noutput r\n";
}

/// q where p is.
Report qOverP(Report report)
{
    moveValue(report, "q", report.program.map.values[findValue(*report.program.graph, "p").index()].offset);
    return report;
}

/// "p: …; q: …": the values that differ.
QString differing(const Result<kernels::RunOutcome>& outcome)
{
    if (!outcome.ok()) return QString::fromStdString(describe(outcome.error()));
    QStringList found;
    for (const RunResult::Mismatch& mismatch : outcome.value().result.mismatches)
        found << QString::fromStdString(mismatch.value + ": " + english(mismatch.note));
    return found.join(QStringLiteral("; "));
}

/// Gives the node \p name a scratchpad of 64 bytes over \p value.
Report withScratchpadOver(Report report, std::string_view name, std::string_view value)
{
    PlannedProgram& program = report.program;
    const auto node = std::ranges::find(program.graph->nodes, name, &Node::name) - program.graph->nodes.begin();
    ValuePlacement where = program.map.values[findValue(*program.graph, value).index()];
    where.bytes = 64;
    program.implementations.at(NodeId(static_cast<std::size_t>(node))).scratchpadBytes = 64;
    program.map.scratch.push_back({NodeId(static_cast<std::size_t>(node)), where});
    return report;
}

class NodeWritesTest : public QObject
{
    Q_OBJECT

private slots:
    void aNodeThatWritesOverItsOwnInputShows_data()
    {
        QTest::addColumn<QByteArray>("op");
        QTest::addColumn<bool>("shows");

        QTest::newRow("a hash for the node") << QByteArray("my::F(p)") << true;
        QTest::newRow("matrix product") << QByteArray("MatMul(p, x)") << true;
        QTest::newRow("Gemm") << QByteArray("Gemm(p, x)") << true;
        QTest::newRow("Einsum") << QByteArray("Einsum(p, x) equation=\"ij,jk->ik\"") << true;
        QTest::newRow("transposed") << QByteArray("Transpose(p)") << true;
        QTest::newRow("in place") << QByteArray("Sigmoid(p)") << false;
        QTest::newRow("in place over the first operand") << QByteArray("Add(p, x)") << false;
    }
    void aNodeThatWritesOverItsOwnInputShows()
    {
        QFETCH(QByteArray, op);
        QFETCH(bool, shows);
        const Graph graph = graphFromText(chain(op.toStdString()));
        for (const BackendPolicy backend : {BackendPolicy::Reference, BackendPolicy::OneDnn}) {
            Policies policies;
            policies.backend = backend;
            policies.fusion = FusionPolicy::Off;
            Report report = planned(graph, policies);
            QCOMPARE(differing(executed(report)), QString());
            for (std::size_t node = 0; node < report.program.graph->nodes.size(); ++node) {
                Implementation& chosen = report.program.implementations.at(NodeId(node));
                if (!shows) chosen.inPlaceKnown = false;
            }
            const QString found = differing(executed(qOverP(report)));
            QCOMPARE(found.startsWith(QStringLiteral("p: 16 of 16 elements differ")), shows);
            QCOMPARE(found.contains(QStringLiteral("overwritten by 'q' at step 1")), shows);
        }
    }

    void aPartOfItsInputIsEnough()
    {
        Report report = plannedForReference(chain("Sigmoid(p)"));
        const std::int64_t p = report.program.map.values[findValue(*report.program.graph, "p").index()].offset;
        PlannedArena& arena = report.program.map.arenas.front();
        arena.bytes += 64;
        moveValue(report, "q", p + 16); // in place is at the same bytes, not beside them
        const QString found = differing(executed(report));
        QVERIFY2(found.startsWith(QStringLiteral("p: 12 of 16 elements differ")), qPrintable(found));
    }

    /// F(p, p) may be written over its second operand, and reads other elements of the first.
    void anOperandThatIsReadElsewhereAsWellShows()
    {
        for (const AccessMap& first : {sameIndex(2), AccessMap {}}) {
            Graph graph = graphFromText(chain("my::F(p, p) alias=0:in-place:1"));
            auto inside = std::make_shared<InnerOperations>();
            inside->operands = {{{false, 0, first}, {false, 1, sameIndex(2)}}};
            inside->results = {0};
            graph.nodes[1].declared.edit().inside = inside;
            Policies policies;
            policies.backend = BackendPolicy::Reference;
            const QString found = differing(executed(qOverP(planned(graph, policies))));
            QCOMPARE(found.startsWith(QStringLiteral("p: 16 of 16")), first == AccessMap {});
        }
    }

    /// The new version of t is written over what it is made of; t itself is not looked at.
    void aNewVersionOverAnOperandShows()
    {
        Report report = plannedForReference(
            "input x float32[4,4]\na: t = Neg(x)\nb: p = Exp(x)\n"
            "c: s = my::Put(t, p) alias=0:mutates:0 ignores=[0]\nvalue s float32[4,4]\nd: r = Exp(s)\noutput r\n");
        QCOMPARE(differing(executed(report)), QString());
        const std::int64_t t = report.program.map.values[findValue(*report.program.graph, "t").index()].offset;
        report.program.map.arenas.front().bytes += 64;
        moveValue(report, "p", t + 16);
        const QString found = differing(executed(report));
        QVERIFY2(found.startsWith(QStringLiteral("p: 12 of 16 elements differ")), qPrintable(found));
    }

    void aScratchpadOverLiveBytesShows_data()
    {
        QTest::addColumn<QByteArray>("op");
        QTest::addColumn<QByteArray>("over");
        QTest::addColumn<QString>("spoiled");

        for (const QByteArray& op : {QByteArray("my::F(p)"), QByteArray("MatMul(p, x)")}) {
            QTest::addRow("%s: its own input", op.constData()) << op << QByteArray("p") << QStringLiteral("p: ");
            QTest::addRow("%s: its own output", op.constData()) << op << QByteArray("q") << QStringLiteral("q: ");
            QTest::addRow("%s: read later", op.constData()) << op << QByteArray("k") << QStringLiteral("k: ");
        }
    }
    void aScratchpadOverLiveBytesShows()
    {
        QFETCH(QByteArray, op);
        QFETCH(QByteArray, over);
        QFETCH(QString, spoiled);
        const Report report =
            plannedForReference("input x float32[4,4]\nk: k = Neg(x)\na: p = Exp(x)\nb: q = " + op.toStdString() +
                                "\nvalue q float32[4,4]\nc: r = Add(q, k)\noutput r\n");
        const QString found = differing(executed(withScratchpadOver(report, "b", over.constData())));
        QVERIFY2(found.startsWith(spoiled), qPrintable(found));
    }

    void bytesThatArePlannedTooFewAreNotKept()
    {
        Report report = plannedForReference(chain("Sigmoid(p)"));
        ValuePlacement& q = report.program.map.values[findValue(*report.program.graph, "q").index()];
        report.program.map.arenas.front().bytes += 128;
        q.offset = report.program.map.arenas.front().bytes - 64; // nothing else is near
        q.bytes = 56;
        const QString found = differing(executed(report));
        QVERIFY2(found.startsWith(QStringLiteral("q: 2 of 16 elements differ")), qPrintable(found));
    }

    /// p ─► t ─► u ─► t … ─► y: the state begins as p, goes on as u, and ends as y; d goes on as the condition.
    void whatALoopHandsOnIsReadFirst_data()
    {
        QTest::addColumn<QByteArray>("moved");
        QTest::addColumn<QByteArray>("over");
        QTest::addColumn<int>("further");
        QTest::addColumn<QString>("spoiled");

        QTest::newRow("where it is") << QByteArray("w/body/t") << QByteArray("w/body/u") << 0 << QString();
        QTest::newRow("the next state over the condition")
            << QByteArray("w/body/t") << QByteArray("w/body/d") << 0 << QStringLiteral("w/body/d: ");
        QTest::newRow("the iteration's number over the condition")
            << QByteArray("w/body/i") << QByteArray("w/body/d") << 0 << QStringLiteral("w/body/d: ");
        QTest::newRow("the iteration's number over the state, which nothing reads before it goes on")
            << QByteArray("w/body/i") << QByteArray("w/body/v") << 0 << QStringLiteral("w/body/v: ");
        QTest::newRow("the result beside the last state")
            << QByteArray("y") << QByteArray("w/body/t") << 4 << QStringLiteral("w/body/t: ");
    }
    void whatALoopHandsOnIsReadFirst()
    {
        QFETCH(QByteArray, moved);
        QFETCH(QByteArray, over);
        QFETCH(int, further);
        QFETCH(QString, spoiled);
        Policies policies;
        policies.backend = BackendPolicy::Reference;
        policies.placement = "no-reuse";
        Report report =
            planned(graphFromText("input n int64[]\ninput b bool[]\ninput x float32[4]\na: p = Exp(x)\n"
                                  "w: y, o = Loop(n, b, p, p)\nbody body\n  input i int64[]\n  input c bool[]\n"
                                  "  input t float32[4]\n  input v float32[4]\n  m: u = Neg(t)\n"
                                  "  k: d = Identity(c)\n  output d u u\nend\nz: r = Exp(y)\noutput r\n"),
                    policies);
        QCOMPARE(differing(executed(report)), QString());
        const ValuePlacement& place =
            report.program.map.values[findValue(*report.program.graph, over.toStdString()).index()];
        report.program.map.arenas.front().bytes += 64;
        moveValue(report, moved.toStdString(), place.offset + further);
        const QString found = differing(executed(report));
        QVERIFY2(spoiled.isEmpty() ? found.isEmpty() : found.contains(spoiled), qPrintable(found));
    }

    void anNpuArrangesItsOwnMemory()
    {
        const Report report = qOverP(plannedForReference(chain("tflite::ethos-u(p)")));
        QCOMPARE(differing(executed(report)), QString());
        QCOMPARE(differing(executed(withScratchpadOver(report, "b", "p"))), QString());
    }

    /// A loop that has no kernel: what a trip makes becomes the owner's output where it is.
    void whatAnOwnerHandsOnIsNoDamage()
    {
        const Report report =
            plannedForReference("input b bool[]\ninput x float32[4]\na: p = Exp(x)\nw: y = tflite::WHILE(b, p)\n"
                                "body body\n  input t float32[4]\n  n: u = Neg(t)\n  c: k = my::Less(u)\n"
                                "  value k bool[]\n  output k u\nend\nz: r = Neg(y)\noutput r\n");
        const auto offset = [&](std::string_view name) {
            return report.program.map.values[findValue(*report.program.graph, name).index()].offset;
        };
        QCOMPARE(offset("y"), offset("w/body/u"));
        QCOMPARE(differing(executed(report)), QString());
    }
};

} // namespace

QTEST_GUILESS_MAIN(NodeWritesTest)
#include "tst_node_writes.moc"
