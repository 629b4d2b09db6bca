#include "core/facts/english/english.h"
#include "core/graph/validate.h"
#include "core/lower/choose/dispatch.h"
#include "core/lower/types/infer_types.h"
#include "core/ops/reorder_node.h"

#include "tests/support/catalogue_text.h"
#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

struct Setting
{
    std::string backend = "cuda";
    std::map<std::string, std::string> pins {};
    std::map<std::string, Message> absent {};
    std::vector<std::string> captured {}; ///< Values that were captured on cuda:0.
};

Result<Dispatch> dispatched(std::string_view text, std::string_view offers, const Setting& setting = {},
                            std::vector<Decision>* decisions = nullptr)
{
    Catalogue catalogue = test::catalogueFromText(offers);
    catalogue.absent = setting.absent;
    Policies policies;
    if (!setPolicy(policies, "backend", setting.backend).ok()) qFatal("no such backend");
    Graph graph = inferTypes(test::graphFromText(text), {}, {}).value().graph;
    for (const std::string& name : setting.captured)
        graph[findValue(graph, name)].at.edit().space = "cuda:0";
    const DecisionLog log = decisions ? DecisionLog(*decisions) : DecisionLog();
    return dispatch(std::move(graph), {catalogue, policies, setting.pins}, log, {});
}

Setting capturedThere(const QStringList& values)
{
    Setting setting;
    for (const QString& name : values)
        setting.captured.push_back(name.toStdString());
    return setting;
}

std::string names(const Graph& graph, std::span<const ValueId> values)
{
    std::string text;
    for (const ValueId value : values)
        text += (text.empty() ? "" : ", ") + (value.valid() ? graph[value].name : std::string("_"));
    return text;
}

void addLines(const Dispatch& made, BodyId body, std::string& text)
{
    for (const NodeId node : made.graph[body].nodes) {
        const Node& info = made.graph[node];
        const std::string place = info.at->device.empty() ? "" : "@" + info.at->device;
        const std::string line =
            info.name + place + ": " + names(made.graph, info.inputs) + " → " + names(made.graph, info.outputs);
        text += (made.graph.decided[node].ahead ? "[" + line + "]" : line) + "\n";
        for (const BodyId inner : info.bodies)
            addLines(made, inner, text);
    }
}

/// One line for each node as it runs: "conv@cuda:0: x:cuda:0, w:cuda:0 → a". What runs ahead stands in brackets.
QString picture(const Result<Dispatch>& made)
{
    if (!made.ok()) return QString::fromStdString(english(made.error().message));
    const Status whole = validate(made.value().graph);
    if (!whole.ok()) return QString::fromStdString("invalid: " + english(whole.error().message));
    std::string text;
    addLines(made.value(), TopBody, text);
    return QString::fromStdString(text).trimmed();
}

constexpr std::string_view ConvRelu = "input x float32[1,8,4,4]\n"
                                      "param w float32[8,8,3,3]\n"
                                      "conv: a = Conv(x, w) pads=[1,1,1,1]\n"
                                      "relu: b = Relu(a)\n"
                                      "out: y = Sigmoid(b)\n"
                                      "output y\n";

constexpr const char* All = "conv cuda gemm device=cuda:0 ms=0.01\n"
                            "relu cuda map device=cuda:0 ms=0.01\n"
                            "out cuda map device=cuda:0 ms=0.01\n";

/// The graph stays the same; only the numbers of two nodes change.
void swapIds(Graph& graph, NodeId a, NodeId b)
{
    std::swap(graph[a], graph[b]);
    for (const NodeId node : {a, b})
        graph[graph[node].outputs[0]].producer = node;
    std::vector<NodeId>& order = graph.bodies.front().nodes;
    std::iter_swap(std::ranges::find(order, a), std::ranges::find(order, b));
}

QString ruleOf(const std::vector<Decision>& decisions, const std::string& node)
{
    for (const Decision& decision : decisions) {
        if (decision.subject == node && !decision.accepted) return QString::fromStdString(decision.rule);
    }
    return QStringLiteral("(none)");
}

} // namespace

