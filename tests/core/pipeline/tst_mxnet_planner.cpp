#include "core/facts/english/english.h"
#include "core/pipeline/pipeline.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace plimsoll;

namespace {

Report planned(const QByteArray& graph, const QByteArray& choices)
{
    PlanRequest request;
    request.policies.alignment = 1;
    request.policies.backend = BackendPolicy::Reference;
    request.policies.placement = "storage-reuse";
    request.policies.outputs = OutputsPolicy::Shared;
    test::chooseFromText(request.policies, choices.constData());
    return analyse(test::graphFromText(graph.constData()), request, {}).value();
}

/// "a r | b c": the values in each block of the plan, in order of their steps. Values that share are joined by "+".
QString blocks(const Report& report)
{
    std::map<std::int64_t, std::vector<const Storage*>> byOffset;
    for (const Storage& storage : report.program.storages)
        if (storage.arena.valid()) byOffset[storage.offset].push_back(&storage);
    QStringList all;
    for (auto& [offset, storages] : byOffset) {
        std::sort(storages.begin(), storages.end(),
                  [](const Storage* a, const Storage* b) { return a->live.hull().begin < b->live.hull().begin; });
        QStringList block;
        for (const Storage* storage : storages) {
            QStringList names;
            for (const ValueId value : storage->values)
                names << QString::fromStdString((*report.program.graph)[value].name);
            block << names.join(u'+');
        }
        all << block.join(u' ');
    }
    return all.join(QStringLiteral(" | "));
}

/// A chain of operators that do not work in place: x, then v0, v1, … with so many float32 elements.
QByteArray chain(const QList<int>& elements)
{
    QByteArray text = "input x float32[16]\n";
    QByteArray last = "x";
    for (qsizetype i = 0; i < elements.size(); ++i) {
        const QByteArray name = "v" + QByteArray::number(i);
        text += name + " = my::F(" + last + ")\nvalue " + name + " float32[" + QByteArray::number(elements[i]) + "]\n";
        last = name;
    }
    return text + "output " + last + "\n";
}

/// p feeds three nodes in a row and two, which j joins; nothing works in place.
QByteArray fan()
{
    QByteArray text = "input x float32[16]\n";
    for (const char* node : {"p x", "a p", "b a", "c b", "d p", "e d", "j c,e"}) {
        const QByteArray name(node, 1);
        text += name + " = my::F(" + QByteArray(node + 2) + ")\nvalue " + name + " float32[16]\n";
    }
    return text + "output j\n";
}

} // namespace

/// placement=storage-reuse against what MXNet's planner gives: totals and blocks of the research notes on it.
class tst_MxnetPlanner : public QObject
{
    Q_OBJECT

private slots:
    void blocksAreThoseOfMxnet_data();
    void blocksAreThoseOfMxnet();
    void aNoteSaysWhatMxnetWouldHaveDone_data();
    void aNoteSaysWhatMxnetWouldHaveDone();
    void theSearchIsLoggedWithItsReason();
    void planningTwoThousandNodesTakesNoTime();
};

