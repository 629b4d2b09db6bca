#include "core/lower/choose/fusion.h"

#include "core/graph/schedule.h"
#include "core/lower/types/infer_types.h"

#include "tests/support/catalogue_text.h"
#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

struct Setting
{
    Policies policies {};
    std::map<std::string, std::string> pins {};
    const std::vector<std::string>* withoutBytes = nullptr;
};

Graph fused(std::string_view text, std::string_view offers, const Setting& setting = {},
            std::vector<Decision>* decisions = nullptr)
{
    const Catalogue catalogue = test::catalogueFromText(offers);
    Graph graph = inferTypes(test::graphFromText(text), {}, {}).value().graph;
    const DecisionLog log = decisions ? DecisionLog(*decisions) : DecisionLog();
    return fuse(std::move(graph), {catalogue, setting.policies, setting.pins, setting.withoutBytes}, log);
}

std::string names(const Graph& graph, std::span<const ValueId> values)
{
    std::string text;
    for (const ValueId value : values)
        text += (text.empty() ? "" : ", ") + (value.valid() ? graph[value].name : std::string("_"));
    return text;
}

/// One line for each node that runs: "conv + relu: x, w → b".
QString picture(const Graph& graph)
{
    std::string text;
    for (const Body& body : graph.bodies) {
        for (const NodeId node : body.nodes) {
            text += graph[node].name;
            for (const FusedNode& follower : graph.decided[node].fused)
                text += " + " + graph[follower.node].name;
            text += ": " + names(graph, graph[node].inputs) + " → " + names(graph, graph[node].outputs) + "\n";
        }
    }
    return QString::fromStdString(text).trimmed();
}

QString refusal(const std::vector<Decision>& decisions)
{
    QStringList rules;
    for (const Decision& decision : decisions) {
        if (decision.kind == DecisionKind::Fusion && !decision.accepted) rules << QString::fromStdString(decision.rule);
    }
    return rules.join(u' ');
}

constexpr std::string_view Residual = "input x float32[1,8,4,4]\n"
                                      "input z float32[1,8,4,4]\n"
                                      "param w float32[8,8,3,3]\n"
                                      "conv: a = Conv(x, w) pads=[1,1,1,1]\n"
                                      "add: b = Add(z, a)\n"
                                      "relu: y = Relu(b)\n"
                                      "output y\n";

constexpr std::string_view All = "conv fast jit ms=2\n"
                                 "conv fast jit ms=2 with=add\n"
                                 "conv fast jit ms=2 with=add,relu\n"
                                 "add fast jit ms=1\n"
                                 "add fast jit ms=1 with=relu\n"
                                 "relu fast jit ms=1\n";

} // namespace

class tst_Fusion : public QObject
{
    Q_OBJECT

private slots:
    void asMuchAsIsOffered_data();
    void asMuchAsIsOffered();
    void whatIsBetweenMustBeTheirsAlone_data();
    void whatIsBetweenMustBeTheirsAlone();
    void policiesPinsAndPlansForbidIt();
    void whatIsFusedStaysInTheGraph();
    void onlyWhatWorksInPlaceMayBeWrittenOver_data();
    void onlyWhatWorksInPlaceMayBeWrittenOver();
    void nothingIsFusedIntoWhatComesLater();
};

void tst_Fusion::asMuchAsIsOffered_data()
{
    QTest::addColumn<QByteArray>("offers");
    QTest::addColumn<QString>("expected");
    const QString apart = QStringLiteral("conv: x, w → a\nadd: z, a → b\nrelu: b → y");
    QTest::newRow("nothing") << QByteArray("conv fast jit ms=1\n") << apart;
    QTest::newRow("all of it") << QByteArray(All.data(), All.size())
                               << QStringLiteral("conv + add + relu: x, w, z → y");
    QTest::newRow("one") << QByteArray("conv fast jit ms=1 with=add\n")
                         << QStringLiteral("conv + add: x, w, z → b\nrelu: b → y");
    QTest::newRow("into the second node")
        << QByteArray("add fast jit ms=1 with=relu\n") << QStringLiteral("conv: x, w → a\nadd + relu: z, a → y");
    QTest::newRow("slower than one by one")
        << QByteArray("conv fast jit ms=2\nadd fast jit ms=1\nconv slow jit ms=4 with=add\n") << apart;
    QTest::newRow("names of nobody") << QByteArray("conv fast jit ms=1 with=nobody\n") << apart;
    QTest::newRow("nodes in another order") << QByteArray("conv fast jit ms=1 with=relu,add\n") << apart;
    QTest::newRow("weights that are no weights")
        << QByteArray("conv fast jit ms=1 with=add weights=0:nhwc:4\n") << apart;
}

