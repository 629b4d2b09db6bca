#include "core/facts/english/english.h"
#include "core/lower/choose/dispatch.h"

#include "core/graph/validate.h"
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
};

Result<Dispatch> dispatched(std::string_view text, std::string_view offers, const Setting& setting = {},
                            std::vector<Decision>* decisions = nullptr)
{
    const Catalogue catalogue = test::catalogueFromText(offers);
    Graph graph = inferTypes(test::graphFromText(text), {}, {}).value().graph;
    const DecisionLog log = decisions ? DecisionLog(*decisions) : DecisionLog();
    return dispatch(std::move(graph), {catalogue, setting.policies, setting.pins}, log, {});
}

std::string names(const Graph& graph, std::span<const ValueId> values)
{
    std::string text;
    for (const ValueId value : values)
        text += (text.empty() ? "" : ", ") + (value.valid() ? graph[value].name : std::string("_"));
    return text;
}

/// One line for each node as it runs: "conv fast jit: x, w:nChw8c → a". What runs ahead stands in brackets.
QString picture(const Result<Dispatch>& result)
{
    if (!result.ok()) return QString::fromStdString(english(result.error().message));
    const Graph& graph = result.value().graph;
    std::string text;
    for (const Body& body : graph.bodies) {
        for (const NodeId node : body.nodes) {
            const std::string line = graph[node].name + " " + describe(result.value().implementations[node]) + ": " +
                                     names(graph, graph[node].inputs) + " → " + names(graph, graph[node].outputs);
            text += (graph.decided[node].ahead ? "[" + line + "]" : line) + "\n";
        }
    }
    return QString::fromStdString(text).trimmed();
}

constexpr std::string_view ConvRelu = "input x float32[1,8,4,4]\n"
                                      "param w float32[8,8,3,3]\n"
                                      "conv: a = Conv(x, w) pads=[1,1,1,1]\n"
                                      "relu: b = Relu(a)\n"
                                      "out: y = Sigmoid(b)\n"
                                      "output y\n";

} // namespace

class tst_Dispatch : public QObject
{
    Q_OBJECT

private slots:
    void choicesAreMadeOverTheWholeGraph_data();
    void choicesAreMadeOverTheWholeGraph();
    void pinsAndPoliciesLimitTheChoice_data();
    void pinsAndPoliciesLimitTheChoice();
    void resultsKeepTheirNamesAndArePlain();
    void aResultReadInAnotherLayoutHasItsBytes();
    void weightsArePreparedOnceAheadOfTheRun();
    void weightsOfTheRunCannotBePrepared();
    void whatIsKnownAheadIsReorderedAhead();
    void aReorderServesAllReadersAndStandsBeforeTheFirst();
    void valuesFromOutsideABodyAreReorderedOutside();
    void whatIsWrittenToAfterwardsStaysPlain();
    void everyOfferLeavesADecisionWithItsPrice();
    void whatWasMeasuredOfReordersCounts_data();
    void whatWasMeasuredOfReordersCounts();
};

