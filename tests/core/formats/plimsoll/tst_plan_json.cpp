#include "core/facts/english/english.h"
#include "core/formats/plimsoll/plan_json.h"

#include "core/formats/read_graph.h"

#include "tests/support/temporary_folder.h"

#include <QtTest>

using namespace plimsoll;

namespace {

QString errorOf(const Result<PlanFile>& plan)
{
    return plan.ok() ? QStringLiteral("(no error)") : QString::fromStdString(describe(plan.error()));
}

std::string plan(const std::string& allocations)
{
    return R"({"schema": "plimsoll.plan/1", "graph": null, "arenas": [{"space": "cpu", "bytes": 128, "alignment": 64}],
               "allocations": [)" +
           allocations + R"(], "steps": null})";
}

} // namespace

class PlanJsonTest : public QObject
{
    Q_OBJECT

private slots:
    void writingAndReadingKeepsEverything()
    {
        PlanFile file;
        file.graphDigest = "00ff";
        file.arenas = {{"cpu", 256, 64, std::nullopt}, {"sram", 64, 16, 1024}};
        file.entries = {{"a", ArenaId(std::size_t(0)), 0, 64}, {"scratch:conv", ArenaId(std::size_t(1)), 16, 32}};
        file.entries.push_back({"o", {}, 8, 24, "x"});
        file.entries.push_back({"a:plain", ArenaId(std::size_t(0)), 64, 64, {}, 1});
        file.implementations.emplace();
        (*file.implementations)["n0"] = "onednn:jit";
        file.offers["n0"] = {Implementation()};
        file.offers["n0"][0].scratchpadBytes = 32;
        file.fused = {"inside"};
        file.steps = {"n0", "n1"};
        file.streams = {{{"n0", 0}, {"n1", 1}}, {{"n0", "n1"}}};

        const auto back = readPlanJson(planJsonText(file), {});

        QVERIFY2(back.ok(), qPrintable(errorOf(back)));
        QCOMPARE(QString::fromStdString(planJsonText(back.value())), QString::fromStdString(planJsonText(file)));
        QCOMPARE(back.value().arenas[1].capacityBytes, std::optional<std::int64_t>(1024));
        QCOMPARE(back.value().entries[1].arena.number(), 1);
        QCOMPARE(back.value().entries[2].host, std::string("x"));
        QCOMPARE(back.value().entries[3].afterStep, std::optional<std::int64_t>(1));
        QCOMPARE(back.value().implementations, file.implementations);
        QCOMPARE(back.value().offers, file.offers);
        QVERIFY(describesAll(back.value()));
        QCOMPARE(back.value().fused, file.fused);
        QCOMPARE(back.value().steps->size(), std::size_t(2));
        QCOMPARE(back.value().streams->places[1].stream, std::int64_t(1));
        QCOMPARE(back.value().streams->events[0].waiter, std::string("n1"));
    }

