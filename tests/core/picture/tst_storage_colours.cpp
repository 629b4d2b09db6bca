#include "core/picture/storage_colours.h"

#include "tests/core/picture/picture_samples.h"

#include <QtTest>

#include <set>

using namespace plimsoll;

class TestStorageColours : public QObject
{
    Q_OBJECT

private slots:
    void storagesThatTouchDiffer_data();
    void storagesThatTouchDiffer();
    void operandsDifferFromResults();
    void neighboursNeverShareAColour();
    void scratchpadsAreNeighbours();
    void aStorageBesideManyDiffersFromAll();
    void whereColoursRunOutThoseBesideEachOtherDiffer();
    void whatIsAliveAtOnceDiffers();
    void noColourOfOneAliveIsTakenWhileOneIsFree();
    void bytesOfTheCallerHaveNoColour();
    void aNameHasItsColourInAnotherPlan();
    void neighboursOfOneNameDiffer();
    void hundredThousandStoragesAreColoured();
    void ofManyStoragesHardlyAnyNeighboursAreAlike();
};

void TestStorageColours::storagesThatTouchDiffer_data()
{
    QTest::addColumn<qint64>("begin");
    QTest::addColumn<qint64>("offset");
    QTest::newRow("above") << qint64 {0} << qint64 {64};
    QTest::newRow("after") << qint64 {4} << qint64 {0};
    QTest::newRow("long after, at the same bytes") << qint64 {20} << qint64 {32};
    QTest::newRow("corner to corner") << qint64 {4} << qint64 {64};
    QTest::newRow("above, after padding") << qint64 {3} << qint64 {96};
}

void TestStorageColours::storagesThatTouchDiffer()
{
    QFETCH(qint64, begin);
    QFETCH(qint64, offset);
    const Report report = test::reportOf({{"a", {0, 4}, 64, 0}, {"b", {begin, begin + 4}, 64, offset}});

    const StorageColours colours = colourStorages(report.program);

    QVERIFY(colours[0] != colours[1]);
}

void TestStorageColours::operandsDifferFromResults()
{
    // a is read by the node at step 3, which writes c; they lie far apart.
    const Report report = test::reportOf({{"a", {0, 4}, 64, 0}, {"b", {0, 9}, 4096, 64}, {"c", {3, 6}, 64, 8192}});

    const auto neighbours = storageNeighbours(report.program);

    QVERIFY(std::count(neighbours.begin(), neighbours.end(),
                       std::pair(StorageId(std::size_t {0}), StorageId(std::size_t {2}))) == 1);
}

void TestStorageColours::neighboursNeverShareAColour()
{
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        const Report report = test::randomReport(400, seed);
        const StorageColours colours = colourStorages(report.program);
        for (const auto& [a, b] : storageNeighbours(report.program)) {
            QVERIFY2(colours[a.index()] != colours[b.index()], qPrintable(QStringLiteral("seed %1").arg(seed)));
        }
    }
}

void TestStorageColours::scratchpadsAreNeighbours()
{
    // 32 bytes of padding lie between them, as between the logits and the scratchpad of a small GPT-2.
    Report report =
        test::reportOf({{"logits", {2, 5}, 4000, 0}, {"other", {0, 1}, 1152, 4032}, {"z", {4, 5}, 64, 7744}});
    report.program.storages[1].values.clear();
    report.program.storages[1].scratchOf = NodeId(std::size_t {2});
    report.program.storages[1].live = LiveRanges({2, 3});

    const auto neighbours = storageNeighbours(report.program);

    QVERIFY(std::count(neighbours.begin(), neighbours.end(),
                       std::pair(StorageId(std::size_t {0}), StorageId(std::size_t {1}))) == 1);
}

void TestStorageColours::aStorageBesideManyDiffersFromAll()
{
    std::vector<test::Row> rows;
    for (std::int64_t i = 0; i < 30; ++i)
        rows.push_back({"small" + std::to_string(i), {0, 4}, 64, 64 * i});
    rows.push_back({"wide", {4, 8}, 64 * 30, 0});
    const Report report = test::reportOf(rows);

    const StorageColours colours = colourStorages(report.program);

    QCOMPARE(std::count(colours.begin(), colours.end(), colours[30]), 1);
}

void TestStorageColours::whereColoursRunOutThoseBesideEachOtherDiffer()
{
    // Four bytes each: within a hand's breadth of any lie more than there are colours.
    std::vector<test::Row> rows;
    for (std::int64_t i = 0; i < 60; ++i)
        rows.push_back({"w" + std::to_string(i), {0, 3}, 4, 4 * i});
    const Report report = test::reportOf(rows);

    const StorageColours colours = colourStorages(report.program);

    for (std::size_t i = 0; i + 1 < rows.size(); ++i)
        QVERIFY2(colours[i] != colours[i + 1], qPrintable(QString::number(i)));
}

