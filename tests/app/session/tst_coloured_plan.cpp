#include "app/session/job_runner.h"
#include "app/session/session.h"
#include "core/advice/what_if.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// Hands out a plan of so many storages beside each other, and says when it is judged.
Engine engineOf(std::size_t storages)
{
    Engine engine;
    engine.read = [](const std::filesystem::path&, const Context&) -> Result<FormatContent> {
        return FormatContent {Graph()};
    };
    engine.analyse = [storages](const Graph&, const PlanRequest& request, const Context&) -> Result<Report> {
        Report report;
        report.program.graph = std::make_shared<const Graph>();
        report.program.map.arenas.resize(1);
        for (std::size_t i = 0; i < storages; ++i) {
            Storage& storage = report.program.storages.emplace_back();
            storage.arena = ArenaId(0);
            storage.offset = static_cast<std::int64_t>(64 * i);
            storage.bytes = 64;
            storage.live = LiveRanges(Interval {0, 1});
        }
        request.whileJudged(report.program);
        return report;
    };
    return engine;
}

} // namespace

class ColouredPlanTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLargePlanComesWithItsColours()
    {
        const auto planned = planColoured(engineOf(50'001), {}, {}, {});
        QVERIFY(planned.ok());
        QVERIFY(planned.value().colours);
        QCOMPARE(*planned.value().colours, colourStorages(planned.value().report.program));
    }

    void aSmallOneComesAtOnce()
    {
        const auto planned = planColoured(engineOf(50'000), {}, {}, {});
        QVERIFY(planned.ok());
        QVERIFY(!planned.value().colours);
    }

    void coloursAreOfTheReportThatIsShown()
    {
        JobRunner jobs;
        Session session(engineOf(50'001), jobs);
        session.open(QStringLiteral("large.json"));
        QTRY_VERIFY(session.report());
        QCOMPARE(session.colours()->size(), session.report()->program.storages.size());

        session.improve(std::make_shared<const Report>(*session.judged())); // a search brings none
        QVERIFY(!session.colours());
        QVERIFY(session.setPolicy(QStringLiteral("placement"), QStringLiteral("no-reuse")).ok());
        QTRY_VERIFY(session.colours());
        session.close();
        QVERIFY(!session.colours());
    }

    /// Looking through all values and nodes takes milliseconds of a large plan: the worker does it.
    void whatTheWindowAsksAtOnceComesWithThePlan()
    {
        Engine engine = engineOf(3);
        engine.analyse = [](const Graph&, const PlanRequest&, const Context&) -> Result<Report> {
            Graph graph;
            for (const StorageType storage : {StorageType::Dense, StorageType::Csr, StorageType::Dense})
                graph.values.push_back({.name = "v", .type = {.storage = storage}});
            Report report;
            report.memory.peakBytes = 128;
            report.program.graph = std::make_shared<const Graph>(std::move(graph));
            return report;
        };
        JobRunner jobs;
        Session session(engine, jobs);
        session.open(QStringLiteral("sparse.json"));
        QTRY_VERIFY(session.report());
        QCOMPARE(session.digest().sparse, std::vector {ValueId(std::size_t {1})});
        QCOMPARE(session.digest().cost, costOf(*session.report()));

        Report better = *session.judged();
        better.memory.peakBytes = 64;
        session.improve(std::make_shared<const Report>(std::move(better)));
        QCOMPARE(session.digest().cost.peakBytes, std::int64_t {64});
        session.close();
        QVERIFY(session.digest().sparse.empty());
    }

    void whatCannotBePlannedHasNone()
    {
        Engine engine;
        engine.analyse = [](const Graph&, const PlanRequest&, const Context&) -> Result<Report> {
            return Error {ErrorCode::BadInput, say("stopped.planning"), {}, {}};
        };
        QCOMPARE(planColoured(engine, {}, {}, {}).error().code, ErrorCode::BadInput);
    }
};

QTEST_GUILESS_MAIN(ColouredPlanTest)
#include "tst_coloured_plan.moc"