void tst_Dispatch::choicesAreMadeOverTheWholeGraph_data()
{
    QTest::addColumn<QByteArray>("offers");
    QTest::addColumn<QString>("picture");
    QTest::newRow("nobody offers anything") << QByteArray()
                                            << QStringLiteral("conv reference: x, w → a\n"
                                                              "relu reference: a → b\n"
                                                              "out reference: b → y");
    QTest::newRow("relu follows, the reader behind it is plain")
        << QByteArray("conv fast jit in=nChw8c out=nChw8c ms=1\n conv reference ref ms=100\n"
                      "relu fast jit in=nChw8c out=nChw8c ms=0.1\n relu reference ref ms=0.1\n")
        << QStringLiteral("reorder:x:nChw8c fast reorder: x → x:nChw8c\n"
                          "conv fast jit: x:nChw8c, w → a\n"
                          "relu fast jit: a → b\n"
                          "reorder:b:plain fast reorder: b → b:plain\n"
                          "out reference: b:plain → y");
    QTest::newRow("a gain below the price of two reorders is left")
        << QByteArray("conv fast jit in=nChw8c out=nChw8c ms=1\n conv reference ref ms=1.001\n")
        << QStringLiteral("conv reference: x, w → a\n"
                          "relu reference: a → b\n"
                          "out reference: b → y");
    QTest::newRow("three that agree are worth it where one is not")
        << QByteArray("conv fast jit in=nChw8c out=nChw8c ms=1\n conv reference ref ms=1.003\n"
                      "relu fast jit in=nChw8c out=nChw8c ms=1\n relu reference ref ms=1.003\n"
                      "out fast jit in=nChw8c out=nChw8c ms=1\n out reference ref ms=1.003\n")
        << QStringLiteral("reorder:x:nChw8c fast reorder: x → x:nChw8c\n"
                          "conv fast jit: x:nChw8c, w → a\n"
                          "relu fast jit: a → b\n"
                          "out fast jit: b → y:nChw8c\n"
                          "reorder:y fast reorder: y:nChw8c → y");
    QTest::newRow("from one layout into another without a stop")
        << QByteArray("conv fast jit in=plain out=nChw8c ms=1\n conv reference ref ms=100\n"
                      "relu fast wide in=nChw16c out=nChw16c ms=1\n relu reference ref ms=100\n")
        << QStringLiteral("conv fast jit: x, w → a\n"
                          "reorder:a:nChw16c fast reorder: a → a:nChw16c\n"
                          "relu fast wide: a:nChw16c → b\n"
                          "reorder:b:plain fast reorder: b → b:plain\n"
                          "out reference: b:plain → y");
}

void tst_Dispatch::choicesAreMadeOverTheWholeGraph()
{
    QFETCH(QByteArray, offers);
    QFETCH(QString, picture);
    // "reference ref" in the offers gives the reference a name of its own; the pictures leave it out.
    QString made = ::picture(dispatched(ConvRelu, offers.toStdString()));
    QCOMPARE(made.replace(QStringLiteral("reference ref:"), QStringLiteral("reference:")), picture);
}

void tst_Dispatch::pinsAndPoliciesLimitTheChoice_data()
{
    QTest::addColumn<QByteArray>("policy");
    QTest::addColumn<QByteArray>("pin");
    QTest::addColumn<QString>("firstLine");
    const QString slow = QStringLiteral("conv onednn gemm: x, w → a");
    const QString fast = QStringLiteral("conv onednn jit: x, w → a");
    const QString other = QStringLiteral("conv cuda wmma: x, w → a");
    const QString none = QStringLiteral("conv reference: x, w → a");
    QTest::newRow("auto takes the fastest of all") << QByteArray() << QByteArray() << other;
    QTest::newRow("onednn only") << QByteArray("backend=onednn") << QByteArray() << fast;
    QTest::newRow("reference only") << QByteArray("backend=reference") << QByteArray() << none;
    QTest::newRow("without padding") << QByteArray("padding=off") << QByteArray() << slow;
    QTest::newRow("pinned by name") << QByteArray() << QByteArray("conv=gemm") << slow;
    QTest::newRow("pinned by backend") << QByteArray() << QByteArray("conv=onednn") << fast;
    QTest::newRow("pinned by both") << QByteArray() << QByteArray("conv=onednn:gemm") << slow;
    QTest::newRow("a pin goes before the backend") << QByteArray("backend=reference") << QByteArray("conv=jit") << fast;
    QTest::newRow("pinned to the reference") << QByteArray() << QByteArray("conv=reference") << none;
    QTest::newRow("pinned to what the policy refuses")
        << QByteArray("padding=off") << QByteArray("conv=jit")
        << QStringLiteral("Node 'conv' cannot be pinned to 'jit'; there is 'onednn gemm', 'reference'. On offer, but "
                          "refused: 'onednn jit', 'cuda wmma'.");
    QTest::newRow("no such node") << QByteArray() << QByteArray("cnv=jit")
                                  << QStringLiteral("There is no node 'cnv' to pin.");
}

