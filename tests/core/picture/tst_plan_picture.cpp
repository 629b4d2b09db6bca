#include "core/ops/saving.h"
#include "core/picture/bar_chains.h"
#include "core/picture/live_range_picture.h"
#include "core/picture/plan_picture.h"
#include "core/pipeline/pipeline.h"

#include "tests/core/picture/picture_samples.h"
#include "tests/support/graph_text.h"

#include <QtTest>

#include <random>

using namespace plimsoll;

namespace {

PlanPicture pictureOf(const Report& report)
{
    return makePlanPicture(report, colourStorages(report.program));
}

std::string labelAt(const Report& report, const PlanPicture& picture, std::int64_t step, std::int64_t byte)
{
    const auto bar = barAt(picture, step, byte);
    return bar ? barLabel(report, picture.bars[*bar]) : "";
}

} // namespace

/// A line for each 32 bytes, the highest first, a column for each step: the last letter of what is there.
std::string drawn(const Report& report, const PlanPicture& picture)
{
    std::string lines;
    for (std::int64_t byte = picture.heightBytes - 32; byte >= 0; byte -= 32) {
        for (std::int64_t step = 0; step < picture.steps; ++step) {
            const std::string label = labelAt(report, picture, step, byte);
            lines += label.empty() ? '.' : label.back();
        }
        lines += '\n';
    }
    return lines;
}

class TestPlanPicture : public QObject
{
    Q_OBJECT

private slots:
    void shortBarsThatGoOnHaveOneName();
    void aValueThatFillsItsStorageIsOneBar();
    void theLaterValueOfAStorageLiesOnTop();
    void bytesThatNoValueFillsShowAsPadding();
    void gapsInALiveRangeLeaveTwoBars();
    void lanesAreStacked();
    void nearCapacitiesStretchTheLane_data();
    void nearCapacitiesStretchTheLane();
    void findingsAreMarkedWhereTheyHappen();
    void findingsWithoutBytesAreMarkedOnTheirValues();
    void theWindowFindsWhatALinearSearchFinds();
    void holesAreFreeBytesBelowLiveOnes();
    void readsAndWritesComeFromTheGraph();
    void rowsFollowTheBirthOfValues();
    void whatAlignmentTakesIsDrawn();
    void eachStorageHasARow();
    void eachTensorHasARow();
    void byAgeThereAreNoHoles();
    void byAgeFindingsKeepTheirSteps();
    void passesTurnWhereACallBegins_data();
    void passesTurnWhereACallBegins();
};

void TestPlanPicture::aValueThatFillsItsStorageIsOneBar()
{
    const Report report = test::reportOf({{"a", {1, 4}, 64, 0}});

    const PlanPicture picture = pictureOf(report);

    QCOMPARE(picture.bars.size(), std::size_t {1});
    QVERIFY(picture.bars[0].steps == (Interval {1, 4}));
    QVERIFY(picture.bars[0].bytes == (Interval {0, 64}));
    QCOMPARE(picture.bars[0].pattern, Pattern::Plain);
    QCOMPARE(picture.peakBytes, std::int64_t {64});
}

void TestPlanPicture::theLaterValueOfAStorageLiesOnTop()
{
    // bytes
    //  64 | +--a--+=b===+
    //   0 +-0-----2-3---5-> step      b is written over a at step 2, which also reads a
    const Report report = test::reportOf({{"a", {0, 3}, 64, 0, 0}, {"b", {2, 5}, 64, 0, 0, AliasKind::MayBeInPlace}});

    const PlanPicture picture = pictureOf(report);

    QCOMPARE(labelAt(report, picture, 1, 10), std::string("a"));
    QCOMPARE(labelAt(report, picture, 2, 10), std::string("b"));
    QCOMPARE(picture.bars.back().pattern, Pattern::InPlace);
    QCOMPARE(picture.bars.front().colour, picture.bars.back().colour);
}