class tst_Devices : public QObject
{
    Q_OBJECT

private slots:
    void copiesStandWhereValuesCross_data()
    {
        QTest::addColumn<QByteArray>("graph");
        QTest::addColumn<QByteArray>("offers");
        QTest::addColumn<QString>("picture");
        const QByteArray chain = QByteArray::fromStdString(std::string(ConvRelu));
        QTest::newRow("all on the device") << chain << QByteArray(All)
                                           << QStringLiteral("copy:x:cuda:0@cuda:0: x → x:cuda:0\n"
                                                             "[copy:w:cuda:0@cuda:0: w → w:cuda:0]\n"
                                                             "conv@cuda:0: x:cuda:0, w:cuda:0 → a\n"
                                                             "relu@cuda:0: a → b\n"
                                                             "out@cuda:0: b → y:cuda:0\n"
                                                             "copy:y: y:cuda:0 → y");
        QTest::newRow("one in the middle") << chain << QByteArray("relu cuda map device=cuda:0\n")
                                           << QStringLiteral("conv: x, w → a\n"
                                                             "copy:a:cuda:0@cuda:0: a → a:cuda:0\n"
                                                             "relu@cuda:0: a:cuda:0 → b\n"
                                                             "copy:b:cpu: b → b:cpu\n"
                                                             "out: b:cpu → y");
        QTest::newRow("nobody") << chain << QByteArray() << QStringLiteral("conv: x, w → a\nrelu: a → b\nout: b → y");
        QTest::newRow("one copy for all readers, before the first")
            << QByteArray("input x float32[4]\na: p = Relu(x)\nb: q = Exp(p)\nc: r = Neg(p)\nd: s = Abs(p)\n"
                          "e: t = Sum(q, r, s)\noutput t\n")
            << QByteArray("b cuda map device=cuda:0\n d cuda map device=cuda:0\n")
            << QStringLiteral("a: x → p\n"
                              "copy:p:cuda:0@cuda:0: p → p:cuda:0\n"
                              "b@cuda:0: p:cuda:0 → q\n"
                              "c: p → r\n"
                              "d@cuda:0: p:cuda:0 → s\n"
                              "copy:q:cpu: q → q:cpu\n"
                              "copy:s:cpu: s → s:cpu\n"
                              "e: q:cpu, r, s:cpu → t");
        QTest::newRow("a result that both sides read")
            << QByteArray("input x float32[4]\na: p = Relu(x)\nb: q = Exp(p)\nc: r = Neg(p)\noutput p q r\n")
            << QByteArray("a cuda map device=cuda:0\n b cuda map device=cuda:0\n")
            << QStringLiteral("copy:x:cuda:0@cuda:0: x → x:cuda:0\n"
                              "a@cuda:0: x:cuda:0 → p:cuda:0\n"
                              "copy:p: p:cuda:0 → p\n"
                              "b@cuda:0: p:cuda:0 → q:cuda:0\n"
                              "copy:q: q:cuda:0 → q\n"
                              "c: p → r");
        QTest::newRow("nested graphs read copies that are made outside")
            << QByteArray("input x float32[4]\ninput k bool[]\na: p = Relu(x)\ne: z = If(k)\n"
                          "body then_branch\n t: u = Exp(p)\n output u\nend\n"
                          "body else_branch\n output p\nend\noutput z\n")
            << QByteArray("a cuda map device=cuda:0\n")
            << QStringLiteral("copy:x:cuda:0@cuda:0: x → x:cuda:0\n"
                              "a@cuda:0: x:cuda:0 → p\n"
                              "copy:p:cpu: p → p:cpu\n"
                              "e: k → z\n"
                              "e/then_branch/t: p:cpu → e/then_branch/u");
        QTest::newRow("what a branch hands out is copied at its end")
            << QByteArray("input x float32[4]\ninput k bool[]\na: p = Relu(x)\ne: z = If(k)\n"
                          "body then_branch\n t: u = Exp(p)\n output u\nend\n"
                          "body else_branch\n output p\nend\noutput z\n")
            << QByteArray("a cuda map device=cuda:0\n e/then_branch/t cuda map device=cuda:0\n")
            << QStringLiteral("copy:x:cuda:0@cuda:0: x → x:cuda:0\n"
                              "a@cuda:0: x:cuda:0 → p\n"
                              "copy:p:cpu: p → p:cpu\n"
                              "e: k → z\n"
                              "e/then_branch/t@cuda:0: p → e/then_branch/u\n"
                              "copy:e/then_branch/u:cpu: e/then_branch/u → e/then_branch/u:cpu");
        QTest::newRow("a state is copied in at each trip, and what stays the same before the loop")
            << QByteArray("input x float32[4]\ninput w float32[4]\ninput m int64[]\nl: z, all = Loop(m, _, x)\n"
                          "body body\n input i int64[]\n input c bool[]\n input s float32[4]\n"
                          " t: u = Add(s, w)\n h: v = Neg(u)\n output c u v\nend\noutput z all\n")
            << QByteArray("l/body/t cuda map device=cuda:0\n")
            << QStringLiteral("copy:w:cuda:0@cuda:0: w → w:cuda:0\n"
                              "l: m, _, x → z, all\n"
                              "copy:l/body/s:cuda:0@cuda:0: l/body/s → l/body/s:cuda:0\n"
                              "l/body/t@cuda:0: l/body/s:cuda:0, w:cuda:0 → l/body/u\n"
                              "copy:l/body/u:cpu: l/body/u → l/body/u:cpu\n"
                              "l/body/h: l/body/u:cpu → l/body/v");
    }

