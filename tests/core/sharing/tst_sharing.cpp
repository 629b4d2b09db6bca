#include "core/analysis/stream_assignment.h"
#include "core/facts/english/english.h"
#include "core/sharing/sharing.h"

#include "core/lower/types/infer_types.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;

namespace {

/// A graph after sharing: what lies together, and why.
struct Shared
{
    explicit Shared(const char* text, const Policies& policies = {}, std::vector<Implementation> chosen = {})
        : Shared(test::graphFromText(text), policies, std::move(chosen))
    {
    }
    Shared(const Graph& given, const Policies& policies, std::vector<Implementation> chosen)
    {
        graph = inferTypes(given, {}, {}).value().graph;
        Program program {
            std::make_shared<const Graph>(graph), scheduleInCapturedOrder(graph), std::move(chosen), {}, policies};
        program.streams = assignStreams(graph, program.schedule, policies.streams).value();
        const ValueFacts facts = findValueFacts(graph, program.schedule, program.implementations, policies);
        sharing = share({program, facts}, DecisionLog(decisions));
    }

    /// "a b | c": values of planned storages, storages in order of their first value.
    [[nodiscard]] QString groups() const
    {
        QStringList all;
        for (const SharedStorage& storage : sharing.storages) {
            if (storage.residence != Residence::Planned) continue;
            QStringList names;
            for (const ValueId value : storage.values)
                names.append(QString::fromStdString(graph[value].name));
            all.append(names.join(QLatin1Char(' ')));
        }
        return all.join(QStringLiteral(" | "));
    }

    /// The rule that decided about a pair: "+last-reader" where it was accepted.
    [[nodiscard]] QString rule(const char* output, const char* input) const
    {
        for (const Decision& decision : decisions) {
            if (decision.subject == output && decision.other == input) {
                return QLatin1String(decision.accepted ? "+" : "-") + QString::fromStdString(decision.rule);
            }
        }
        return QStringLiteral("not considered");
    }

    Graph graph;
    std::vector<Decision> decisions;
    Sharing sharing;
};

Policies with(std::string_view id, std::string_view value)
{
    return test::policiesWith({{id, value}});
}

} // namespace

class tst_Sharing : public QObject
{
    Q_OBJECT

private slots:
    void valuesShareWhereNobodyCanTell_data();
    void valuesShareWhereNobodyCanTell();
    void eachRefusalNamesItsRule_data();
    void eachRefusalNamesItsRule();
    void aReasonNamesTheValueInTheWay();
    void eachReasonIsASentence_data();
    void eachReasonIsASentence();
    void theSharedOutputsOfMxnetAreReproducedOnRequest();
    void policiesTakeSharingsAway_data();
    void policiesTakeSharingsAway();
    void anImplementationNarrowsWhatTheOperatorAllows();
    void anInputReadTwiceNeedsBothOfItsPairs();
    void partsThatOverlapAreNotWrittenWhileTheOtherIsRead();
    void asInMxnetReadsAreCounted();
    void aGuestNeedsNoMoreBytesThanItsHostHas();
    void whatBeginsOffTheAlignmentStaysApart();
    void storagesAreAsLongAsTheirLargestValue();
    void aLongChainIsJoinedQuickly();
};