void tst_Fusion::asMuchAsIsOffered()
{
    QFETCH(QByteArray, offers);
    QFETCH(QString, expected);
    QCOMPARE(picture(fused(Residual, offers.toStdString())), expected);
}

void tst_Fusion::whatIsBetweenMustBeTheirsAlone_data()
{
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("expected");
    QTest::newRow("the last may be read by many") << QByteArray("two: u = Sigmoid(y)\noutput u\n") << QString()
                                                  << QStringLiteral("conv + add + relu: x, w, z → y\ntwo: y → u");
    QTest::newRow("read elsewhere") << QByteArray("two: u = Sigmoid(a)\noutput u\n") << QStringLiteral("read-elsewhere")
                                    << QStringLiteral("conv: x, w → a\nadd + relu: z, a → y\ntwo: a → u");
    QTest::newRow("handed out") << QByteArray("output b\n") << QStringLiteral("output output")
                                << QStringLiteral("conv + add: x, w, z → b\nrelu: b → y");
    QTest::newRow("read in a nested graph")
        << QByteArray("const k bool[] = 1\nif: v = If(k)\nbody then_branch\n  t: u = Sigmoid(a)\n  output u\nend\n"
                      "body else_branch\n  e: v = Relu(x)\n  output v\nend\noutput v\n")
        << QStringLiteral("read-elsewhere")
        << QStringLiteral("conv: x, w → a\nadd + relu: z, a → y\nif: k → v\n"
                          "if/then_branch/t: a → if/then_branch/u\nif/else_branch/e: x → if/else_branch/v");
}

void tst_Fusion::whatIsBetweenMustBeTheirsAlone()
{
    QFETCH(QByteArray, more);
    QFETCH(QString, rule);
    QFETCH(QString, expected);
    std::vector<Decision> decisions;
    const Graph graph = fused(std::string(Residual) + more.toStdString(), All, {}, &decisions);
    QCOMPARE(picture(graph), expected);
    QCOMPARE(refusal(decisions), rule);
}

void tst_Fusion::policiesPinsAndPlansForbidIt()
{
    const QString apart = QStringLiteral("conv: x, w → a\nadd: z, a → b\nrelu: b → y");
    std::vector<Decision> decisions;
    Setting off;
    off.policies.fusion = FusionPolicy::Off;
    QCOMPARE(picture(fused(Residual, All, off, &decisions)), apart);
    QCOMPARE(refusal(decisions), QStringLiteral("policy-off policy-off"));
    off.policies = {};
    off.policies.inplace = InplacePolicy::Off;
    QCOMPARE(picture(fused(Residual, All, off)), apart);
    Setting reference;
    reference.policies.backend = BackendPolicy::Reference;
    QCOMPARE(picture(fused(Residual, All, reference)), apart);
    Setting pinned;
    pinned.pins = {{"relu", "reference"}};
    QCOMPARE(picture(fused(Residual, All, pinned)), QStringLiteral("conv + add: x, w, z → b\nrelu: b → y"));
    pinned.pins = {{"conv", "reference"}};
    QCOMPARE(picture(fused(Residual, All, pinned)), QStringLiteral("conv: x, w → a\nadd + relu: z, a → y"));
    pinned.pins = {{"conv", "fast:jit"}};
    QCOMPARE(picture(fused(Residual, All, pinned)), QStringLiteral("conv + add + relu: x, w, z → y"));
    const std::vector<std::string> none;
    const std::vector<std::string> first = {"a"};
    Setting planned;
    planned.withoutBytes = &none;
    QCOMPARE(picture(fused(Residual, All, planned)), apart);
    planned.withoutBytes = &first;
    QCOMPARE(picture(fused(Residual, All, planned)), QStringLiteral("conv + add: x, w, z → b\nrelu: b → y"));
}