    void copiesStandWhereValuesCross()
    {
        QFETCH(QByteArray, graph);
        QFETCH(QByteArray, offers);
        QFETCH(QString, picture);
        QCOMPARE(::picture(dispatched(graph.toStdString(), offers.toStdString())), picture);
    }

    /// 100 ms on the CPU against 0.01 ms on the device, and copies of 512 bytes: 0.01 ms each.
    void copiesCostTime_data()
    {
        QTest::addColumn<QByteArray>("offers");
        QTest::addColumn<int>("copies");
        const QByteArray device = "relu cuda map device=cuda:0 ms=0.01\n";
        QTest::newRow("worth two copies") << device + "relu reference ref ms=100\n" << 2;
        QTest::newRow("a gain below their price") << device + "relu reference ref ms=0.025\n" << 0;
        QTest::newRow("three that agree")
            << QByteArray(All) + "conv reference ref ms=0.02\n relu reference ref ms=0.02\n"
                                 "out reference ref ms=0.02\n"
            << 2;
    }

    void copiesCostTime()
    {
        QFETCH(QByteArray, offers);
        QFETCH(int, copies);
        const auto made = dispatched(ConvRelu, offers.toStdString(), {"auto"});
        QVERIFY(made.ok());
        const Graph& graph = made.value().graph;
        int count = 0;
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
            count += isSpaceCopy(graph.nodes[i]) && !graph.decided[NodeId(i)].ahead ? 1 : 0;
        QCOMPARE(count, copies);
    }

    void theReasonTellsThePriceWithItsCopies()
    {
        std::vector<Decision> decisions;
        QVERIFY(dispatched(ConvRelu, "relu cuda map device=cuda:0 ms=0.01\nrelu reference ref ms=100\n", {"auto"},
                           &decisions)
                    .ok());
        const auto taken = std::ranges::find_if(decisions, [](const Decision& decision) {
            return decision.kind == DecisionKind::Implementation && decision.accepted;
        });
        QVERIFY(taken != decisions.end());
        const std::string why = english(taken->reason);
        QVERIFY2(why.find("0.0301 ms with the copies around it") != std::string::npos, why.c_str());
    }

    /// A backend that cannot run is taken by whoever names it, and by nobody else.
    void whatCannotRunMustBeNamed()
    {
        const std::map<std::string, Message> absent = {{"cuda", Message("there is no driver")}};
        const auto onDevice = [&](const std::string& backend, const std::map<std::string, std::string>& pins) {
            const auto made =
                dispatched(ConvRelu, std::string(All) + "relu reference ref ms=1000\n", {backend, pins, absent});
            return made.ok() && made.value().implementations[NodeId {1}].device == "cuda:0";
        };
        QVERIFY(onDevice("cuda", {}));
        QVERIFY(onDevice("auto", {{"relu", "cuda"}}));
        QVERIFY(!onDevice("auto", {}));
        std::vector<Decision> decisions;
        QVERIFY(dispatched(ConvRelu, All, {"auto", {}, absent}, &decisions).ok());
        QCOMPARE(ruleOf(decisions, "relu"), QStringLiteral("cannot-run"));
    }