void tst_MxnetPlanner::blocksAreThoseOfMxnet_data()
{
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<QByteArray>("policies");
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const QByteArray& graph, const char* policies, qint64 bytes,
                        const char* expected) {
        QTest::newRow(name) << graph << QByteArray(policies) << bytes << QString::fromLatin1(expected);
    };
    const QByteArray dip = chain({1024, 1024, 64, 1024});
    row("B24 range 16", dip, "match-range=16", 8192, "v0 v2 | v1 v3");
    row("B24 range 1", dip, "match-range=1", 8448, "v0 v3 | v1 | v2");
    row("B24 range 0", dip, "match-range=0", 12544, "v0 | v1 | v2 | v3");
    row("B24 with 63", chain({1024, 1024, 63, 1024}), "", 8444, "v0 v3 | v1 | v2");
    const QByteArray teeth = chain({1000, 10, 1000, 10, 500});
    row("B25 range 16", teeth, "", 4040, "v0 v2 v4 | v1 v3");
    row("B25 range 1", teeth, "match-range=1", 6040, "v0 v2 | v1 v3 | v4");
    row("B25 range 0", teeth, "match-range=0", 10080, "v0 | v1 | v2 | v3 | v4");
    row("B25 search", teeth, "match-range-search=on", 4040, "v0 v2 v4 | v1 v3");
    row("B25 search below range 0", teeth, "match-range=0 match-range-search=on", 10080, "v0 | v1 | v2 | v3 | v4");
    row("B26 one colour", fan(), "colours=1", 192, "p e | a c | b d j");
    row("B26 two colours", fan(), "colours=2", 256, "p e | a c | b j | d");
    const QByteArray head = "const s int64[1] = 8\ninput x float32[8]\nk = Add(x, x)\n";
    const QByteArray tail = "s2 = Add(r, k)\nt = Add(s2, s2)\noutput t\n";
    row("B18 the reshape is an identity", head + "r = Reshape(k, s)\n" + tail, "", 64, "k+r t | s2");
    row("B18 it is not", head + "r = my::Reshape(k) alias=0:in-place:0\nvalue r float32[8]\n" + tail, "", 64,
        "k t | r+s2");
    const QByteArray cast = "input x float32[16]\nh = Softmax(x)\n";
    row("B20 a cast of equal width, one reader",
        cast + "c = mxnet::Cast(h) dtype=\"int32\"\ny = my::F(c)\nvalue y float32[16]\noutput y\n", "", 128, "h+c | y");
    row("B20 two readers",
        cast + "c = mxnet::Cast(h) dtype=\"int32\"\ny = my::F(c, h)\nvalue y float32[16]\n"
               "output y\n",
        "", 192, "h | c | y");
    row("B20 to half the width",
        cast + "c = mxnet::Cast(h) dtype=\"float16\"\ny = my::F(c)\nvalue y float32[16]\noutput y\n", "", 96,
        "h y | c");
    row("B20 i8 to u8",
        "input x float32[16]\nh = my::F(x)\nvalue h int8[16]\nc = mxnet::Cast(h) dtype=\"uint8\"\n"
        "y = my::F(c)\nvalue y int8[16]\noutput y\n",
        "", 32, "h+c | y");
    row("B20 f64 to f64 is an identity, whoever reads",
        "input x float32[16]\nh = my::F(x)\nvalue h float64[16]\nc = mxnet::Cast(h) dtype=\"float64\"\ny = my::F(c, "
        "h)\n"
        "value y float64[16]\noutput y\n",
        "", 256, "h+c | y");
    row("B21 dead outputs are free from the next node on",
        "input x float32[64]\no, m, v = my::BN(x)\nvalue o float32[64]\nvalue m float32[4]\nvalue v float32[4]\n"
        "p = my::Small(o)\nvalue p float32[4]\noutput p\n",
        "", 288, "o | v | m p");
    const QByteArray zeros = "input x float32[16]\nh = my::F(x)\nvalue h float32[16]\nz = my::Zeros(h) ignores=[0]\n"
                             "value z float32[16]\n";
    row("B22 what only an ignored slot reads is dead", zeros + "output z\n", "", 64, "h z");
    row("B22 with another reader",
        "input x float32[16]\nh = my::F(x)\nvalue h float32[16]\nk = my::F(h)\nvalue k float32[16]\n"
        "z = my::Zeros(h) ignores=[0]\nvalue z float32[16]\ny = Add(k, z)\noutput y\n",
        "", 128, "h z | k+y");
    row("B27 half floats are two bytes",
        "input x float16[1024]\na = my::F(x)\nvalue a float16[1024]\nb = my::F(a)\nvalue b float16[1024]\noutput b\n",
        "", 4096, "a | b");
    row("the last of equal outputs asks first, the largest before all",
        "input x float32[4]\np, q, r = my::F(x)\nvalue p float32[4]\nvalue q float32[4]\nvalue r float32[8]\n"
        "y = my::F(p, q, r)\nvalue y float32[4]\noutput y\n",
        "", 80, "r | q | p | y");
    row("inputs free their blocks in order of the slots",
        "input x float32[4]\na = my::F(x)\nvalue a float32[4]\nb = my::F(a)\nvalue b float32[4]\n"
        "c = my::F(b, a)\nvalue c float32[4]\nd = my::F(c)\nvalue d float32[4]\noutput d\n",
        "", 48, "a | b d | c");
}

void tst_MxnetPlanner::blocksAreThoseOfMxnet()
{
    QFETCH(QByteArray, graph);
    QFETCH(QByteArray, policies);

    const Report report = planned(graph, policies);

    QTEST(qint64(report.memory.peakBytes), "bytes");
    QTEST(blocks(report), "expected");
    QCOMPARE(countFindings(report, Severity::Error), std::size_t(0));
}

