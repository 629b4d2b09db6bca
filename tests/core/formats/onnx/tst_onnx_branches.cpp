#include "core/facts/english/english.h"
#include "core/formats/onnx/onnx_reader.h"

#include "tests/support/onnx_bytes.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;
using test::ProtoMessage;
namespace make = test::onnx;

namespace {

Result<Graph> read(const ProtoMessage& model)
{
    return readOnnx(model.span(), {});
}

QString errorOf(const Result<Graph>& graph)
{
    return graph.ok() ? QStringLiteral("(no error)") : QString::fromStdString(describe(graph.error()));
}

} // namespace

/// Branches of If: which comes first, and what they read of the graph around them.
class tst_OnnxBranches : public QObject
{
    Q_OBJECT

private slots:
    void thenComesBeforeElse()
    {
        const auto branch = [](const char* op) {
            return ProtoMessage()
                .message(1, make::node(op, {"x"}, {"b"}))
                .message(12, make::valueInfo("b", make::Float, {2}));
        };
        ProtoMessage owner = make::node("If", {"x"}, {"y"});
        owner.message(5, make::graphAttribute("else_branch", branch("Neg")))
            .message(5, make::graphAttribute("then_branch", branch("Exp")));

        const auto graph = read(make::model(make::graphOf({owner})));

        QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
        QCOMPARE(graph.value()[graph.value().nodes[0].bodies[0]].name, std::string("then_branch"));
        QVERIFY(findValue(graph.value(), "If_0/else_branch/b").valid());
    }

    /// Exporters list what a branch reads of the graph around it.
    void whatABranchListsAsInputsIsAroundIt_data()
    {
        QTest::addColumn<bool>("inFunction");
        QTest::addColumn<QByteArray>("listed");
        QTest::addColumn<QString>("error");
        QTest::newRow("around it") << false << QByteArray("p") << QString();
        QTest::newRow("around it, in a function") << true << QByteArray("p") << QString();
        QTest::newRow("nowhere") << false << QByteArray("z") << QStringLiteral("'z' is neither computed by a node nor");
    }

    void whatABranchListsAsInputsIsAroundIt()
    {
        QFETCH(bool, inFunction);
        QFETCH(QByteArray, listed);
        QFETCH(QString, error);
        ProtoMessage branch = ProtoMessage().message(1, make::node("Exp", {listed.toStdString()}, {"b"}));
        branch.message(11, make::valueInfo(listed.toStdString(), make::Float, {2}))
            .message(12, make::valueInfo("b", make::Float, {2}));
        ProtoMessage owner = make::node("If", {"p"}, {"r"});
        owner.message(5, make::graphAttribute("then_branch", branch))
            .message(5, make::graphAttribute("else_branch", branch));
        const ProtoMessage before = make::node("Neg", {"x"}, {"p"});
        const ProtoMessage after = make::node("Neg", {"r"}, {"y"});
        ProtoMessage function = ProtoMessage().text(1, "f").text(10, "my").text(4, "p").text(5, "r").message(7, owner);
        const ProtoMessage call = make::node("f", {"p"}, {"r"}).text(7, "my");

        const auto graph = inFunction ? read(make::model(make::graphOf({before, call, after})).message(25, function))
                                      : read(make::model(make::graphOf({before, owner, after})));

        QCOMPARE(graph.ok(), error.isEmpty());
        QVERIFY2(error.isEmpty() || errorOf(graph).contains(error), qPrintable(errorOf(graph)));
        if (!graph.ok()) return;
        const Graph& g = graph.value();
        const auto reads = [&](const Node& node) {
            return node.op == "Exp" && node.inputs.front() == findValue(g, "p");
        };
        QCOMPARE(std::ranges::count_if(g.nodes, reads), 2);
        if (inFunction) return;
        QCOMPARE(g.notes.size(), std::size_t {1});
        QVERIFY2(QString::fromStdString(english(g.notes).front()).contains(".then_branch and 1 more list inputs."),
                 english(g.notes).front().c_str());
    }
};

QTEST_APPLESS_MAIN(tst_OnnxBranches)
#include "tst_onnx_branches.moc"