void tst_Fusion::whatIsFusedStaysInTheGraph()
{
    std::vector<Decision> decisions;
    const Graph graph = fused(Residual, All, {}, &decisions);
    const NodeId conv = findNode(graph, "conv");
    for (const char* name : {"a", "b"})
        QCOMPARE(graph.decided[findValue(graph, name)].fusedInto, conv);
    QVERIFY(!graph.decided[findValue(graph, "y")].fusedInto.valid());
    QCOMPARE(graph[findValue(graph, "y")].producer, conv);
    QCOMPARE(graph.decided[findNode(graph, "relu")].fusedInto, conv);
    QCOMPARE(graph.decided[conv].fused,
             (std::vector<FusedNode> {{findNode(graph, "add"), 1}, {findNode(graph, "relu"), 0}}));
    QCOMPARE(decisions.size(), std::size_t(2));
    QCOMPARE(decisions[0].subject, std::string("a"));
    QCOMPARE(decisions[0].other, std::string("conv"));
    QCOMPARE(decisions[0].bytes, std::int64_t(512));
    const Schedule schedule = scheduleInCapturedOrder(graph);
    QCOMPARE(schedule.length(), std::int64_t(1));
    QCOMPARE(schedule.stepOf(findNode(graph, "relu")), schedule.stepOf(conv));
}

void tst_Fusion::onlyWhatWorksInPlaceMayBeWrittenOver_data()
{
    QTest::addColumn<QByteArray>("behind");
    QTest::addColumn<int>("pairs");
    QTest::newRow("the operand of a sum") << QByteArray("add: y = Add(a, z)\n") << 1;
    QTest::newRow("and of what follows") << QByteArray("add: b = Add(a, z)\nnext: y = Mul(b, u)\n") << 2;
    QTest::newRow("not of another size") << QByteArray("add: y = Add(a, s)\n") << 0;
    QTest::newRow("not in front of what does not work in place")
        << QByteArray("add: b = Add(a, z)\nnext: y = LRN(b) size=3\n") << 0;
}

void tst_Fusion::onlyWhatWorksInPlaceMayBeWrittenOver()
{
    QFETCH(QByteArray, behind);
    QFETCH(int, pairs);
    const std::string text = "input x float32[1,8,4,4]\ninput z float32[1,8,4,4]\ninput u float32[1,8,4,4]\n"
                             "input s float32[1,8,1,1]\nparam w float32[8,8,1,1]\nconv: a = Conv(x, w)\n" +
                             behind.toStdString() + "output y\n";
    const Graph graph =
        fused(text, behind.contains("next") ? "conv fast jit with=add,next\n" : "conv fast jit with=add\n");
    const Node& conv = graph[findNode(graph, "conv")];
    QVERIFY(!graph.decided[findNode(graph, "conv")].fused.empty());
    QCOMPARE(static_cast<int>(conv.declared->traits->size()), pairs);
    for (const AliasTrait& trait : *conv.declared->traits)
        QVERIFY(trait.kind == AliasKind::MayBeInPlace && trait.input >= 2);
}

/// The first convolution cannot wait for the second; the second can take what the first has made.
void tst_Fusion::nothingIsFusedIntoWhatComesLater()
{
    constexpr std::string_view Two = "input x float32[1,8,4,4]\n"
                                     "param w float32[8,8,1,1]\n"
                                     "c1: a = Conv(x, w)\n"
                                     "c2: b = Conv(x, w)\n"
                                     "add: y = Add(a, b)\n"
                                     "output y\n";
    QCOMPARE(picture(fused(Two, "c1 fast jit with=add\nc2 fast jit with=add\n")),
             QStringLiteral("c1: x, w → a\nc2 + add: x, w, a → y"));
    std::vector<Decision> decisions;
    QCOMPARE(picture(fused(Two, "c1 fast jit with=add\n", {}, &decisions)),
             QStringLiteral("c1: x, w → a\nc2: x, w → b\nadd: a, b → y"));
    QCOMPARE(refusal(decisions), QStringLiteral("operand-late"));
}

QTEST_GUILESS_MAIN(tst_Fusion)
#include "tst_fusion.moc"

#include <span>
