#include "core/facts/about.h"
#include "core/facts/about/byte_uses.h"
#include "core/facts/fact_table.h"
#include "core/facts/words/area_text.h"
#include "tests/core/facts/about_cases.h"
#include "tests/core/picture/picture_samples.h"
#include "tests/support/planned.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::test;

namespace {

/// A chain of a row of 256 B each, of which one is a view and one a copy that shares.
/// Both operands of a Concat lie in its result.
constexpr std::string_view Joined =
    "input x float32[64]\nn0: a = Relu(x)\nn1: b = Neg(x)\nn2: y = Concat(a, b) axis=0\n"
    "n3: z = Exp(y)\noutput z\n";
/// A value under three names at once.
constexpr std::string_view Fanned = "input x float32[64]\nn0: a = Relu(x)\nn1: v = Identity(a)\nn2: i = Identity(a)\n"
                                    "n3: b = Add(v, i)\nn4: c = Mul(b, a)\noutput c\n";
constexpr std::string_view Renamed = "input x float32[64]\nn0: a = Relu(x)\nn1: v = Flatten(a) axis=0\n"
                                     "n2: i = Identity(v)\nn3: b = Exp(i)\nn4: c = Neg(b)\noutput c\n";

/// Of the first thing that the text means.
std::string said(const Report& report, std::string_view text, std::int64_t step)
{
    const std::vector<PlanArea> areas = readAreas(report, text);
    if (areas.empty()) return "none";
    const Focus focus {.area = areas.front(), .step = step};
    return "\n" + sectionsText(std::string(focusKind(focus)) + " " + focusTitle(report, focus),
                               sectionsAbout(report, focus), [](const Cell& cell) { return fullText(cell); });
}

struct Asked
{
    std::string_view graph;
    std::string_view choices;
    std::string_view bytes;
    std::int64_t step;
    std::string_view text;
};

constexpr Asked All[] = {
    {Renamed, "inplace=identity-only", "0..256", 2, R"(
bytes [0x0, 0x100)

These bytes
  Arena: cpu
  Bytes: [0x0, 0x100)
  Together: 256
  Alive at most: 256
  Never used: 0
  Values inside: 4

Bytes [0x0, 0x100) at step 2
  Hold: v, s1, identity
  Hold: i, s1, identity
  Last written by: n0 (Relu, step 0)
  Next read by: n3 (Exp, step 3)

What lies there, in order of time
  [0, 2): a, s1
  [1, 3): v, s1, identity
  [2, 4): i, s1, identity
  [4, 5): c, s3

Why they may lie there
  At once: 'a' and 'v' share: 'v' repeats the bytes of 'a', and nothing writes them while either is read.
  At once: 'v' and 'i' share: 'i' repeats the bytes of 'v', and nothing writes them while either is read.
  In turn: No step needs both: 'i' is alive at steps [2, 4), 'c' at steps [4, 5).

What writes and reads there
  Written by: n0 (Relu, step 0)
  Read by: n3 (Exp, step 3)
  Written by: n4 (Neg, step 4)
)"},
    {Joined, "", "0..512", 2, R"(
bytes [0x0, 0x200)

These bytes
  Arena: cpu
  Bytes: [0x0, 0x200)
  Together: 512
  Alive at most: 512
  Never used: 0
  Values inside: 4

Bytes [0x0, 0x200) at step 2
  Hold: a, s1, bytes [0x0, 0x100)
  Hold: b, s1, bytes [0x100, 0x200)
  Hold: y, s1, part
  Last written by: n1 (Neg, step 1)
  Last written by: n0 (Relu, step 0)
  Next read by: n3 (Exp, step 3)

What lies there, in order of time
  [0, 3): a, s1, bytes [0x0, 0x100)
  [1, 3): b, s1, bytes [0x100, 0x200)
  [2, 4): y, s1, part
  [3, 4): z, s1, in-place

Why they may lie there
  At once: 'b' and 'y' share: 'y' and 'b' lie in one another where the node would copy.
  At once: 'a' and 'y' share: 'y' and 'a' lie in one another where the node would copy.
  At once: 'y' and 'z' share: 'n3' is the last to read 'y', so it may write 'z' over it.

What writes and reads there
  Written by: n0 (Relu, step 0)
  Written by: n1 (Neg, step 1)
  Read by: n3 (Exp, step 3)
  Written by: n3 (Exp, step 3)
)"},
    {Ladder, Stacked, "0x100", 3, R"(
bytes 0x100

These bytes
  Arena: cpu
  Bytes: [0x100, 0x101)

Bytes 0x100 at step 3
  Hold: nothing: they are free
  Last written by: n1 (Neg, step 1)
  Next read by: nothing any more

What lies there, in order of time
  [1, 3): b, s2

What writes and reads there
  Written by: n1 (Neg, step 1)
  Read by: n2 (Exp, step 2)
)"},
    {Chain, "", "0x800", 1, R"(
bytes 0x800

These bytes
  Arena: cpu
  Bytes: [0x800, 0x801)

Bytes 0x800 at step 1
  Hold: a, s2
  Hold: b, s2, in-place
  Last written by: second (Relu, step 1)
  Read now by: second (Relu, step 1)
  Next read by: third (Mul, step 2)

What lies there, in order of time
  [0, 2): a, s2
  [1, 3): b, s2, in-place
  [2, 3): c, s2, in-place

Why they may lie there
  At once: 'a' and 'b' share: 'second' is the last to read 'a', so it may write 'b' over it.
  At once: 'b' and 'c' share: 'third' is the last to read 'b', so it may write 'c' over it.

What writes and reads there
  Written by: first (Add, step 0)
  Read by: second (Relu, step 1)
  Written by: second (Relu, step 1)
  Read by: third (Mul, step 2)
  Written by: third (Mul, step 2)
)"},
    {"input x float32[64]\nn0: a = Neg(x)\nn1: y = Identity(a)\noutput y\n", "outputs=shared alignment=1", "0x4", 0, R"(
bytes 0x4

These bytes
  Arena: cpu
  Bytes: [0x4, 0x5)

Bytes 0x4 at step 0
  Hold: a, s1
  Last written by: n0 (Neg, step 0)
  Next read by: the caller, after the run

What lies there, in order of time
  [0, 2): a, s1
  [1, 2): y, s1, identity

Why they may lie there
  At once: 'a' and 'y' share: 'y' repeats the bytes of 'a', and nothing writes them while either is read.

What writes and reads there
  Written by: n0 (Neg, step 0)
)"},
    {Ladder, Stacked, "[0x100, 0x300)", -1, R"(
bytes [0x100, 0x300)

These bytes
  Arena: cpu
  Bytes: [0x100, 0x300)
  Together: 512
  Alive at most: 512
  Never used: 0
  Values inside: 2

What lies there, in order of time
  [1, 3): b, s2, bytes [0x100, 0x200)
  [2, 5): c, s3, bytes [0x200, 0x300)

What writes and reads there
  Written by: n1 (Neg, step 1)
  Read by: n2 (Exp, step 2)
  Written by: n2 (Exp, step 2)
  Read by: n3 (Add, step 3)
  Read by: n4 (Concat, step 4)
)"},
};

} // namespace