void tst_Sharing::valuesShareWhereNobodyCanTell_data()
{
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<QString>("expected");

    QTest::newRow("a chain in place") << QByteArray("input x float32[4]\n"
                                                    "a = Relu(x)\n"
                                                    "b = Relu(a)\n"
                                                    "c = Relu(b)\n"
                                                    "output c\n")
                                      << "a b c";
    QTest::newRow("two readers") << QByteArray("input x float32[4]\n"
                                               "a = Neg(x)\n"
                                               "c = Relu(a)\n"
                                               "e = Add(c, a)\n"
                                               "output e\n")
                                 << "a | c e";
    QTest::newRow("identities of one value, one output") << QByteArray("input x float32[4]\n"
                                                                       "h = Neg(x)\n"
                                                                       "a = Identity(h)\n"
                                                                       "b = Identity(a)\n"
                                                                       "y = Identity(b)\n"
                                                                       "output y\n")
                                                         << "h a b y";
    QTest::newRow("readers of both sides of an identity") << QByteArray("input x float32[4]\n"
                                                                        "h = Neg(x)\n"
                                                                        "i = Identity(h)\n"
                                                                        "p = Sum(h, i)\n"
                                                                        "q = my::Op(i, h)\n"
                                                                        "value q float32[4]\n"
                                                                        "output p q\n")
                                                          << "h i | p | q";
    QTest::newRow("two outputs stay two") << QByteArray(test::samples::TwoOutputsOneStorage.data()) << "xc a | b";
    QTest::newRow("an output and its identity stay two") << QByteArray("input x float32[4]\n"
                                                                       "h = Neg(x)\n"
                                                                       "y = Identity(h)\n"
                                                                       "output h y\n")
                                                         << "h | y";
    QTest::newRow("one value listed twice is one") << QByteArray("input x float32[4]\n"
                                                                 "p = Neg(x)\n"
                                                                 "output p p\n")
                                                   << "p";
    QTest::newRow("a copy of an input has its own bytes") << QByteArray("input x float32[4]\n"
                                                                        "y = Identity(x)\n"
                                                                        "output x y\n")
                                                          << "y";
    QTest::newRow("views never part") << QByteArray("input x float32[4]\n"
                                                    "h = Neg(x)\n"
                                                    "v = my::View(h) alias=0:view:0\n"
                                                    "value v float32[2]\n"
                                                    "y = Neg(v)\n"
                                                    "z = Add(h, h)\n"
                                                    "output y z\n")
                                      << "h v z | y";
}

void tst_Sharing::valuesShareWhereNobodyCanTell()
{
    QFETCH(QByteArray, graph);
    const Shared shared(graph.constData());

    QTEST(shared.groups(), "expected");
}