    void someNodesStayOnTheCpu_data()
    {
        QTest::addColumn<QByteArray>("graph");
        QTest::addColumn<QByteArray>("offer");
        QTest::addColumn<QString>("rule");
        QTest::newRow("written in place")
            << QByteArray("input x float32[4]\nn: y = Relu(x)\nm: z = plimsoll::Exp_(y)\n"
                          "output z\n")
            << QByteArray("n cuda map device=cuda:0\n") << QStringLiteral("written-in-place");
        QTest::newRow("a view of what is written")
            << QByteArray("input x float32[4]\na: y = Abs(x)\nv: w = plimsoll::Detach(y)\nm: z = plimsoll::Exp_(y)\n"
                          "n: q = Relu(w)\noutput z q\n")
            << QByteArray("n cuda map device=cuda:0\n") << QStringLiteral("written-in-place");
        QTest::newRow("in blocks") << QByteArray("input x float32[1,8,4,4]\nn: y = Relu(x)\noutput y\n")
                                   << QByteArray("n cuda map device=cuda:0 in=nChw8c out=nChw8c\n")
                                   << QStringLiteral("device-layout");
        QTest::newRow("a size of the run")
            << QByteArray("input x float32[4]\na: y = NonZero(x)\nn: z = Neg(y)\noutput z\n")
            << QByteArray("n cuda map device=cuda:0\n") << QStringLiteral("device-size");
        QTest::newRow("in a graph of which nobody knows what it is given")
            << QByteArray("input x float32[4]\no: z = my::Op(x)\nbody inner\n n: u = Exp(x)\n output u\nend\n"
                          "output z\n")
            << QByteArray("o/inner/n cuda map device=cuda:0\n") << QStringLiteral("nested");
    }

    void someNodesStayOnTheCpu()
    {
        QFETCH(QByteArray, graph);
        QFETCH(QByteArray, offer);
        QFETCH(QString, rule);
        std::vector<Decision> decisions;
        const auto made = dispatched(graph.toStdString(), offer.toStdString(), {}, &decisions);
        QVERIFY2(made.ok(), qPrintable(picture(made)));
        const std::string subject = rule == QStringLiteral("nested") ? "o/inner/n" : "n";
        QCOMPARE(ruleOf(decisions, subject), rule);
        QVERIFY(std::none_of(made.value().graph.nodes.begin(), made.value().graph.nodes.end(), isSpaceCopy));
    }

    /// Copies that are put into a graph later have higher ids than what stands behind them.
    void viewsAreFollowedInWhateverOrderTheirIdsAre()
    {
        Graph graph = test::graphFromText("input x float32[4]\na: y = Abs(x)\nv: w = plimsoll::Detach(y)\n"
                                          "u: t = plimsoll::Detach(w)\nm: z = plimsoll::Exp_(t)\nn: q = Relu(y)\n"
                                          "output z q\n");
        swapIds(graph, findNode(graph, "v"), findNode(graph, "u"));
        QVERIFY(validate(graph).ok());
        const Catalogue catalogue = test::catalogueFromText("n cuda map device=cuda:0\n");
        Policies policies;
        policies.backend = BackendPolicy::Cuda;
        std::vector<Decision> decisions;
        graph = inferTypes(graph, {}, {}).value().graph;
        QVERIFY(dispatch(std::move(graph), {catalogue, policies, {}}, DecisionLog(decisions), {}).ok());
        QCOMPARE(ruleOf(decisions, "n"), QStringLiteral("written-in-place"));
    }

    /// A kernel of the device may need to read a constant on the host: its copy has the data, too.
    void copiesOfConstantsKeepTheirData()
    {
        const auto made = dispatched("input x float32[4]\nconst s int64[2] = 2 2\nn: y = Reshape(x, s)\noutput y\n",
                                     "n cuda move device=cuda:0\n");
        QVERIFY(made.ok());
        const Graph& graph = made.value().graph;
        const ValueId copy = graph[findNode(graph, "n")].inputs[1];
        QCOMPARE(QString::fromStdString(graph[copy].name), QStringLiteral("s:cuda:0"));
        QCOMPARE(graph[copy].role, ValueRole::Constant);
        QVERIFY(graph[copy].data->present());
    }