    void aReportIsAcceptedAsAPlan()
    {
        const auto file = readPlanJson(R"({"schema": "plimsoll.report/1", "graph": {"name": "g"},
            "arenas": [{"space": "cpu", "bytes": 192, "alignment": 64, "capacityBytes": null}],
            "storages": [{"id": 0, "arena": null, "offset": 0, "bytes": 16}, {"id": 1, "arena": 0, "offset": 64, "bytes": 48},
                         {"id": 2, "arena": 0, "offset": 128, "bytes": 10, "scratchOf": "conv"}],
            "values": [{"name": "x", "storage": 0}, {"name": "y", "storage": 1, "offset": 64, "requiredBytes": 40},
                       {"name": "z", "storage": 1}, {"name": "u", "storage": null}]})",
                                       {});

        QVERIFY2(file.ok(), qPrintable(errorOf(file)));
        const auto& entries = file.value().entries;
        QCOMPARE(entries.size(), std::size_t(3));
        QCOMPARE(entries[0].value, std::string("scratch:conv"));
        QCOMPARE(entries[1].value, std::string("y"));
        QCOMPARE(entries[1].bytes, std::int64_t(40));
        QCOMPARE(entries[2].offset, std::int64_t(64));
        QCOMPARE(entries[2].bytes, std::int64_t(48));
    }

    /// As the manual says, however many there are.
    void theFirstArenaNeedNotBeNamed()
    {
        const auto file =
            readPlanJson(R"({"schema": "plimsoll.plan/1", "arenas": [{"bytes": 1}, {"bytes": 1, "space": "sram"}],
                "allocations": [{"value": "a", "offset": 0, "bytes": 1}, {"value": "b", "arena": 1, "offset": 0, "bytes": 1}]})",
                         {});

        QVERIFY2(file.ok(), qPrintable(errorOf(file)));
        QCOMPARE(file.value().entries[0].arena.number(), 0);
        QCOMPARE(file.value().entries[1].arena.number(), 1);
    }

    void brokenPlansSayWhere_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const std::string& text, const char* reason) {
            QTest::newRow(name) << QString::fromStdString(text) << QString(reason);
        };
        row("no value", plan(R"({"arena": 0, "offset": 0, "bytes": 1})"), "allocations[0]: \"value\" is missing");
        row("no offset", plan(R"({"value": "a", "arena": 0, "bytes": 1})"), "allocations[0]: \"offset\" is missing");
        row("no such arena", plan(R"({"value": "a", "arena": 1, "offset": 0, "bytes": 1})"), "There is no arena 1");
        row("offset above 63 bits", plan(R"({"value": "a", "arena": 0, "offset": 9999999999999999999, "bytes": 1})"),
            "allocations[0].offset: The number does not fit");
        row("a fraction", plan(R"({"value": "a", "arena": 0, "offset": 0.5, "bytes": 1})"), "A whole number");
        row("a size below zero", plan(R"({"value": "a", "arena": 0, "offset": 0, "bytes": -1})"),
            "allocations[0].bytes");
        row("arena of no size", R"({"schema": "plimsoll.plan/1", "arenas": [{}]})", "arenas[0]: \"bytes\" is missing");
        row("no arena at all",
            R"({"schema": "plimsoll.plan/1", "allocations": [{"value": "a", "offset": 0, "bytes": 1}]})",
            "allocations[0]: There is no arena 0; the plan has 0");
        row("no allocations", R"({"schema": "plimsoll.plan/1", "arenas": []})", "\"allocations\" is missing");
        row("alignment 0", R"({"schema": "plimsoll.plan/1", "arenas": [{"bytes": 1, "alignment": 0}]})",
            "arenas[0].alignment");
        row("arena of no space", R"({"schema": "plimsoll.plan/1", "arenas": [{"space": ""}]})", "arenas[0].space");
        row("capacity below zero", R"({"schema": "plimsoll.plan/1", "arenas": [{"bytes": 1, "capacityBytes": -1}]})",
            "arenas[0].capacityBytes");
        row("empty", " \n", "The file is empty");
        row("a key twice", plan(R"({"value": "a", "arena": 0, "offset": 0, "bytes": 1},
                                   {"value": "b", "arena": 0, "offset": 0, "bytes": 8, "off\u0073et": 64})"),
            "allocations[1].offset: The file has this key twice. Leave one out.");
        row("a graph", R"({"schema": "plimsoll.graph/1"})", "not a plan");
        row("not JSON", "arena", "This is not JSON");
        row("arena of negative size", R"({"schema": "plimsoll.plan/1", "arenas": [{"bytes": -1}]})", "arenas[0].bytes");
    }
    void brokenPlansSayWhere()
    {
        QFETCH(QString, text);
        QFETCH(QString, reason);

        const auto file = readPlanJson(text.toStdString(), "p.json");

        QVERIFY2(errorOf(file).contains(reason), qPrintable(errorOf(file)));
        QVERIFY(errorOf(file).startsWith("p.json: "));
    }

    void keysThatMeanNothingAreListed()
    {
        const auto file = readPlanJson(
            R"({"schema": "plimsoll.plan/1", "by": "hand", "arenas": [{"bytes": 8}, {"bytes": 8, "algnment": 64}],
                "allocations": [{"value": "a", "arena": 1, "offset": 0, "bytes": 8, "Arena": 0}],
                "events": [{"after": "a", "before": "b", "stream": 1}], "streams": {"any": 1}})",
            {});
        QVERIFY2(file.ok(), qPrintable(errorOf(file)));
        QCOMPARE(file.value().unknownKeys,
                 (std::vector<std::string> {"by", "arenas[1].algnment", "allocations[0].Arena", "events[0].stream"}));
    }

    void negativeOffsetsAreKeptForTheJudge()
    {
        const auto file = readPlanJson(plan(R"({"value": "a", "arena": 0, "offset": -8, "bytes": 1})"), {});

        QVERIFY(file.ok());
        QVERIFY(file.value().unknownKeys.empty());
        QCOMPARE(file.value().entries[0].offset, std::int64_t(-8));
    }

    void plansAreWrittenToFiles()
    {
        const test::TemporaryFolder folder;
        const auto path = folder.write("p.json", "old");

        QVERIFY(writePlanJson(PlanFile {}, path).ok());

        QVERIFY(readPlan(path).ok());
        QVERIFY(!writePlanJson(PlanFile {}, folder.path() / "none" / "p.json").ok());
    }
};

QTEST_APPLESS_MAIN(PlanJsonTest)
#include "tst_plan_json.moc"