void tst_MxnetPlanner::aNoteSaysWhatMxnetWouldHaveDone_data()
{
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<QByteArray>("policies");
    QTest::addColumn<QString>("note");
    QTest::newRow("nothing") << fan() << QByteArray() << QString();
    QTest::newRow("B22 in place over the only input is never thought of")
        << QByteArray("input x float32[16]\nh = my::F(x)\nvalue h float32[16]\nk = my::F(h)\nvalue k float32[16]\n"
                      "n: z = mxnet::zeros_like(h)\nm = my::G(h, k)\nvalue m float32[16]\ny = Add(m, z)\noutput y\n")
        << QByteArray()
        << QStringLiteral(
               "MXNet's CachedOp counts reads that look at no content ('n' takes the shape of 'h') and never "
               "gives such blocks back: 64 bytes that are handed on here would be lost.");
    QTest::newRow("B25") << chain({1000, 10, 1000, 10, 500}) << QByteArray("match-range=4 match-range-search=on")
                         << QStringLiteral("Match ranges tried: 1 (6,040 bytes), 2 (4,040 bytes), 4 (4,040 bytes). "
                                           "Kept: 2.");
    QTest::newRow("B25 without a range")
        << chain({10}) << QByteArray("match-range=0 match-range-search=on")
        << QStringLiteral("With match-range 0 there is nothing to search. MXNet would make no plan at all; here every "
                          "block is new, and only values that share are in one.");
    QTest::newRow("B27") << QByteArray("input x float16[1024]\na = my::F(x)\nvalue a float16[1024]\nb = my::F(a)\n"
                                       "value b float16[1024]\noutput b\n")
                         << QByteArray()
                         << QStringLiteral("MXNet 1.5 to 1.9 take every element for 4 bytes: they would report 8,192 "
                                           "bytes.");
    QTest::newRow("B22") << QByteArray("input x float32[16]\nh = my::F(x)\nvalue h float32[16]\nk = my::F(h)\n"
                                       "value k float32[16]\nn: z = my::Zeros(h) ignores=[0]\nvalue z float32[16]\n"
                                       "y = Add(k, z)\noutput y\n")
                         << QByteArray()
                         << QStringLiteral("MXNet's CachedOp counts reads that look at no content ('n' takes the "
                                           "shape of 'h') and never gives such blocks back: 64 bytes that are handed "
                                           "on here would be lost.");
    QTest::newRow("B23") << QByteArray("input x float32[4]\nh = Softmax(x)\nn: w = my::W(h, x) ignores=[0] "
                                       "alias=0:in-place:0\nvalue w float32[4]\nm = my::F(h)\nvalue m float32[4]\n"
                                       "output w m\n")
                         << QByteArray("inputs=protect")
                         << QStringLiteral(
                                "MXNet's CachedOp counts reads that look at no content ('n' takes the shape of 'h') "
                                "and never gives such blocks back: 16 bytes that are handed on here would be "
                                "lost.\nMXNet would write 'w' over 'h', which 'n' does not look at but another "
                                "node still reads; here it is kept.");
}

void tst_MxnetPlanner::aNoteSaysWhatMxnetWouldHaveDone()
{
    QFETCH(QByteArray, graph);
    QFETCH(QByteArray, policies);
    QFETCH(QString, note);

    const Report report = planned(graph, policies);

    QStringList notes;
    for (const std::string& one : english(report.notes))
        notes << QString::fromStdString(one);
    QCOMPARE(notes.join(u'\n'), note);
    const Report best = planned(graph, policies + " placement=best");
    for (const std::string& one : english(best.notes))
        QVERIFY2(one.find("MXNet") == std::string::npos, one.c_str());
}

void tst_MxnetPlanner::theSearchIsLoggedWithItsReason()
{
    const Report report = planned(chain({1000, 10, 1000, 10, 500}), "match-range=4 match-range-search=on");
    QStringList lines;
    for (const Decision& decision : report.decisions) {
        if (decision.rule != "match-range") continue;
        lines << QStringLiteral("%1 %2 %3")
                     .arg(QString::fromStdString(decision.other),
                          decision.accepted ? QStringLiteral("kept") : QStringLiteral("-"),
                          QString::fromStdString(english(decision.reason)));
    }

    QCOMPARE(lines.join(u'\n'), QStringLiteral("match-range 1 - With match range 1 the plan takes 6,040 bytes.\n"
                                               "match-range 2 kept With match range 2 the plan takes 4,040 bytes.\n"
                                               "match-range 4 - With match range 4 the plan takes 4,040 bytes."));
}

void tst_MxnetPlanner::planningTwoThousandNodesTakesNoTime()
{
    QList<int> elements;
    for (int i = 0; i < 2000; ++i)
        elements << 1 + i * 37 % 500;

    const Report report = planned(chain(elements), "match-range-search=on colours=4");

    QVERIFY2(report.planning.ms < 1000, qPrintable(QString::number(report.planning.ms)));
}

QTEST_APPLESS_MAIN(tst_MxnetPlanner)
#include "tst_mxnet_planner.moc"