/// What is said of bytes, held against its text.
class AboutBytes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sectionsOfBytes_data();
    void sectionsOfBytes();
    void whatATextMeans_data();
    void whatATextMeans();
    void anArenaCanBeNamed();
    void sumsAreOfWhatIsInside();
    void everyTwoAtOnceAreExplained();
    void whatMayNotLieThereIsToldWithItsRule();
    void aThingSaysWhatThePointedBytesHold();
};

void AboutBytes::sectionsOfBytes_data()
{
    QTest::addColumn<std::size_t>("number");
    for (const Asked& one : All)
        QTest::addRow("%s", std::string(one.bytes).c_str()) << static_cast<std::size_t>(&one - All);
}

void AboutBytes::sectionsOfBytes()
{
    QFETCH(std::size_t, number);
    const Asked& one = All[number];
    const std::string text = said(planned(one.graph, one.choices), one.bytes, one.step);
    QVERIFY2(text == one.text, text.c_str());
}

void AboutBytes::whatATextMeans_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("meant"); // of an arena of 4,096 bytes
    QTest::newRow("an address") << "0x800"
                                << "0x800";
    QTest::newRow("a range") << "0x800..0x900"
                             << "[0x800, 0x900)";
    QTest::newRow("a range with a dash") << "0x800-0x900"
                                         << "[0x800, 0x900)";
    QTest::newRow("decimal") << "2048"
                             << "0x800";
    QTest::newRow("as the window writes it") << "2,048"
                                             << "0x800";
    QTest::newRow("a size") << "2 KiB"
                            << "0x800";
    QTest::newRow("sizes") << "1KiB..2 KiB"
                           << "[0x400, 0x800)";
    QTest::newRow("as it is shown") << "[0x800, 0x900)"
                                    << "[0x800, 0x900)";
    QTest::newRow("in the arena") << "cpu 0x800"
                                  << "0x800";
    QTest::newRow("of which the arena has some") << "0x800..0x4000"
                                                 << "[0x800, 0x1000)";
    QTest::newRow("beyond the arena") << "0x1000"
                                      << "";
    QTest::newRow("backwards") << "0x900..0x800"
                               << "";
    QTest::newRow("of nothing") << "0x800..0x800"
                                << "";
    QTest::newRow("a name") << "second"
                            << "";
    QTest::newRow("half a range") << "0x800.."
                                  << "";
    QTest::newRow("another arena") << "sram 0x800"
                                   << "";
}

void AboutBytes::whatATextMeans()
{
    QFETCH(QString, text);
    QFETCH(QString, meant);
    const Report report = planned(Chain);
    const std::vector<PlanArea> areas = readAreas(report, text.toStdString());
    QCOMPARE(areas.size(), meant.isEmpty() ? 0U : 1U);
    if (!areas.empty()) QCOMPARE(QString::fromStdString(areaText(report, areas.front())), meant);
}

