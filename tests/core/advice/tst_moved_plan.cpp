#include "core/advice/moved_plan.h"

#include "core/advice/bisect_json.h"
#include "core/facts/about/neighbours.h"
#include "tests/core/advice/damaged_diamond.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;

namespace {

constexpr std::int64_t Most = std::numeric_limits<std::int64_t>::max();

StorageId storageOf(const Report& report, const char* value)
{
    return report.program.values[findValue(*report.program.graph, value).index()].storage;
}

Focus on(const Report& report, const char* value)
{
    return Focus::on(findValue(*report.program.graph, value));
}

QString places(const PlanFile& plan)
{
    QString text;
    for (const PlanFile::Entry& entry : plan.entries)
        text += QStringLiteral("%1@%2 ").arg(QString::fromStdString(entry.value)).arg(entry.offset);
    return text + QStringLiteral("of %1").arg(plan.arenas.front().bytes);
}

/// "a@0 b@64 … of 256", or what is wrong.
QString moved(const PlanFile& plan, const std::vector<std::string>& names, std::int64_t offset)
{
    const auto made = movedTo(plan, names, offset);
    return made.ok() ? places(made.value()) : QString::fromStdString(describe(made.error()));
}

/// The diamond without damage: a, b, c, d one above the other.
PlanFile tidy()
{
    PlanFile plan = *test::diamondPlan(128).givenPlan;
    plan.file = "tidy.json";
    return plan;
}

} // namespace

/// One storage of a plan at another address.
class MovedPlanTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void itLiesThereAndThePlanIsOfNoFile();
    void theArenaEndsWhereItsBytesDo();
    void whatAnArenaHasToSpareStays();
    void whatSharesKeepsItsDistance();
    void aScratchpadIsMoved();
    void whatCannotBeIsSaid_data();
    void whatCannotBeIsSaid();
    void theJudgeSaysWhatItMeets();
    void aSideIsAnAliasSetOrAStorage();
    void neighboursAreThoseAliveBeside();
    void theNextFreePlaceIsSnug();
};

void MovedPlanTest::itLiesThereAndThePlanIsOfNoFile()
{
    QCOMPARE(moved(tidy(), {"c"}, 64), QStringLiteral("a@0 b@64 c@64 d@192 of 256"));
    QCOMPARE(movedTo(tidy(), {"c"}, 64).value().file, std::string());
}

void MovedPlanTest::theArenaEndsWhereItsBytesDo()
{
    QCOMPARE(moved(tidy(), {"d"}, 0), QStringLiteral("a@0 b@64 c@128 d@0 of 192"));
    QCOMPARE(moved(tidy(), {"a"}, 1024), QStringLiteral("a@1024 b@64 c@128 d@192 of 1088"));
    QCOMPARE(freshOffset(tidy(), {"a"}).value(), 256);
}

void MovedPlanTest::whatAnArenaHasToSpareStays()
{
    PlanFile plan = tidy();
    plan.arenas.front().bytes = 512;
    QCOMPARE(moved(plan, {"d"}, 0), QStringLiteral("a@0 b@64 c@128 d@0 of 512"));
    plan.arenas.front().bytes = 250; // in a file that is wrong
    plan.entries.back().bytes = 10;
    QCOMPARE(moved(plan, {"a"}, 0), QStringLiteral("a@0 b@64 c@128 d@192 of 256"));
}

void MovedPlanTest::whatSharesKeepsItsDistance()
{
    PlanFile plan = tidy();
    plan.entries[2].offset = 96; // a part of b
    QCOMPARE(moved(plan, {"b", "c"}, 256), QStringLiteral("a@0 b@256 c@288 d@192 of 352"));
    plan.entries[1].offset = -32;
    QCOMPARE(moved(plan, {"b", "c"}, 256), QStringLiteral("a@0 b@256 c@384 d@192 of 448"));
}

void MovedPlanTest::aScratchpadIsMoved()
{
    PlanFile plan = tidy();
    plan.entries.push_back({"scratch:n1", ArenaId(0), 0, 64});
    QCOMPARE(moved(plan, {"scratch:n1"}, 320), QStringLiteral("a@0 b@64 c@128 d@192 scratch:n1@320 of 384"));
}

