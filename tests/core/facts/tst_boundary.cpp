#include "core/facts/boundary.h"
#include "core/ops/saving.h"
#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// A chain with a node for each letter: f forward, b backward, c a copy that the planner put in, a a node that runs
/// ahead, and n a nested graph with a backward node inside. Backward begins at \p first.
Report chainOf(const QString& kinds, int first, bool hasLoss)
{
    QString text = QStringLiteral("input x0 float32[4]\ninput k bool[]\n");
    for (int i = 0; i < kinds.size(); ++i) {
        const bool nested = kinds[i] == u'n';
        text += QStringLiteral("n%1: x%2 = %3\n")
                    .arg(i)
                    .arg(i + 1)
                    .arg(nested ? QStringLiteral("If(k)") : QStringLiteral("Neg(x%1)").arg(i));
        if (nested)
            text += QStringLiteral("body then_branch\n t: u = Neg(x%1)\n output u\nend\n"
                                   "body else_branch\n e: v = Abs(x%1)\n output v\nend\n")
                        .arg(i);
    }
    Graph graph = test::graphFromText((text + QStringLiteral("output x%1\n").arg(kinds.size())).toStdString());
    for (int i = 0; i < kinds.size(); ++i) {
        const NodeId node = findNode(graph, "n" + std::to_string(i));
        if (kinds[i] == u'b') graph[node].domain = GradientDomain;
        if (kinds[i] == u'c') graph[node].from.edit().origin.dialect = "plimsoll";
        graph.decided.at(node).ahead = kinds[i] == u'a';
        if (i == first) graph.boundary.firstBackward = node;
    }
    for (Node& node : graph.nodes) {
        if (node.body != TopBody) node.domain = GradientDomain;
    }
    if (hasLoss) graph.loss = findValue(graph, "x" + std::to_string(kinds.size()));
    Report report;
    report.program.schedule = scheduleInCapturedOrder(graph);
    report.program.graph = std::make_shared<const Graph>(std::move(graph));
    return report;
}

} // namespace

class tst_Boundary : public QObject
{
    Q_OBJECT

private slots:
    void passesTurn_data()
    {
        QTest::addColumn<QString>("kinds");
        QTest::addColumn<int>("first");
        QTest::addColumn<bool>("hasLoss");
        QTest::addColumn<QString>("turns"); ///< "b2": backward from step 2 on.
        const auto row = [](const char* name, const char* kinds, int first, bool hasLoss, const char* turns) {
            QTest::newRow(name) << QString::fromUtf8(kinds) << first << hasLoss << QString::fromUtf8(turns);
        };
        row("once", "ffbb", 2, true, "b2");
        row("nowhere", "ffff", -1, true, "");
        row("back again", "ffbbffbf", 2, true, "b2 f4 b6 f7");
        row("what was put in serves either", "ffbcbcffcfb", 2, true, "b2 f6 b10");
        row("behind a captured boundary all is backward", "ffbffb", 2, false, "b2");
        row("the first of backward runs ahead", "ffabb", 2, true, "b2");
        row("all of backward runs ahead", "ffaa", 2, true, "");
        row("what is nested does not count", "ffbfnf", 2, true, "b2 f3");
    }

    void passesTurn()
    {
        QFETCH(const QString, kinds);
        QFETCH(const int, first);
        QFETCH(const bool, hasLoss);
        QFETCH(const QString, turns);
        QStringList found;
        for (const PassTurn& turn : passTurns(chainOf(kinds, first, hasLoss)))
            found.append((turn.backward ? u'b' : u'f') + QString::number(turn.step));
        QCOMPARE(found.join(u' '), turns);
    }
};

QTEST_APPLESS_MAIN(tst_Boundary)
#include "tst_boundary.moc"