void tst_Sharing::eachRefusalNamesItsRule_data()
{
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<QString>("expected");

    QTest::newRow("read later") << QByteArray("input x float32[4]\na = Neg(x)\nb = Relu(a)\nc = Add(b, a)\noutput c\n")
                                << QByteArray("b") << QByteArray("a") << "-still-read";
    QTest::newRow("its identity is read later")
        << QByteArray("input x float32[4]\na = Neg(x)\ni = Identity(a)\nb = Relu(a)\nc = MatMul(b, i)\noutput c\n")
        << QByteArray("b") << QByteArray("a") << "-still-read";
    QTest::newRow("an output") << QByteArray("input x float32[4]\na = Neg(x)\nb = Relu(a)\noutput a b\n")
                               << QByteArray("b") << QByteArray("a") << "-output-kept";
    QTest::newRow("an input") << QByteArray("input x float32[4]\nb = Relu(x)\noutput b\n") << QByteArray("b")
                              << QByteArray("x") << "-input-protected";
    QTest::newRow("two outputs") << QByteArray(test::samples::TwoOutputsOneStorage.data()) << QByteArray("b")
                                 << QByteArray("xc") << "-output-independence";
    QTest::newRow("no size")
        << QByteArray(
               "input x float32[4]\na = my::Op(x)\nb = my::Op(a) alias=0:in-place:0\nvalue a float32[?]\nvalue b "
               "float32[?]\noutput b\n")
        << QByteArray("b") << QByteArray("a") << "not considered";
    QTest::newRow("the bytes are written again")
        << QByteArray("input x float32[4]\na = Neg(x)\ni = Identity(a)\nm = my::Write(a) alias=0:mutates:0\nvalue m "
                      "float32[4]\nc = Add(m, "
                      "i)\noutput c\n")
        << QByteArray("i") << QByteArray("a") << "-overwritten";
    QTest::newRow("both inputs die, the first wins")
        << QByteArray("input x float32[4]\na = Neg(x)\nb = Neg(x)\nc = Add(a, b)\noutput c\n") << QByteArray("c")
        << QByteArray("b") << "-already-shared";
    QTest::newRow("read twice, once where it must stay")
        << QByteArray("input x float32[2,2]\na = Neg(x)\ni = Identity(a)\nc = my::Op(a, i) alias=0:in-place:0\nvalue c "
                      "float32[2,2]\noutput c\n")
        << QByteArray("c") << QByteArray("a") << "-read-twice";
    QTest::newRow("state of a loop")
        << QByteArray("input x float32[4]\ninput m int64[]\nn: s = Loop(m, _, x)\nbody body\n  input i int64[]\n"
                      "  input c bool[]\n  input h float32[4]\n  u = Relu(h)\n  output c u\nend\noutput s\n")
        << QByteArray("n/body/u") << QByteArray("n/body/h") << "+last-reader";
    QTest::newRow("a copy of loop state that the body hands over")
        << QByteArray("input x float32[4]\ninput m int64[]\nn: s, all = Loop(m, _, x)\nbody body\n  input i int64[]\n"
                      "  input c bool[]\n  input h float32[4]\n  old = Identity(h)\n  u = Neg(old)\n  output c u "
                      "old\nend\noutput s all\n")
        << QByteArray("n/body/old") << QByteArray("n/body/h") << "-loop-writes";
    QTest::newRow("a copy of loop state that only the body reads")
        << QByteArray("input x float32[4]\ninput m int64[]\nn: s = Loop(m, _, x)\nbody body\n  input i int64[]\n"
                      "  input c bool[]\n  input h float32[4]\n  old = Identity(h)\n  u = Neg(old)\n  output c "
                      "u\nend\noutput s\n")
        << QByteArray("n/body/old") << QByteArray("n/body/h") << "+same-bytes";
    QTest::newRow("from outside a loop")
        << QByteArray("input x float32[4]\ninput m int64[]\nw = Neg(x)\nn: s = Loop(m, _, x)\nbody body\n"
                      "  input i int64[]\n  input c bool[]\n  input h float32[4]\n  u = Relu(w)\n"
                      "  output c u\nend\noutput s\n")
        << QByteArray("n/body/u") << QByteArray("w") << "-still-read";
    QTest::newRow("from outside a branch")
        << QByteArray("input x float32[4]\ninput k bool[]\nw = Neg(x)\nn: y = If(k)\nbody then_branch\n"
                      "  a = Relu(w)\n  output a\nend\nbody else_branch\n  b = Neg(x)\n  output b\nend\n"
                      "output y\n")
        << QByteArray("n/then_branch/a") << QByteArray("w") << "+last-reader";
}

void tst_Sharing::eachRefusalNamesItsRule()
{
    QFETCH(QByteArray, graph);
    QFETCH(QByteArray, output);
    QFETCH(QByteArray, input);
    const Shared shared(graph.constData());

    QTEST(shared.rule(output.constData(), input.constData()), "expected");
}

void tst_Sharing::aReasonNamesTheValueInTheWay()
{
    const Shared shared("input x float32[4]\n"
                        "a = Neg(x)\n"
                        "i = Identity(a)\n"
                        "n: b = Relu(a)\n"
                        "c = MatMul(b, i)\n"
                        "output c\n");

    const auto refused = std::find_if(shared.decisions.begin(), shared.decisions.end(),
                                      [](const Decision& d) { return d.rule == "still-read"; });
    QVERIFY(refused != shared.decisions.end());
    QCOMPARE(english(refused->reason), std::string("'i' in these bytes is still read after 'n'."));
    QCOMPARE(refused->bytes, 16);
}