    /// What the caller brings and takes is where the capture says; what is in between, where it is computed.
    void capturedSpacesAreTheCallers_data()
    {
        QTest::addColumn<QByteArray>("graph");
        QTest::addColumn<QByteArray>("offers");
        QTest::addColumn<QStringList>("captured");
        QTest::addColumn<QString>("picture");
        const QByteArray chain = QByteArray::fromStdString(std::string(ConvRelu));
        const QStringList everything = {QStringLiteral("x"), QStringLiteral("w"), QStringLiteral("a"),
                                        QStringLiteral("b"), QStringLiteral("y")};
        QTest::newRow("all on the device")
            << chain << QByteArray(All) << everything
            << QStringLiteral("conv@cuda:0: x, w → a\nrelu@cuda:0: a → b\nout@cuda:0: b → y");
        QTest::newRow("one in the middle is the CPU's")
            << chain << QByteArray("conv cuda gemm device=cuda:0\nout cuda map device=cuda:0\n") << everything
            << QStringLiteral("conv@cuda:0: x, w → a\n"
                              "copy:a:cpu: a → a:cpu\n"
                              "relu: a:cpu → b\n"
                              "copy:b:cuda:0@cuda:0: b → b:cuda:0\n"
                              "out@cuda:0: b:cuda:0 → y");
        QTest::newRow("what the CPU reads and makes")
            << chain << QByteArray("relu cuda map device=cuda:0\n") << everything
            << QStringLiteral("copy:x:cpu: x → x:cpu\n"
                              "[copy:w:cpu: w → w:cpu]\n"
                              "conv: x:cpu, w:cpu → a\n"
                              "copy:a:cuda:0@cuda:0: a → a:cuda:0\n"
                              "relu@cuda:0: a:cuda:0 → b\n"
                              "copy:b:cpu: b → b:cpu\n"
                              "out: b:cpu → y:cpu\n"
                              "copy:y@cuda:0: y:cpu → y");
        QTest::newRow("the input alone") << chain << QByteArray(All) << QStringList {QStringLiteral("x")}
                                         << QStringLiteral("[copy:w:cuda:0@cuda:0: w → w:cuda:0]\n"
                                                           "conv@cuda:0: x, w:cuda:0 → a\n"
                                                           "relu@cuda:0: a → b\n"
                                                           "out@cuda:0: b → y:cuda:0\n"
                                                           "copy:y: y:cuda:0 → y");
        QTest::newRow("nothing computes there")
            << chain << QByteArray() << everything << QStringLiteral("conv: x, w → a\nrelu: a → b\nout: b → y");
        QTest::newRow("no size before the run")
            << QByteArray("input x float32[4]\ninput s int64[...]\na: y = Relu(x)\nb: z = Neg(s)\noutput y z\n")
            << QByteArray("a cuda map device=cuda:0\n")
            << QStringList {QStringLiteral("x"), QStringLiteral("s"), QStringLiteral("y"), QStringLiteral("z")}
            << QStringLiteral("a@cuda:0: x → y\nb: s → z");
    }

    void capturedSpacesAreTheCallers()
    {
        QFETCH(QByteArray, graph);
        QFETCH(QByteArray, offers);
        QFETCH(QStringList, captured);
        QFETCH(QString, picture);
        const auto made = dispatched(graph.toStdString(), offers.toStdString(), capturedThere(captured));
        QCOMPARE(::picture(made), picture);
        for (const char* inner : {"a", "b"}) {
            const ValueId value = findValue(made.value().graph, inner);
            if (value.valid() && made.value().graph[value].producer.valid() && !offers.isEmpty())
                QVERIFY2(made.value().graph[value].at->space.empty(), inner);
        }
    }