void TestPlanPicture::bytesThatNoValueFillsShowAsPadding()
{
    Report report = test::reportOf({{"a", {0, 3}, 64, 0}});
    report.program.values[0].logicalBytes = 48;

    const PlanPicture picture = pictureOf(report);

    QCOMPARE(labelAt(report, picture, 1, 47), std::string("a"));
    QCOMPARE(labelAt(report, picture, 1, 48), std::string("padding"));
    QVERIFY(!barAt(picture, 1, 64));
}

void TestPlanPicture::gapsInALiveRangeLeaveTwoBars()
{
    Report report = test::reportOf({{"a", {0, 2}, 64, 0}, {"z", {0, 9}, 64, 64}});
    report.program.values[0].live.add(Interval {6, 8});
    report.program.storages[0].live.add(Interval {6, 8});

    const PlanPicture picture = pictureOf(report);

    QCOMPARE(labelAt(report, picture, 7, 0), std::string("a"));
    QCOMPARE(labelAt(report, picture, 4, 0), std::string());
}

void TestPlanPicture::lanesAreStacked()
{
    Report report = test::reportOf({{"a", {0, 4}, 64, 0}, {"b", {0, 4}, 32, 0}});
    report.program.map.arenas.push_back({.space = "sram", .bytes = 32});
    report.memory.arenas.push_back({32, 32});
    report.program.storages[1].arena = ArenaId(std::size_t {1});

    const PlanPicture picture = pictureOf(report);

    QCOMPARE(picture.lanes.size(), std::size_t {2});
    const std::int64_t gap = 96 / 20;
    QCOMPARE(picture.lanes[1].base, std::int64_t {64 + gap});
    QCOMPARE(picture.heightBytes, std::int64_t {96 + gap});
    QCOMPARE(labelAt(report, picture, 0, 63), std::string("a"));
    QCOMPARE(labelAt(report, picture, 0, 64), std::string()); // between the arenas
    QCOMPARE(labelAt(report, picture, 0, 64 + gap), std::string("b"));
}