void tst_Sharing::eachReasonIsASentence_data()
{
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<QByteArray>("policies");
    QTest::addColumn<QString>("pair"); // output and input
    QTest::addColumn<QString>("said");
    const auto row = [](const char* pair, const QByteArray& graph, const char* said, const char* policies = "") {
        QTest::addRow("%s %s", pair, policies)
            << graph << QByteArray(policies) << QString::fromUtf8(pair) << QString::fromUtf8(said);
    };
    const QByteArray chain = "input x float32[4]\na = Neg(x)\nn: b = Relu(a)\noutput b\n";
    const QByteArray twins = "input x float32[4]\nh = Neg(x)\na = Identity(h)\nb = Identity(h)\noutput a b\n";
    const QByteArray through = "input x float32[4]\ni = Identity(x)\nn: y = Neg(i)\noutput y i\n";
    const QByteArray written = "input x float32[4]\na = Neg(x)\ni = Identity(a)\nm = my::Write(a) alias=0:mutates:0\n"
                               "value m float32[4]\nc = Add(m, i)\noutput c\n";
    const QByteArray loop = "input x float32[4]\ninput m int64[]\nn: s = Loop(m, _, x)\nbody body\n  input i int64[]\n"
                            "  input c bool[]\n  input h float32[4]\n  t: old = Identity(h)\n  k: u = Neg(old)\n"
                            "  output c u\nend\noutput s\n";
    row("b a", chain, "'n' is the last to read 'a', so it may write 'b' over it.");
    row("b a", chain, "The policy inplace does not allow it.", "inplace=off");
    row("b a", chain, "'b' is written into the buffer that the caller brings for it.", "outputs=external");
    row("b h", twins, "Two graph outputs would share: a write to one would show in the other.");
    row("a h", twins, "'a' repeats the bytes of 'h', and nothing writes them while either is read.");
    row("i x", through, "The bytes of 'x' are not the plan's to share.");
    row("i x", through, "The caller may refill 'x', and 'i' would change with it.", "inputs=share-identity");
    row("y i", through, "'i' in these bytes is a graph output and must last to the end.");
    row("i a", written, "The shared bytes would be written again while 'a' or 'i' is still read.");
    row("m a", written, "It is 'a' after being written, in the same bytes.");
    row("n/body/old n/body/h", loop,
        "'n/body/old' repeats the bytes of 'n/body/h', and nothing writes them while either is read.");
    row("n/body/u n/body/old", loop,
        "'n/body/k' is the last to read 'n/body/old', so it may write 'n/body/u' over it.");
    row("n/body/h n/body/u", loop, "'n/body/h' already has its bytes from another sharing.");
    row("v a", "input x float32[4]\na = Neg(x)\nv = my::View(a) alias=0:view:0\nvalue v float32[2]\noutput v\n",
        "It is a part of 'a' and has no bytes of its own.");
    row("c b", "input x float32[4]\na = Neg(x)\nb = Neg(x)\nc = Add(a, b)\noutput c\n",
        "'c' already has its bytes from another sharing.");
    row("c a",
        "input x float32[2,2]\na = Neg(x)\ni = Identity(a)\nn: c = my::Op(a, i) alias=0:in-place:0\n"
        "value c float32[2,2]\noutput c\n",
        "'n' reads these bytes through 'i' too, while it writes.");
    row("n/body/u w",
        "input x float32[4]\ninput m int64[]\nw = Neg(x)\nn: s = Loop(m, _, x)\nbody body\n  input i int64[]\n"
        "  input c bool[]\n  input h float32[4]\n  t: u = Relu(w)\n  output c u\nend\noutput s\n",
        "'w' in these bytes is still read after 'n/body/t'.");
    row("z b", "input x float32[4]\na = Exp(x)\nb = Exp(a)\nn: z = mxnet::zeros_like(b)\nc = Neg(z)\noutput c\n",
        "'n' does not look at 'b', and MXNet's planner writes only over what a node is the last to read.",
        "placement=storage-reuse");
}