    /// Whoever prepares it ahead of the run reads it on the CPU.
    void aWeightThatIsPreparedStaysThere()
    {
        const auto made = dispatched("input x float32[1,8,4,4]\nparam w float32[8,8,3,3]\n"
                                     "conv: a = Conv(x, w) pads=[1,1,1,1]\nn: b = Relu(w)\noutput a b\n",
                                     "conv fast gemm weights=1:ABcd8b8a:2304\nn cuda map device=cuda:0\n",
                                     {.pins = {{"conv", "fast"}}, .captured = {"w", "b"}});
        QVERIFY2(made.ok(), qPrintable(picture(made)));
        QVERIFY(made.value().graph[findValue(made.value().graph, "w")].at->space.empty());
        QVERIFY2(picture(made).contains(QStringLiteral("n@cuda:0: w:cuda:0 → b")), qPrintable(picture(made)));
    }

    /// On a device as a whole, or not at all: a copy would not show what is written later.
    void bytesThatAreWrittenInPlaceLieInOneMemory_data()
    {
        QTest::addColumn<QByteArray>("graph");
        QTest::addColumn<QByteArray>("offers");
        QTest::addColumn<QStringList>("captured");
        QTest::addColumn<QString>("picture");
        QTest::addColumn<QString>("why"); // of 'm'
        const QByteArray given = "input x float32[4]\nm: z = plimsoll::Exp_(x)\nn: y = Relu(z)\noutput y\n";
        const QByteArray made =
            "input x float32[4]\na: p = Abs(x)\nm: z = plimsoll::Exp_(p)\nn: y = Relu(z)\noutput y\n";
        const QByteArray both = "m cuda map device=cuda:0\nn cuda map device=cuda:0\n";
        const QByteArray all = "a cuda map device=cuda:0\n" + both;
        QTest::newRow("the caller's, there") << given << both << QStringList {QStringLiteral("x")}
                                             << QStringLiteral("m@cuda:0: x → z\nn@cuda:0: z → y:cuda:0\n"
                                                               "copy:y: y:cuda:0 → y")
                                             << QString();
        QTest::newRow("the caller's, on the CPU")
            << given << both << QStringList {} << QStringLiteral("m: x → z\nn: z → y")
            << QStringLiteral("the bytes of 'x' are given in the memory of the CPU");
        QTest::newRow("made there") << made << all << QStringList {}
                                    << QStringLiteral("copy:x:cuda:0@cuda:0: x → x:cuda:0\na@cuda:0: x:cuda:0 → p\n"
                                                      "m@cuda:0: p → z\nn@cuda:0: z → y:cuda:0\ncopy:y: y:cuda:0 → y")
                                    << QString();
        QTest::newRow("somebody reads them on the CPU")
            << given << QByteArray("m cuda map device=cuda:0\n") << QStringList {QStringLiteral("x")}
            << QStringLiteral("m: x → z\nn: z → y") << QStringLiteral("'n' (Relu) is not computed there");
        QTest::newRow("the last version is handed out")
            << QByteArray("input x float32[4]\na: p = Abs(x)\nm: z = plimsoll::Exp_(p)\noutput z\n") << all
            << QStringList {QStringLiteral("x")}
            << QStringLiteral("a@cuda:0: x → p\nm@cuda:0: p → z:cuda:0\ncopy:z: z:cuda:0 → z") << QString();
        QTest::newRow("an earlier version is handed out")
            << QByteArray("input x float32[4]\na: p = Abs(x)\nm: z = plimsoll::Exp_(p)\noutput p z\n") << all
            << QStringList {QStringLiteral("x")} << QStringLiteral("a: x → p\nm: p → z")
            << QStringLiteral("'p', which shows what is written later, is handed out on the CPU");
        QTest::newRow("and taken there")
            << QByteArray("input x float32[4]\na: p = Abs(x)\nm: z = plimsoll::Exp_(p)\noutput p z\n") << all
            << QStringList {QStringLiteral("x"), QStringLiteral("p"), QStringLiteral("z")}
            << QStringLiteral("a@cuda:0: x → p\nm@cuda:0: p → z") << QString();
        QTest::newRow("one family keeps another")
            << QByteArray("input x float32[4]\ninput v float32[4]\nk: u = plimsoll::Neg_(v)\na: p = Abs(x)\n"
                          "m: z = plimsoll::Add_(p, u)\nn: y = Relu(z)\noutput y\n")
            << all << QStringList {QStringLiteral("x")} << QString()
            << QStringLiteral("'m' (plimsoll::Add_) is not computed there");
        QTest::newRow("one that was weighed later keeps one that could")
            << QByteArray("input x float32[4]\ninput w float32[4]\na: p = Abs(w)\nk: u = plimsoll::Neg_(p)\n"
                          "m: z = plimsoll::Add_(x, u)\nn: y = Relu(z)\noutput y\n")
            << all << QStringList {QStringLiteral("x"), QStringLiteral("w")} << QString()
            << QStringLiteral("'m' (plimsoll::Add_) is not computed there");
        QTest::newRow("a nested graph uses them")
            << QByteArray("input x float32[4]\ninput k bool[]\na: p = Abs(x)\nm: z = plimsoll::Exp_(p)\ne: y = If(k)\n"
                          "body then_branch\n n: u = Relu(z)\n output u\nend\nbody else_branch\n output x\nend\n"
                          "output y\n")
            << all << QStringList {} << QString() << QStringLiteral("a nested graph uses them");
    }