void MovedPlanTest::whatCannotBeIsSaid_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<qint64>("offset");
    QTest::addColumn<QString>("why");
    QTest::newRow("off the grid") << QStringLiteral("c") << qint64(100)
                                  << QStringLiteral("In its arena 'c' begins at a multiple of 64 bytes; 100 is none.");
    QTest::newRow("below") << QStringLiteral("c") << qint64(-64)
                           << QStringLiteral("In its arena 'c' begins at a multiple of 64 bytes; -64 is none.");
    QTest::newRow("beyond 63 bits") << QStringLiteral("c") << qint64(Most / 64 * 64) << QStringLiteral("63 bits");
    QTest::newRow("of the caller") << QStringLiteral("x") << qint64(0)
                                   << QStringLiteral("The plan gives 'x' no bytes of its own in an arena.");
}

void MovedPlanTest::whatCannotBeIsSaid()
{
    QFETCH(QString, name);
    QFETCH(qint64, offset);
    QFETCH(QString, why);
    const QString said = moved(tidy(), {name.toStdString()}, offset);
    QVERIFY2(said.contains(why), qPrintable(said));
}

void MovedPlanTest::theJudgeSaysWhatItMeets()
{
    PlanRequest request;
    request.givenPlan = sharedPlan(movedTo(tidy(), {"c"}, 0).value());
    QVERIFY(countFindings(test::planned(test::Diamond, request), Severity::Error) > 0);
    request.givenPlan = sharedPlan(movedTo(*request.givenPlan, {"c"}, 128).value());
    QCOMPARE(countFindings(test::planned(test::Diamond, request), Severity::Error), std::size_t(0));
}

void MovedPlanTest::aSideIsAnAliasSetOrAStorage()
{
    constexpr std::string_view Views =
        "input x float32[16]\nn0: a = Neg(x)\nn1: b = Tanh(a)\nn2: v = Flatten(b) axis=0\n"
        "n3: d = Exp(v)\noutput d\n";
    const Report report = test::planned(Views);
    const auto named = [&](const Focus& focus) {
        QStringList names;
        for (const std::string& name : namesOf(*report.program.graph, {movableOf(report.program, focus).values, {}}))
            names << QString::fromStdString(name);
        return names.join(u' ');
    };
    QCOMPARE(named(on(report, "a")), QStringLiteral("a"));
    QCOMPARE(named(Focus::on(storageOf(report, "a"))), QStringLiteral("a b v d")); // all in place
    QVERIFY(!movableOf(report.program, on(report, "x")).arena.valid());
    QVERIFY(!movableOf(report.program, Focus::on(findNode(*report.program.graph, "n1"))).arena.valid());
}

void MovedPlanTest::neighboursAreThoseAliveBeside()
{
    const Report report = test::planned(test::Diamond, test::diamondPlan(128));
    const auto names = [&](const std::vector<Neighbour>& of) {
        QString text;
        for (const Neighbour& one : of)
            text += QString::fromStdString((*report.program.graph)[one.value].name);
        return text;
    };
    const Movable c = movableOf(report.program, on(report, "c"));
    const std::vector<Neighbour> beside = neighboursOf(report.program, c);
    QCOMPARE(names(beside), QStringLiteral("abd"));
    QCOMPARE(names(metAt(c, 32, beside)), QStringLiteral("ab"));
    QCOMPARE(names(metAt(c, 256, beside)), QString());
    QCOMPARE(snugOffsets(c, beside), (std::vector<std::int64_t> {0, 64, 128, 256}));
}

void MovedPlanTest::theNextFreePlaceIsSnug()
{
    const Report report = test::planned(test::Diamond, test::diamondPlan(128));
    const auto next = [&](const char* value, bool above) {
        return nextFreeOffset(report.program, movableOf(report.program, on(report, value)), above).value_or(-1);
    };
    QCOMPARE(next("c", true), 256);
    QCOMPARE(next("c", false), -1);
    QCOMPARE(next("d", false), 64); // b is dead
}

QTEST_APPLESS_MAIN(MovedPlanTest)
#include "tst_moved_plan.moc"