void tst_Sharing::eachReasonIsASentence()
{
    QFETCH(QByteArray, graph);
    QFETCH(QByteArray, policies);
    QFETCH(QString, pair);
    Policies chosen;
    test::chooseFromText(chosen, policies.constData());
    const Shared shared(graph.constData(), chosen);

    const auto found = std::ranges::find_if(shared.decisions, [&](const Decision& decision) {
        return decision.subject + " " + decision.other == pair.toStdString();
    });

    QVERIFY(found != shared.decisions.end());
    QTEST(QString::fromStdString(english(found->reason)), "said");
}

void tst_Sharing::theSharedOutputsOfMxnetAreReproducedOnRequest()
{
    const Shared shared(test::samples::TwoOutputsOneStorage.data(), with("outputs", "shared"));

    QCOMPARE(shared.groups(), QStringLiteral("xc a b"));
    QCOMPARE(shared.sharing.storages[shared.sharing.storageOf[findValue(shared.graph, "a").index()].index()].bytes, 16);
}

void tst_Sharing::policiesTakeSharingsAway_data()
{
    QTest::addColumn<QByteArray>("inplace");
    QTest::addColumn<QString>("expected");
    QTest::newRow("on") << QByteArray("on") << "a b i";
    QTest::newRow("identity-only") << QByteArray("identity-only") << "a | b i";
    QTest::newRow("off") << QByteArray("off") << "a | b | i";
}

void tst_Sharing::policiesTakeSharingsAway()
{
    QFETCH(QByteArray, inplace);
    const Shared shared("input x float32[4]\n"
                        "a = Neg(x)\n"
                        "b = Relu(a)\n"
                        "i = Identity(b)\n"
                        "output i\n",
                        with("inplace", inplace.constData()));

    QTEST(shared.groups(), "expected");
}

void tst_Sharing::anImplementationNarrowsWhatTheOperatorAllows()
{
    constexpr const char* Text = "input x float32[4]\n"
                                 "a = Neg(x)\n"
                                 "b = Relu(a)\n"
                                 "output b\n";
    std::vector<Implementation> chosen(2);
    chosen[1].inPlaceKnown = true;
    QCOMPARE(Shared(Text, {}, chosen).rule("b", "a"), QStringLiteral("-implementation"));

    chosen[1].inPlace = {{0, 0}};
    QCOMPARE(Shared(Text, {}, chosen).rule("b", "a"), QStringLiteral("+last-reader"));
}

void tst_Sharing::anInputReadTwiceNeedsBothOfItsPairs()
{
    constexpr const char* Text = "input x float32[4]\n"
                                 "a = Relu(x)\n"
                                 "b = Mul(a, a)\n"
                                 "output b\n";
    std::vector<Implementation> chosen(2);
    chosen[1].inPlaceKnown = true;
    chosen[1].inPlace = {{0, 0}};
    QCOMPARE(Shared(Text, {}, chosen).groups().contains(QStringLiteral("a b")), false);

    chosen[1].inPlace = {{0, 0}, {0, 1}};
    QCOMPARE(Shared(Text, {}, chosen).groups(), QStringLiteral("a b"));
}

void tst_Sharing::partsThatOverlapAreNotWrittenWhileTheOtherIsRead()
{
    // h  [0 . . . . . . 32)
    // l  [0 . . . 16)            y over l would spoil the end of r
    // r        [8 . . . 24)
    Graph graph = test::graphFromText("input x float32[8]\n"
                                      "h = Neg(x)\n"
                                      "low: l = my::Part(h) alias=0:view:0\n"
                                      "value l float32[4]\n"
                                      "high: r = my::Part(h) alias=0:view:0\n"
                                      "value r float32[4]\n"
                                      "y = Add(l, r)\n"
                                      "output y\n");
    const Policies policies = with("alignment", "1");
    QCOMPARE(Shared(graph, policies, {}).rule("y", "l"), QStringLiteral("+last-reader"));

    graph[findNode(graph, "high")].declared.edit().traits->front().offsetBytes = 8;
    QCOMPARE(Shared(graph, policies, {}).rule("y", "l"), QStringLiteral("-read-twice"));
    QCOMPARE(Shared(graph, policies, {}).rule("y", "r"), QStringLiteral("-read-twice"));
}