void AboutBytes::anArenaCanBeNamed()
{
    Report report = reportOf({{"a", {0, 4}, 64, 0}});
    report.program.map.arenas.push_back({.space = "sram", .bytes = 32});
    QCOMPARE(readAreas(report, "0x10").size(), 2U);
    QCOMPARE(readAreas(report, "0x30").size(), 1U); // the other one is not as high
    const std::vector<PlanArea> named = readAreas(report, "sram 0x10");
    QCOMPARE(named.size(), 1U);
    QCOMPARE(areaText(report, named.front()), std::string("0x10 of sram"));
}

//  bytes
//   128 |       +---c---+
//    64 | +--a-+    +-d--+
//     0 +-0----3----6----9-> step
void AboutBytes::sumsAreOfWhatIsInside()
{
    const Report report = reportOf({{"a", {0, 4}, 64, 0}, {"c", {3, 7}, 64, 64}, {"d", {6, 9}, 64, 0}});
    const ArenaId arena(std::size_t {0});
    const auto sums = [&](Interval bytes, Interval steps) { return sumsOf(report, {arena, bytes, steps}); };
    QCOMPARE(sums({0, 128}, {}).mostBytes, 128);
    QCOMPARE(sums({0, 128}, {}).mostStep, 3);
    QCOMPARE(sums({32, 96}, {}).mostBytes, 64); // the half of each
    QCOMPARE(sums({0, 128}, {0, 3}).mostBytes, 64);
    QCOMPARE(sums({0, 128}, {0, 3}).usedBytes, 64);
    QCOMPARE(sums({0, 64}, {4, 6}).mostStep, -1);
    QCOMPARE(sums({0, 64}, {4, 6}).usedBytes, 0);
}

void AboutBytes::everyTwoAtOnceAreExplained()
{
    const Report report = planned(Fanned, "inplace=identity-only");
    const auto sections =
        sectionsAbout(report, Focus::on(PlanArea {ArenaId(std::size_t {0}), {0, report.memory.peakBytes}}));
    const auto why = std::ranges::find(sections, "Why they may lie there", &FactSection::title);
    QVERIFY(why != sections.end());
    const auto tenants = tenantsOf(report, {ArenaId(std::size_t {0}), {0, report.memory.peakBytes}});
    int pairs = 0;
    for (const Tenant& a : tenants) {
        for (const Tenant& b : tenants) {
            if (!(a.value < b.value) || !overlaps(a.bytes, b.bytes) || !overlaps(a.live, b.live)) continue;
            ++pairs;
            const std::string names = "'" + (*report.program.graph)[a.value].name + "' and '" +
                                      (*report.program.graph)[b.value].name + "' share";
            const auto named = [&](const Fact& fact) { return fullText(fact.cell).starts_with(names); };
            QVERIFY(std::ranges::any_of(why->facts, named));
        }
    }
    QVERIFY(pairs >= 3); // each with each
}

void AboutBytes::whatMayNotLieThereIsToldWithItsRule()
{
    Report report = planned(Chain);
    const ValueId a = findValue(*report.program.graph, "a");
    const ValueId b = findValue(*report.program.graph, "b");
    report.decisions.clear(); // as of a plan that was handed in
    const auto why = [&](std::size_t row) {
        const auto sections = sectionsAbout(report, Focus::on(PlanArea {ArenaId(std::size_t {0}), {0, 64}}));
        return std::ranges::find(sections, "Why they may lie there", &FactSection::title)->facts[row].cell;
    };
    QCOMPARE(fullText(why(0)), std::string("'a' and 'b' share, and the judge finds no rule broken."));
    QCOMPARE(why(0).link, Focus::on(b));

    report.verdict.findings.push_back(
        {.rule = Rule::ClobberedRead, .message = Message("It is read later."), .values = {a, b}});
    QCOMPARE(fullText(why(0)), std::string("They may not. clobbered-read: It is read later."));
    QCOMPARE(why(0).link, Focus::onFinding(0));
    QCOMPARE(fullText(why(1)), std::string("'b' and 'c' share, and the judge finds no rule broken."));
}

void AboutBytes::aThingSaysWhatThePointedBytesHold()
{
    const Report report = planned(Chain);
    Focus focus = Focus::on(findValue(*report.program.graph, "b"));
    QVERIFY(sectionsAbout(report, focus).front().title == "What it is");
    focus.area = {ArenaId(std::size_t {0}), {0x800, 0x801}};
    focus.step = 1;
    const auto sections = sectionsAbout(report, focus);
    QCOMPARE(sections.front().title, std::string("Bytes 0x800 at step 1"));
    QCOMPARE(sections.front().facts.back().cell.link, (Focus {.area = focus.area, .step = 1}));
    QCOMPARE(focusTitle(report, focus), std::string("b"));
}

QTEST_GUILESS_MAIN(AboutBytes)
#include "tst_about_bytes.moc"
