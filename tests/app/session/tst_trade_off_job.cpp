#include "app/session/trade_off_job.h"

#include "app/session/job_runner.h"
#include "app/session/job_tag.h"
#include "app/session/session.h"
#include "tests/app/support/app_samples.h"

#include <QRegularExpression>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>

#include <atomic>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// A session whose curve comes when it is let through.
struct Slow
{
    QSemaphore gate;
    std::atomic<int> begun = 0;
    std::atomic<int> stopped = 0;
    std::atomic<std::int64_t> capacity = -1; ///< What the latest request was limited to.
    JobRunner jobs;
    Session session {engine(), jobs};
    TradeOffJob job {session, jobs};

    Slow() { session.open(test::exampleFile(QStringLiteral("two-outputs.json"))); }
    ~Slow() { gate.release(100); }

    Engine engine()
    {
        Engine made = test::unsearchingEngine();
        made.timeAgainstPeak = [this](const Graph&, const PlanRequest& request,
                                      const Context& context) -> Result<std::vector<TradeOff>> {
            ++begun;
            capacity = request.policies.capacity.empty() ? 0 : request.policies.capacity.begin()->second;
            while (!gate.tryAcquire(1, 5)) {
                if (!context.stopped()) continue;
                ++stopped;
                return Error {ErrorCode::Stopped, Message("stopped"), {}, {}};
            }
            return std::vector<TradeOff> {{{4096, 512, 2, false}, "cpu=4096"}, {{1024, 256, 3, false}, "cpu=1024"}};
        };
        return made;
    }
    [[nodiscard]] bool ready()
    {
        return QTest::qWaitFor([this] { return session.report() && !session.busy(); }, 20000);
    }
};

} // namespace

/// Time against peak comes from the background, or not at all.
class TradeOffJobTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void itBeginsWhereItIsSeen();
    void whatComesLateIsDropped();
    void aPointIsTakenInOneStepAndTheCurveStays();
    void whoStopsItStartsItAgain();
    void aGivenPlanHasNone();
    void itSaysWhyThereIsNone();
};

void TradeOffJobTest::itBeginsWhereItIsSeen()
{
    Slow slow;
    QVERIFY(slow.ready());
    QVERIFY(!slow.job.running());
    QVERIFY(slow.job.canStart());
    slow.job.setSeen(true);
    QVERIFY(slow.job.running());
    QVERIFY(!slow.job.canStart());
    QVERIFY(slow.job.report()->tradeOffs.empty());
    slow.gate.release();
    QTRY_VERIFY(slow.job.known());
    QCOMPARE(slow.job.report()->tradeOffs.size(), std::size_t(2));
    QVERIFY(slow.session.report()->tradeOffs.empty()); // what others show is as it was
}

void TradeOffJobTest::whatComesLateIsDropped()
{
    Slow slow;
    QVERIFY(slow.ready());
    slow.job.setSeen(true);
    QTRY_COMPARE(slow.begun, 1);
    QVERIFY(slow.session.setPolicy(QStringLiteral("inplace"), QStringLiteral("off")).ok());
    QTRY_COMPARE(slow.stopped, 1); // the plan does not wait for it
    QTRY_COMPARE(slow.begun, 2);   // and it begins anew behind that
    QVERIFY(!slow.job.known());
    slow.gate.release();
    QTRY_VERIFY(slow.job.known());
    QVERIFY(slow.session.setPolicy(QStringLiteral("inplace"), QStringLiteral("on")).ok());
    QTRY_COMPARE(slow.begun, 3);
    QVERIFY(!slow.job.known()); // it was of other policies
    slow.session.close();
    QVERIFY(!slow.job.running());
    QVERIFY(!slow.job.report());
}

void TradeOffJobTest::aPointIsTakenInOneStepAndTheCurveStays()
{
    Slow slow;
    QVERIFY(slow.ready());
    slow.job.setSeen(true);
    slow.gate.release();
    QTRY_VERIFY(slow.job.known());

    slow.job.take(7); // there is none
    QVERIFY(!slow.session.canUndo());
    slow.job.take(1);
    QVERIFY(slow.session.choices().policies.choose == ChoosePolicy::FastestWithin);
    QCOMPARE(policyValue(slow.session.choices().policies, "capacity"), std::string("cpu=1024"));
    QVERIFY(slow.ready());
    QVERIFY(slow.job.known());
    QCOMPARE(slow.begun, 1);
    QCOMPARE(slow.job.report()->program.policies.capacity.at("cpu"), 1024);

    slow.session.undo();
    QVERIFY(slow.session.choices().policies.choose == ChoosePolicy::Fastest);
    QVERIFY(slow.session.choices().policies.capacity.empty());
    QVERIFY(!slow.session.canUndo());

    // All of the curve is asked for, whatever was taken.
    slow.job.take(1);
    QVERIFY(slow.session.setPolicy(QStringLiteral("inplace"), QStringLiteral("off")).ok());
    QTRY_COMPARE(slow.begun, 2);
    QCOMPARE(slow.capacity, 0);
}

void TradeOffJobTest::whoStopsItStartsItAgain()
{
    Slow slow;
    QVERIFY(slow.ready());
    slow.job.setSeen(true);
    QTRY_COMPARE(slow.begun, 1);
    slow.jobs.stop(JobTag::TradeOffs); // as the status bar does
    QVERIFY(!slow.job.running());
    slow.job.setSeen(false);
    slow.job.setSeen(true);
    QVERIFY(!slow.job.running());
    slow.job.start();
    QTRY_COMPARE(slow.begun, 2);
    slow.job.stop();
    QVERIFY(!slow.job.running());
    QTRY_COMPARE(slow.stopped, 2);
    QVERIFY(!slow.job.known());
}

void TradeOffJobTest::aGivenPlanHasNone()
{
    Slow slow;
    QVERIFY(slow.ready());
    Choices choices = slow.session.choices();
    choices.givenPlan = sharedPlan(planOf(*slow.session.report()));
    slow.session.setChoices(std::move(choices));
    QVERIFY(slow.ready());
    slow.job.setSeen(true);
    QVERIFY(!slow.job.running());
    QVERIFY(!slow.job.canStart());
}

void TradeOffJobTest::itSaysWhyThereIsNone()
{
    JobRunner jobs;
    Engine engine = test::unsearchingEngine();
    engine.timeAgainstPeak = [](const Graph&, const PlanRequest&, const Context&) -> Result<std::vector<TradeOff>> {
        throw std::bad_alloc();
    };
    Session session(engine, jobs);
    TradeOffJob job(session, jobs);
    session.open(test::exampleFile(QStringLiteral("two-outputs.json")));
    QTRY_VERIFY(session.report() && !session.busy());
    job.setSeen(true);
    QTRY_VERIFY(job.error());
    QVERIFY(!job.known());
    QVERIFY(job.canStart()); // but not by itself
    QVERIFY(!job.running());
}

QTEST_GUILESS_MAIN(TradeOffJobTest)
#include "tst_trade_off_job.moc"
