#include "core/graph/graph_builder.h"
#include "core/picture/groups/graph_groups.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// A chain of nodes with the given names.
Graph chain(const QStringList& names)
{
    GraphBuilder builder("chain");
    ValueId last = builder.addInput("x", TensorType::dense(DType::Float32, {4}));
    for (const QString& name : names) {
        const std::string text = name.toStdString();
        const NodeId node = builder.addNode({.name = text, .op = "Relu"}, {last}, {text + ".out"});
        last = builder.output(node, 0);
    }
    builder.addOutput(last);
    return std::move(builder).build().value();
}

} // namespace

/// Groups of the graph that are made by hand.
class tst_HandGroups : public QObject
{
    Q_OBJECT

private slots:
    void groupsByHandStandInTheSmallestThatHasThem();
};

/// A group that is whole in it goes along; of another one only what is named.
void tst_HandGroups::groupsByHandStandInTheSmallestThatHasThem()
{
    const Graph graph = chain({"/enc/l0/a", "/enc/l0/b", "/enc/l1/a", "/enc/l1/b", "head"});
    const auto told = [&](std::vector<NamedNodes> byHand) {
        const GroupTree tree = groupNodes(graph, byHand);
        QStringList lines;
        for (const Group& group : tree.groups) {
            QStringList nodes;
            for (const NodeId node : group.nodes)
                nodes << QString::fromStdString(graph[node].name);
            const QString parent = group.parent.valid() ? QString::fromStdString(tree[group.parent].name) : QString();
            lines << QStringLiteral("%1<%2(%3) %4")
                         .arg(QString::fromStdString(group.name), parent)
                         .arg(group.nodeCount)
                         .arg(nodes.join(u' '));
        }
        return lines.join(QStringLiteral("; "));
    };
    const QString name = QString::fromStdString(graph.name);
    QCOMPARE(told({{"mine", {"/enc/l1/a", "/enc/l0/a", "/enc/l0/b", "gone"}}}),
             name + QStringLiteral("<(5) head; enc<") + name +
                 QStringLiteral("(4) ; l1<enc(1) /enc/l1/b; mine<enc(3) /enc/l1/a; l0<mine(2) /enc/l0/a /enc/l0/b"));
    QCOMPARE(told({{"mine", {"gone"}}}), told({}));
}

QTEST_GUILESS_MAIN(tst_HandGroups)
#include "tst_hand_groups.moc"
