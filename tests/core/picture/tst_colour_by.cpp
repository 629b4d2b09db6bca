#include "core/picture/colour_by.h"

#include "tests/core/picture/picture_samples.h"

#include <QtTest>

using namespace plimsoll;

namespace {

/// Four values of Conv, Relu, Relu and Tanh; the first two share a storage.
Report fourValues()
{
    Report report = test::reportOf({{"a", {0, 2}, 64, 0, 0},
                                    {"b", {1, 3}, 64, 0, 0, AliasKind::MayBeInPlace},
                                    {"c", {2, 4}, 64, 64, 1},
                                    {"d", {3, 40}, 64, 128, 2}});
    auto graph = std::make_shared<Graph>(*report.program.graph);
    const char* const ops[] = {"Conv", "Relu", "Relu", "Tanh"};
    const char* const names[] = {"enc/l0/n0", "enc/l0/n1", "enc/l1/n2", "head/n3"};
    for (std::size_t i = 0; i < 4; ++i) {
        graph->nodes[i].op = ops[i];
        graph->nodes[i].name = names[i];
    }
    report.program.graph = graph;
    return report;
}

/// The legend, line by line: "12 3 × Relu", "13 1 × [3, 5)".
QString keyOf(const ColourScheme& scheme)
{
    QStringList lines;
    for (const ColourKey& key : scheme.key) {
        const QString what = key.name.empty() ? QStringLiteral("[%1, %2)").arg(key.range.begin).arg(key.range.end)
                                              : QString::fromStdString(key.name);
        lines << QStringLiteral("%1: %2 × %3").arg(key.colour).arg(key.values).arg(what);
    }
    return lines.join(QStringLiteral("; "));
}

} // namespace

/// What the colours of a picture tell, and their legend.
class ColourByTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theLegendSaysWhatTheColoursAre_data();
    void theLegendSaysWhatTheColoursAre();
    void timesAreThoseOfTheRun();
    void valuesOfAStorageKeepTheirOwnClass();
    void rareClassesAreOthers();
    void everyModeColoursEverything_data();
    void everyModeColoursEverything();
};

void ColourByTest::theLegendSaysWhatTheColoursAre_data()
{
    QTest::addColumn<int>("by");
    QTest::addColumn<QString>("expected");
    QTest::newRow("storage") << int(ColourBy::Storage) << "";
    QTest::newRow("operator") << int(ColourBy::Operator) << "0: 2 × Relu; 1: 1 × Conv; 2: 1 × Tanh";
    QTest::newRow("module") << int(ColourBy::Module) << "0: 2 × enc/l0; 1: 1 × enc/l1; 2: 1 × head";
    QTest::newRow("reuse") << int(ColourBy::Reuse) << "12: 2 × [1, 2); 13: 2 × [2, 3)";
    QTest::newRow("lifetime") << int(ColourBy::Lifetime) << "13: 3 × [2, 4); 17: 1 × [21, 38)";
    QTest::newRow("none") << int(ColourBy::None) << "";
}

void ColourByTest::theLegendSaysWhatTheColoursAre()
{
    QFETCH(int, by);
    QTEST(keyOf(colourBy(fourValues(), static_cast<ColourBy>(by))), "expected");
}

void ColourByTest::timesAreThoseOfTheRun()
{
    const Report report = fourValues();
    RunResult run;
    run.stepMs = {0.001, 0.02, 5, 0}; // the last was not reached
    const ColourScheme scheme = colourBy(report, ColourBy::Time, &run);
    QCOMPARE(keyOf(scheme), QStringLiteral("12: 1 × [1, 5); 14: 1 × [18, 71); 17: 1 × [1210, 5001)"));
    QCOMPARE(scheme.values, (std::vector<ColourIndex> {12, 14, 17, NoColour}));
    QCOMPARE(scheme.storages,
             (StorageColours {12, 17, NoColour})); // of the node that makes it, not of the one in place
    const ColourScheme before = colourBy(report, ColourBy::Time);
    QVERIFY(before.key.empty());
    QCOMPARE(before.values, std::vector<ColourIndex>(4, NoColour));
}

void ColourByTest::valuesOfAStorageKeepTheirOwnClass()
{
    const ColourScheme scheme = colourBy(fourValues(), ColourBy::Operator);
    QCOMPARE(int(scheme.values[0]), 1);   // Conv
    QCOMPARE(int(scheme.values[1]), 0);   // Relu, in place
    QCOMPARE(int(scheme.storages[0]), 1); // that of its first value
}

void ColourByTest::rareClassesAreOthers()
{
    std::vector<test::Row> rows;
    for (int i = 0; i < 20; ++i)
        rows.push_back({"v" + std::to_string(i), {i, i + 1}, 64, 0});
    Report report = test::reportOf(rows);
    auto graph = std::make_shared<Graph>(*report.program.graph);
    for (std::size_t i = 0; i < 20; ++i)
        graph->nodes[i].op = "Op" + std::to_string(i);
    report.program.graph = graph;

    const ColourScheme scheme = colourBy(report, ColourBy::Operator);

    QCOMPARE(scheme.key.size(), StorageColourCount + 1);
    QCOMPARE(scheme.key.back().name, std::string("other"));
    QCOMPARE(scheme.key.back().values, std::size_t {8});
    QCOMPARE(int(scheme.key.back().colour), int(NoColour));
    QCOMPARE(std::ranges::count(scheme.values, NoColour), 8);
}

void ColourByTest::everyModeColoursEverything_data()
{
    QTest::addColumn<int>("by");
    for (int i = 0; i <= int(ColourBy::None); ++i)
        QTest::addRow("mode %d", i) << i;
}

void ColourByTest::everyModeColoursEverything()
{
    QFETCH(int, by);
    const Report report = test::randomReport(300, 7);

    const ColourScheme scheme = colourBy(report, static_cast<ColourBy>(by));

    QCOMPARE(scheme.values.size(), report.program.values.size());
    QCOMPARE(scheme.storages.size(), report.program.storages.size());
    std::size_t told = 0;
    for (const ColourKey& key : scheme.key)
        told += key.values;
    const auto coloured = std::ssize(scheme.values) - std::ranges::count(scheme.values, NoColour);
    if (!scheme.key.empty() && scheme.key.back().name != "other") QCOMPARE(std::int64_t(told), std::int64_t(coloured));
    for (const ColourIndex colour : scheme.values)
        QVERIFY(colour < ColourCount || colour == NoColour);
}

QTEST_APPLESS_MAIN(ColourByTest)
#include "tst_colour_by.moc"