void TestPlanPicture::nearCapacitiesStretchTheLane_data()
{
    QTest::addColumn<qint64>("capacity");
    QTest::addColumn<qint64>("extent");
    QTest::newRow("near") << qint64 {120} << qint64 {120};
    QTest::newRow("far above") << qint64 {100'000} << qint64 {100};
    QTest::newRow("below the plan") << qint64 {50} << qint64 {100};
}

void TestPlanPicture::nearCapacitiesStretchTheLane()
{
    QFETCH(qint64, capacity);
    QFETCH(qint64, extent);
    Report report = test::reportOf({{"a", {0, 4}, 100, 0}});
    report.program.map.arenas[0].capacityBytes = capacity;

    QCOMPARE(pictureOf(report).lanes[0].extent, std::int64_t {extent});
}

void TestPlanPicture::findingsAreMarkedWhereTheyHappen()
{
    Report report = test::reportOf({{"a", {0, 4}, 64, 0}, {"b", {2, 6}, 64, 32}});
    report.verdict.findings.push_back(
        {.rule = Rule::Overlap, .arena = ArenaId(std::size_t {0}), .steps = {2, 4}, .bytes = {32, 64}});

    const PlanPicture picture = pictureOf(report);

    QVERIFY(findingAt(picture, 3, 40) != nullptr);
    QVERIFY(findingAt(picture, 4, 40) == nullptr);
    QVERIFY(findingAt(picture, 3, 64) == nullptr);
}

void TestPlanPicture::findingsWithoutBytesAreMarkedOnTheirValues()
{
    Report report = test::reportOf({{"a", {0, 4}, 64, 0}, {"b", {0, 4}, 64, 64}});
    report.verdict.findings.push_back(
        {.rule = Rule::DeadOutput, .severity = Severity::Advice, .values = {ValueId(std::size_t {1})}});
    report.verdict.findings.push_back({.rule = Rule::MissingAllocation});

    const PlanPicture picture = pictureOf(report);

    QCOMPARE(picture.findings.size(), std::size_t {2});
    QCOMPARE(findingAt(picture, 0, 100)->finding, std::size_t {0});
    QCOMPARE(picture.findings.back().severity, Severity::Error);
    QCOMPARE(picture.findings.back().lane, -1);
    QVERIFY(!picture.findings.back().steps.empty());
}

void TestPlanPicture::theWindowFindsWhatALinearSearchFinds()
{
    std::mt19937 random(11);
    const PlanPicture picture = pictureOf(test::randomReport(500, 11));
    for (int i = 0; i < 200; ++i) {
        const auto begin = static_cast<std::int64_t>(random() % 520) - 10;
        const Interval window {begin, begin + static_cast<std::int64_t>(random() % 40)};
        std::vector<std::size_t> expected;
        for (std::size_t k = 0; k < picture.bars.size(); ++k) {
            if (overlaps(picture.bars[k].steps, window)) expected.push_back(k);
        }
        std::vector<std::size_t> found;
        picture.barIndex.visit(window, [&](std::size_t k) { found.push_back(k); });
        if (window.empty()) continue;
        QVERIFY(found == expected);
    }
}

void TestPlanPicture::holesAreFreeBytesBelowLiveOnes()
{
    // bytes
    // 192 | +------b------+
    // 128 | +-------------+
    //     |     |  hole   |       free while b lives above and a is gone
    //  64 | +-a-+
    //     |     |  and this
    //   0 +-0---2---------6-> step
    const Report report = test::reportOf({{"a", {0, 2}, 64, 0}, {"b", {0, 6}, 64, 128}, {"z", {6, 8}, 1, 0}});

    std::int64_t area = 0;
    for (const Hole& hole : report.memory.holes)
        area += hole.steps.length() * hole.bytes.length();
    QCOMPARE(area, std::int64_t {2 * 64 + 4 * 128});
}

void TestPlanPicture::readsAndWritesComeFromTheGraph()
{
    const Report report = test::reportOf({{"a", {1, 4}, 64, 0}});

    const Accesses accesses = findAccesses(report, ValueId(std::size_t {0}));

    QVERIFY(accesses.writes == std::vector<std::int64_t> {1});
    QVERIFY(accesses.reads == std::vector<std::int64_t> {3});
}

void TestPlanPicture::rowsFollowTheBirthOfValues()
{
    const Report report = test::reportOf({{"x", {0, 9}, 64, 0, -1, AliasKind::Fresh, true},
                                          {"late", {5, 8}, 64, 0, 0},
                                          {"early", {0, 5}, 64, 0, 0},
                                          {"middle", {2, 4}, 64, 64}});
    const StorageColours colours = colourStorages(report.program);

    const LiveRangePicture values = makeLiveRangePicture(report, colours, RowKind::Value);
    const LiveRangePicture storages = makeLiveRangePicture(report, colours, RowKind::Storage);

    QStringList names;
    for (const LiveRow& row : values.rows)
        names << QString::fromStdString(rowLabel(report, row));
    QCOMPARE(names, QStringList({"early", "middle", "late", "x"}));
    QCOMPARE(storages.rows.size(), std::size_t {3});
    QCOMPARE(storages.rowOfValue[1], storages.rowOfValue[2]);
}

void TestPlanPicture::whatAlignmentTakesIsDrawn()
{
    const Report report = test::reportOf({{"a", {0, 3}, 40, 0}, {"b", {0, 4}, 64, 64}});

    const PlanPicture picture = pictureOf(report);

    QCOMPARE(labelAt(report, picture, 1, 39), std::string("a"));
    QCOMPARE(labelAt(report, picture, 1, 40), std::string("lost to alignment"));
    QCOMPARE(labelAt(report, picture, 1, 63), std::string("lost to alignment"));
    QCOMPARE(labelAt(report, picture, 3, 40), std::string());
    QVERIFY(picture.patterns.contains(Pattern::Rounding));
    QVERIFY2(!pictureOf(test::reportOf({{"a", {0, 3}, 40, 0}})).patterns.contains(Pattern::Rounding),
             "nothing is taken above the arena");
}

/// A line for each row, the highest first, as it is half way up.
std::string drawnRows(const Report& report, const PlanPicture& picture)
{
    std::string lines;
    for (std::int64_t row = picture.heightBytes / PlanRowUnits - 1; row >= 0; --row) {
        for (std::int64_t step = 0; step < picture.steps; ++step) {
            const std::string label = labelAt(report, picture, step, row * PlanRowUnits + PlanRowUnits / 4);
            lines += label.empty() ? '.' : label.back();
        }
        lines += '\n';
    }
    return lines;
}

/// A million times as large as the others, a is no higher.
void TestPlanPicture::eachStorageHasARow()
{
    const Report report = test::reportOf({{"d", {4, 6}, 64, 64, 3},
                                          {"a", {0, 3}, 64'000'000, 128},
                                          {"b", {1, 6}, 64, 0},
                                          {"e", {5, 7}, 64, 64, 3, AliasKind::MayBeInPlace}});

    const PlanPicture picture = makePlanPicture(report, colourStorages(report.program), PlanAxis::Storages);

    QCOMPARE(drawnRows(report, picture), std::string("aaa....\n"
                                                     ".bbbbb.\n"
                                                     "....dee\n"));
    QCOMPARE(picture.lanes[0].rows.front().storage, report.program.values[0].storage);
    const PlanBar& first = picture.bars[*barAt(picture, 0, 2 * PlanRowUnits + 1)];
    QVERIFY2(first.bytes == (Interval {128, 64'000'128}), "its address is what it was");
    QVERIFY2(!barAt(picture, 0, 3 * PlanRowUnits - 1), "rows are parted");
    QVERIFY(!areaAt(picture, 10));
}

/// Also where two share a storage, as d and e; padding has none.
void TestPlanPicture::eachTensorHasARow()
{
    const Report report = test::reportOf(
        {{"d", {4, 6}, 64, 64, 3}, {"a", {0, 3}, 40, 128}, {"e", {5, 7}, 32, 64, 3, AliasKind::MayBeInPlace}});

    const PlanPicture picture = makePlanPicture(report, colourStorages(report.program), PlanAxis::Values);

    QCOMPARE(drawnRows(report, picture), std::string("aaa....\n"
                                                     "....dd.\n"
                                                     ".....ee\n"));
    QCOMPARE(picture.lanes[0].rows.size(), std::size_t {3});
    QCOMPARE(picture.lanes[0].rows.front().value, ValueId(std::size_t {2}));
}

void TestPlanPicture::byAgeThereAreNoHoles()
{
    const Report report = test::reportOf({{"a", {0, 3}, 64, 128},
                                          {"b", {1, 6}, 64, 0},
                                          {"c", {2, 4}, 32, 64},
                                          {"d", {4, 6}, 64, 64, 3},
                                          {"e", {5, 7}, 64, 64, 3, AliasKind::MayBeInPlace}});

    const PlanPicture picture = makePlanPicture(report, colourStorages(report.program), PlanAxis::Age);

    // c takes 64 bytes, of which 32 are lost to alignment (t).
    QCOMPARE(drawn(report, pictureOf(report)), std::string("aaa....\n"
                                                           "aaa....\n"
                                                           "..ttdee\n"
                                                           "..ccdee\n"
                                                           ".bbbbb.\n"
                                                           ".bbbbb.\n"));
    QCOMPARE(drawn(report, picture), std::string("..t....\n"
                                                 "..c....\n"
                                                 ".bbtde.\n"
                                                 ".bbcde.\n"
                                                 "aaabbbe\n"
                                                 "aaabbbe\n"));
    QCOMPARE(picture.lanes[0].bytes, std::int64_t {192});
    const PlanBar& sunken = picture.bars[*barAt(picture, 4, 10)];
    QVERIFY2(sunken.bytes == (Interval {0, 64}), "its address is what it was");
    QVERIFY(liveSteps(report, sunken) == (Interval {1, 6}));
    QVERIFY(!areaAt(picture, 10));
}

void TestPlanPicture::byAgeFindingsKeepTheirSteps()
{
    Report report = test::reportOf({{"a", {0, 3}, 64, 0}, {"b", {1, 6}, 64, 0}});
    report.verdict.findings.push_back(
        {Rule::Overlap, Severity::Error, Message("m"), {ValueId(0), ValueId(1)}, {}, ArenaId(0), {1, 3}, {0, 64}, {}});

    const PlanPicture picture = makePlanPicture(report, colourStorages(report.program), PlanAxis::Age);

    QCOMPARE(picture.findings.size(), std::size_t {1});
    QCOMPARE(picture.findings[0].lane, -1);
    QVERIFY(picture.findings[0].steps == (Interval {1, 3}));
    QVERIFY(picture.bars[*barAt(picture, 1, 10)].finding == 0);
    QVERIFY2(labelAt(report, picture, 1, 10) == "a" && labelAt(report, picture, 1, 70) == "b", "side by side");
}

void TestPlanPicture::passesTurnWhereACallBegins_data()
{
    QTest::addColumn<QString>("calls");
    QTest::addColumn<QString>("turns"); // f: to forward, b: to backward
    QTest::newRow("once") << "once"
                          << "b";
    QTest::newRow("two trainings") << "train,train"
                                   << "bfb";
    QTest::newRow("two forwards wait") << "forward,forward,backward,backward"
                                       << "b";
    QTest::newRow("an inference behind") << "train,infer"
                                         << "bf";
    QTest::newRow("nothing is trained") << "infer"
                                        << "";
}

void TestPlanPicture::passesTurnWhereACallBegins()
{
    QFETCH(QString, calls);
    PlanRequest request;
    QVERIFY(setPolicy(request.policies, "calls", calls.toStdString()).ok());
    request.policies.outputs = OutputsPolicy::External; // which copies gradients for the caller
    const Report report = analyse(test::graphFromText("input x float32[64]\ngrad x\na: va = Sigmoid(x)\n"
                                                      "b: vb = Exp(va)\ns: z = ReduceSum(vb) keepdims=0\n"
                                                      "output z va\nloss z\n"),
                                  request, {})
                              .value();
    QString turns;
    for (const PassTurn& turn : pictureOf(report).turns) {
        turns += turn.backward ? 'b' : 'f';
        const NodeId node = report.program.schedule.steps[static_cast<std::size_t>(turn.step)].node;
        QCOMPARE(isBackward(*report.program.graph, node), turn.backward);
    }
    QTEST(turns, "turns");
}

/// By height and steps: "a b" and "d" of one storage, with another's between them; not where it sinks.
void TestPlanPicture::shortBarsThatGoOnHaveOneName()
{
    const auto bar = [](int storage, Interval steps, Interval bytes) {
        PlanBar one;
        one.storage = StorageId(storage);
        one.steps = steps;
        one.bytes = {0, bytes.length()};
        one.at = bytes;
        return one;
    };
    const PlanBar bars[] = {bar(0, {0, 2}, {0, 64}), bar(1, {0, 9}, {64, 96}), bar(0, {2, 3}, {0, 64}),
                            bar(0, {2, 4}, {0, 32}), bar(0, {6, 7}, {0, 32})};
    std::vector<const PlanBar*> asked;
    for (const PlanBar& one : bars)
        asked.push_back(&one);
    QString found;
    for (const BarChain& chain : chainsOf(asked))
        found += QStringLiteral("%1-%2 ").arg(chain.first).arg(chain.last);
    QCOMPARE(found, QStringLiteral("0-2 1-1 3-3 4-4 "));
}

QTEST_APPLESS_MAIN(TestPlanPicture)
#include "tst_plan_picture.moc"