void tst_Dispatch::pinsAndPoliciesLimitTheChoice()
{
    QFETCH(QByteArray, policy);
    QFETCH(QByteArray, pin);
    QFETCH(QString, firstLine);
    Setting setting;
    if (const qsizetype equals = policy.indexOf('='); equals > 0)
        QVERIFY(
            setPolicy(setting.policies, policy.left(equals).toStdString(), policy.mid(equals + 1).toStdString()).ok());
    if (const qsizetype equals = pin.indexOf('='); equals > 0)
        setting.pins[pin.left(equals).toStdString()] = pin.mid(equals + 1).toStdString();
    const auto result = dispatched(ConvRelu,
                                   "conv onednn jit bytes=4096 ms=2\n"
                                   "conv onednn gemm ms=3\n"
                                   "conv cuda wmma bytes=8192 ms=1\n",
                                   setting);
    QCOMPARE(picture(result).section(QLatin1Char('\n'), 0, 0), firstLine);
}

void tst_Dispatch::resultsKeepTheirNamesAndArePlain()
{
    const auto result = dispatched("input x float32[1,8,4,4]\n"
                                   "relu: y = Relu(x)\n"
                                   "next: z = Sigmoid(y)\n"
                                   "output y z y\n",
                                   "relu fast jit in=plain out=nChw8c ms=1 bytes=512\n relu reference ref ms=100\n"
                                   "next fast jit in=nChw8c out=plain ms=1\n next reference ref ms=100\n");
    QCOMPARE(picture(result), QStringLiteral("relu fast jit: x → y:nChw8c\n"
                                             "reorder:y fast reorder: y:nChw8c → y\n"
                                             "next fast jit: y:nChw8c → z"));
    const Dispatch& made = result.value();
    QCOMPARE(names(made.graph, made.graph.top().outputs), std::string("y, z, y"));
    for (const ValueId output : made.graph.top().outputs)
        QCOMPARE(layoutOf(made.graph, made.implementations, output), PlainLayout);
    QVERIFY(validate(made.graph).ok());
}