    void bytesThatAreWrittenInPlaceLieInOneMemory()
    {
        QFETCH(QByteArray, graph);
        QFETCH(QByteArray, offers);
        QFETCH(QStringList, captured);
        QFETCH(QString, picture);
        QFETCH(QString, why);
        std::vector<Decision> decisions;
        const auto made = dispatched(graph.toStdString(), offers.toStdString(), capturedThere(captured), &decisions);
        if (!picture.isEmpty()) QCOMPARE(::picture(made), picture);
        const auto refused = std::ranges::find_if(
            decisions, [](const Decision& one) { return one.subject == "m" && one.rule == "written-in-place"; });
        QCOMPARE(refused == decisions.end(), why.isEmpty());
        if (why.isEmpty()) return;
        const std::string reason = english(refused->reason);
        QVERIFY2(reason.ends_with(why.toStdString() + "."), reason.c_str());
    }

    void aPinOrAPolicyThatDoesNotAskKeepsThemOnTheCpu()
    {
        const char* const graph = "input x float32[4]\nm: z = plimsoll::Exp_(x)\nn: y = Relu(z)\noutput y\n";
        const char* const offers = "m cuda map device=cuda:0 ms=0.001\nn cuda map device=cuda:0 ms=0.001\n"
                                   "m reference ref ms=100\n n reference ref ms=100\n";
        const QString cpu = QStringLiteral("m: x → z\nn: z → y");
        QCOMPARE(picture(dispatched(graph, offers, {.backend = "auto", .captured = {"x"}})), cpu);
        QCOMPARE(picture(dispatched(graph, offers, {.pins = {{"n", "reference"}}, .captured = {"x"}})), cpu);
        QVERIFY(picture(dispatched(graph, offers, {.pins = {{"n", "cuda"}}, .captured = {"x"}}))
                    .startsWith(QStringLiteral("m@cuda:0")));
    }

    /// Two copies less: then the device is worth it.
    void theChoiceKnowsWhatIsThere()
    {
        const char* const offers = "relu cuda map device=cuda:0 ms=0.01\nrelu reference ref ms=0.025\n";
        const char* const graph = "input a float32[1,8,4,4]\nrelu: b = Relu(a)\noutput b\n";
        QCOMPARE(picture(dispatched(graph, offers, {.backend = "auto"})), QStringLiteral("relu: a → b"));
        QCOMPARE(picture(dispatched(graph, offers, {.backend = "auto", .captured = {"a", "b"}})),
                 QStringLiteral("relu@cuda:0: a → b"));
        QCOMPARE(picture(dispatched(graph, offers, {.backend = "auto", .captured = {"a"}})),
                 QStringLiteral("relu@cuda:0: a → b:cuda:0\ncopy:b: b:cuda:0 → b"));
        QCOMPARE(picture(dispatched(graph, offers, {.backend = "auto", .captured = {"b"}})),
                 QStringLiteral("copy:a:cuda:0@cuda:0: a → a:cuda:0\nrelu@cuda:0: a:cuda:0 → b"));
    }
};

QTEST_APPLESS_MAIN(tst_Devices)
#include "tst_devices.moc"

#include <span>