/// Far apart, of names that would have the same colours.
void TestStorageColours::whatIsAliveAtOnceDiffers()
{
    for (std::int64_t step = 0; step < 40; ++step) {
        std::vector<test::Row> rows;
        for (std::int64_t i = 0; i < 24; ++i) // eleven at a step: one more colour is at the bytes before
            rows.push_back({"n" + std::to_string(i * step), {i, i + 11}, 64, (i % 11) * 65536});

        const StorageColours colours = colourStorages(test::reportOf(rows).program);

        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (std::size_t j = i + 1; j < std::min(rows.size(), i + 11); ++j)
                QVERIFY2(colours[i] != colours[j], qPrintable(QStringLiteral("%1 and %2").arg(i).arg(j)));
        }
    }
}

void TestStorageColours::noColourOfOneAliveIsTakenWhileOneIsFree()
{
    for (std::uint32_t seed = 1; seed <= 30; ++seed) {
        const Report report = test::randomReport(10 * seed, seed);
        const StorageColours colours = colourStorages(report.program);
        const auto neighbours = storageNeighbours(report.program);
        const auto& storages = report.program.storages;
        for (std::size_t i = 0; i < storages.size(); ++i) {
            std::set<ColourIndex> seen;
            bool alike = false;
            for (std::size_t j = 0; j < storages.size(); ++j) {
                const std::pair pair(StorageId(std::min(i, j)), StorageId(std::max(i, j)));
                const bool near = std::ranges::binary_search(neighbours, pair);
                if (i == j || colours[j] == NoColour || (!near && !overlaps(storages[i].live, storages[j].live)))
                    continue;
                seen.insert(colours[j]);
                alike = alike || colours[i] == colours[j];
            }
            QVERIFY2(!alike || seen.size() == StorageColourCount, qPrintable(QStringLiteral("seed %1").arg(seed)));
        }
    }
}

void TestStorageColours::bytesOfTheCallerHaveNoColour()
{
    const Report report = test::reportOf({{"x", {0, 4}, 64, 0, -1, AliasKind::Fresh, true}, {"a", {0, 4}, 64, 0}});

    const StorageColours colours = colourStorages(report.program);

    QCOMPARE(colours[0], NoColour);
    QVERIFY(colours[1] < StorageColourCount);
}

void TestStorageColours::aNameHasItsColourInAnotherPlan()
{
    const Report before = test::reportOf({{"a", {0, 4}, 64, 0}, {"b", {8, 9}, 64, 4096}});
    const Report after = test::reportOf({{"c", {9, 9}, 64, 512}, {"b", {2, 4}, 128, 8192}, {"a", {20, 24}, 32, 0}});

    QCOMPARE(colourStorages(before.program)[0], colourStorages(after.program)[2]);
    QCOMPARE(colourStorages(before.program)[1], colourStorages(after.program)[1]);
}

void TestStorageColours::neighboursOfOneNameDiffer()
{
    Report report = test::reportOf({{"a", {0, 4}, 64, 0}, {"b", {0, 4}, 64, 64}});
    report.program.storages[1].values = report.program.storages[0].values;

    const StorageColours colours = colourStorages(report.program);

    QVERIFY(colours[0] != colours[1]);
}

void TestStorageColours::hundredThousandStoragesAreColoured()
{
    const Report report = test::randomReport(100'000, 3);
    QElapsedTimer timer;
    timer.start();
    const StorageColours colours = colourStorages(report.program);
    qInfo("100,000 storages in %lld ms", timer.elapsed());

    const std::set<ColourIndex> used(colours.begin(), colours.end());

    QVERIFY(!used.contains(NoColour));
}

void TestStorageColours::ofManyStoragesHardlyAnyNeighboursAreAlike()
{
    const Report report = test::randomReport(210'000, 3); // coloured in order
    const StorageColours colours = colourStorages(report.program);
    QCOMPARE(std::ranges::count(colours, NoColour), 0);
    const auto neighbours = storageNeighbours(report.program);
    const auto alike = std::ranges::count_if(
        neighbours, [&](const auto& pair) { return colours[pair.first.index()] == colours[pair.second.index()]; });
    QVERIFY2(alike < std::ssize(neighbours) / 50,
             qPrintable(QStringLiteral("%1 of %2").arg(alike).arg(neighbours.size())));
}

QTEST_APPLESS_MAIN(TestStorageColours)
#include "tst_storage_colours.moc"