/// 22 channels in blocks of 8, then of 16, then plain for the caller.
void tst_Dispatch::aResultReadInAnotherLayoutHasItsBytes()
{
    const auto result = dispatched("input x float32[1,22,46,34]\n"
                                   "relu: y = Relu(x)\n"
                                   "next: z = Sigmoid(y)\n"
                                   "output y z\n",
                                   "relu fast jit out=nChw8c ms=1\n relu reference ref ms=100\n"
                                   "next fast jit in=nChw16c out=plain ms=1\n next reference ref ms=100\n");
    QCOMPARE(picture(result), QStringLiteral("relu fast jit: x → y:nChw8c\n"
                                             "reorder:y fast reorder: y:nChw8c → y\n"
                                             "reorder:y:nChw8c:nChw16c fast reorder: y:nChw8c → y:nChw8c:nChw16c\n"
                                             "next fast jit: y:nChw8c:nChw16c → z"));
    const Dispatch& made = result.value();
    const NodeId wide = findNode(made.graph, "reorder:y:nChw8c:nChw16c");
    QCOMPARE(made.implementations[wide].requiredOutputBytes, std::vector<std::int64_t> {200'192});
    QCOMPARE(made.implementations[wide].provenance, std::string("estimated"));
}

void tst_Dispatch::weightsArePreparedOnceAheadOfTheRun()
{
    const auto result = dispatched("input x float32[1,8,4,4]\n"
                                   "param w float32[8,8,1,1]\n"
                                   "one: a = Conv(x, w)\n"
                                   "two: b = Conv(a, w)\n"
                                   "output b\n",
                                   "one fast jit weights=1:ABcd8b8a:512 ms=1\n"
                                   "two fast jit weights=1:ABcd8b8a:512 ms=1\n");
    QCOMPARE(picture(result), QStringLiteral("[reorder:w:ABcd8b8a fast reorder: w → w:ABcd8b8a]\n"
                                             "one fast jit: x, w:ABcd8b8a → a\n"
                                             "two fast jit: a, w:ABcd8b8a → b"));
    const ValueId prepared = findValue(result.value().graph, "w:ABcd8b8a");
    QCOMPARE(result.value().graph[prepared].role, ValueRole::Constant);
    QVERIFY(validate(result.value().graph).ok());
}

void tst_Dispatch::weightsOfTheRunCannotBePrepared()
{
    std::vector<Decision> decisions;
    const auto result = dispatched("input x float32[1,8,4,4]\n"
                                   "input v float32[8,8,1,1]\n"
                                   "conv: a = Conv(x, v)\n"
                                   "output a\n",
                                   "conv fast jit weights=1:ABcd8b8a:512 ms=1\n", {}, &decisions);
    QCOMPARE(picture(result), QStringLiteral("conv reference: x, v → a"));
    QCOMPARE(decisions.front().rule, std::string("weights-not-known"));
}

/// The same offer for weights that the caller brings and for weights of the run: the second is a step and has a price.
void tst_Dispatch::whatIsKnownAheadIsReorderedAhead()
{
    const char* offers = "conv fast jit in=plain,ABcd8b8a ms=1\nconv reference ref ms=1.0001\n";
    const auto weights = dispatched("input x float32[1,8,4,4]\n"
                                    "param w float32[8,8,1,1]\n"
                                    "conv: a = Conv(x, w)\n"
                                    "output a\n",
                                    offers);
    QCOMPARE(picture(weights), QStringLiteral("[reorder:w:ABcd8b8a fast reorder: w → w:ABcd8b8a]\n"
                                              "conv fast jit: x, w:ABcd8b8a → a"));
    QVERIFY(validate(weights.value().graph).ok());
    const auto computed = dispatched("input x float32[1,8,4,4]\n"
                                     "input v float32[8,8,1,1]\n"
                                     "conv: a = Conv(x, v)\n"
                                     "output a\n",
                                     offers);
    QCOMPARE(picture(computed), QStringLiteral("conv reference ref: x, v → a"));
}

void tst_Dispatch::aReorderServesAllReadersAndStandsBeforeTheFirst()
{
    const auto result = dispatched("input x float32[1,8,4,4]\n"
                                   "a: u = Relu(x)\n"
                                   "b: v = Neg(x)\n"
                                   "c: p = Sigmoid(u)\n"
                                   "d: q = Tanh(u)\n"
                                   "e: r = Add(p, q)\n"
                                   "f: s = Add(r, v)\n"
                                   "output s\n",
                                   "a fast jit out=nChw8c ms=1\n a reference ref ms=100\n");
    QCOMPARE(picture(result), QStringLiteral("a fast jit: x → u\n"
                                             "b reference: x → v\n"
                                             "reorder:u:plain fast reorder: u → u:plain\n"
                                             "c reference: u:plain → p\n"
                                             "d reference: u:plain → q\n"
                                             "e reference: p, q → r\n"
                                             "f reference: r, v → s"));
}

void tst_Dispatch::valuesFromOutsideABodyAreReorderedOutside()
{
    const auto result = dispatched("input x float32[1,8,4,4]\n"
                                   "input c bool[]\n"
                                   "a: u = Relu(x)\n"
                                   "choose: y = If(c)\n"
                                   "body then_branch\n"
                                   "  t: p = Neg(u)\n"
                                   "  output p\n"
                                   "end\n"
                                   "body else_branch\n"
                                   "  e: q = Abs(u)\n"
                                   "  output q\n"
                                   "end\n"
                                   "output y\n",
                                   "a fast jit out=nChw8c ms=1\n a reference ref ms=100\n"
                                   "choose/else_branch/e fast jit in=nChw8c out=nChw8c ms=1\n"
                                   "choose/else_branch/e reference ref ms=100\n");
    QCOMPARE(picture(result), QStringLiteral("a fast jit: x → u\n"
                                             "reorder:u:plain fast reorder: u → u:plain\n"
                                             "choose reference: c → y\n"
                                             "choose/then_branch/t reference: u:plain → choose/then_branch/p\n"
                                             "choose/else_branch/e fast jit: u → choose/else_branch/q:nChw8c\n"
                                             "reorder:choose/else_branch/q fast reorder: choose/else_branch/q:nChw8c → "
                                             "choose/else_branch/q"));
    QVERIFY(validate(result.value().graph).ok());
}

void tst_Dispatch::whatIsWrittenToAfterwardsStaysPlain()
{
    std::vector<Decision> decisions;
    const auto result = dispatched("input x float32[1,8,4,4]\n"
                                   "a: u = Relu(x)\n"
                                   "b: v = plimsoll::Add_(u, x)\n"
                                   "output v\n",
                                   "a fast jit out=nChw8c ms=1\n", {}, &decisions);
    QCOMPARE(picture(result), QStringLiteral("a reference: x → u\n"
                                             "b reference: u, x → v"));
    QCOMPARE(decisions.front().rule, std::string("mutated"));
}

void tst_Dispatch::everyOfferLeavesADecisionWithItsPrice()
{
    std::vector<Decision> decisions;
    Setting setting;
    setting.policies.padding = PaddingPolicy::Off;
    const auto result = dispatched("input x float32[1,22,46,34]\n"
                                   "n: y = Relu(x)\n"
                                   "output y\n",
                                   "n fast jit in=nChw8c out=nChw8c ms=1 scratch=100\n"
                                   "n fast nhwc ms=2\n"
                                   "n reference loops ms=9\n",
                                   setting, &decisions);
    QVERIFY(result.ok());
    std::string told;
    for (const Decision& decision : decisions) {
        QVERIFY(decision.kind == DecisionKind::Implementation);
        told += decision.other + (decision.accepted ? " yes " : " no ") + decision.rule + " " +
                std::to_string(decision.bytes) + "\n";
    }
    QCOMPARE(told, std::string("fast jit no padding-off 25124\n" // 2 × (150,144 − 137,632) + 100
                               "fast nhwc yes fastest 0\n"
                               "reference loops no slower 0\n"));
    QVERIFY(QString::fromStdString(english(decisions.back().reason)).contains(QStringLiteral("7 ms more")));
}

void tst_Dispatch::whatWasMeasuredOfReordersCounts_data()
{
    QTest::addColumn<double>("ms");
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("conv");
    QTest::addColumn<QString>("time");
    const QString own = QStringLiteral("float32[1,8,4,4]");
    QTest::newRow("cheap") << 0.25 << own << QStringLiteral("fast jit") << QStringLiteral("0.25 measured");
    QTest::newRow("dear") << 60.0 << own << QStringLiteral("reference ref") << QString();
    QTest::newRow("of other tensors") << 60.0 << QStringLiteral("float32[1,8,4,5]") << QStringLiteral("fast jit")
                                      << QStringLiteral("0.0021024 estimated"); // 1,024 bytes at 10 GB/s, and the call
}

void tst_Dispatch::whatWasMeasuredOfReordersCounts()
{
    QFETCH(double, ms);
    QFETCH(QString, type);
    QFETCH(QString, conv);
    QFETCH(QString, time);
    Catalogue catalogue =
        test::catalogueFromText("conv fast jit in=nChw8c out=nChw8c ms=1\nconv reference ref ms=100\n");
    for (const auto& [from, to] : {std::pair("plain", "nChw8c"), std::pair("nChw8c", "plain")}) {
        Implementation reorder;
        reorder.backend = "fast";
        reorder.name = "reorder";
        reorder.inputLayouts = {from};
        reorder.outputLayouts = {to};
        reorder.timeMs = ms;
        catalogue.reorders[type.toStdString()].push_back(reorder);
    }
    const Policies policies;
    const auto made =
        dispatch(inferTypes(test::graphFromText(ConvRelu), {}, {}).value().graph, {catalogue, policies, {}}, {}, {});
    QVERIFY(made.ok());
    const Dispatch& result = made.value();
    const auto chosen = [&](std::string_view node) { return result.implementations[findNode(result.graph, node)]; };
    QCOMPARE(QString::fromStdString(describe(chosen("conv"))), conv);
    for (const char* name : {"reorder:x:nChw8c", "reorder:a:plain"}) {
        QCOMPARE(findNode(result.graph, name).valid(), !time.isEmpty());
        if (!time.isEmpty())
            QCOMPARE(QString::number(chosen(name).timeMs) + u' ' + QString::fromStdString(chosen(name).provenance),
                     time);
    }
}

QTEST_GUILESS_MAIN(tst_Dispatch)
#include "tst_dispatch.moc"

#include <span>