void tst_Sharing::asInMxnetReadsAreCounted()
{
    constexpr const char* Text = "input x float32[4]\n"
                                 "a = Relu(x)\n"
                                 "b = Mul(a, a)\n"
                                 "z = mxnet::zeros_like(b)\n"
                                 "c = Neg(z)\n"
                                 "output c\n";
    const Shared ours(Text);
    QCOMPARE(ours.rule("b", "a"), QStringLiteral("+last-reader"));
    QCOMPARE(ours.rule("z", "b"), QStringLiteral("+last-reader"));

    const Shared counted(Text, with("placement", "storage-reuse"));
    QCOMPARE(counted.rule("b", "a"), QStringLiteral("-read-twice"));
    QCOMPARE(counted.rule("z", "b"), QStringLiteral("-not-read"));
    QCOMPARE(counted.rule("c", "z"), QStringLiteral("+last-reader"));
}

void tst_Sharing::aGuestNeedsNoMoreBytesThanItsHostHas()
{
    constexpr const char* Text = "input x float32[4]\n"
                                 "i = Identity(x)\n"
                                 "y = Neg(i)\n"
                                 "output y\n";
    const Policies policies = with("inputs", "share-identity");
    QCOMPARE(Shared(Text, policies).rule("i", "x"), QStringLiteral("+same-bytes"));

    std::vector<Implementation> padded(2);
    padded[0].requiredOutputBytes = {128};
    QCOMPARE(Shared(Text, policies, padded).rule("i", "x"), QStringLiteral("-size-differs"));
}

void tst_Sharing::whatBeginsOffTheAlignmentStaysApart()
{
    Graph graph = test::graphFromText("input x float32[8]\n"
                                      "h = Neg(x)\n"
                                      "part: v = my::Part(h) alias=0:view:0\n"
                                      "value v float32[4]\n"
                                      "y = Relu(v)\n"
                                      "output y\n");
    graph[findNode(graph, "part")].declared.edit().traits->front().offsetBytes = 16;

    QCOMPARE(Shared(graph, with("alignment", "16"), {}).rule("y", "v"), QStringLiteral("+last-reader"));
    QCOMPARE(Shared(graph, with("alignment", "32"), {}).rule("y", "v"), QStringLiteral("-misaligned"));
}

void tst_Sharing::storagesAreAsLongAsTheirLargestValue()
{
    std::vector<Implementation> chosen(2);
    chosen[0].requiredOutputBytes = {128};

    const Shared shared("input x float32[4]\n"
                        "a = Neg(x)\n"
                        "i = Identity(a)\n"
                        "output i\n",
                        {}, chosen);

    QCOMPARE(shared.groups(), QStringLiteral("a i"));
    QCOMPARE(shared.sharing.storages.back().bytes, 128);
}

void tst_Sharing::aLongChainIsJoinedQuickly()
{
    QByteArray text("input x float32[4]\nv0 = Neg(x)\n");
    constexpr int Length = 50'000;
    for (int i = 1; i < Length; ++i) {
        const char* op = i % 3 == 0 ? "Identity" : "Relu";
        text += "v" + QByteArray::number(i) + " = " + op + "(v" + QByteArray::number(i - 1) + ")\n";
    }
    text += "output v" + QByteArray::number(Length - 1) + "\n";

    const Shared shared(text.constData());

    QCOMPARE(shared.sharing.storages.back().values.size(), std::size_t(Length));
}

QTEST_APPLESS_MAIN(tst_Sharing)
#include "tst_sharing.moc"
