#include "app/session/job_runner.h"
#include "app/session/session.h"

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
