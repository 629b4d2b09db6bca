#include "app/session/job_runner.h"
#include "core/facts/english/english.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

const QString Tag = QStringLiteral("job");

/// Works until it is stopped; says whether it was.
bool untilStopped(const Context& context)
{
    for (int i = 0; i < 5000 && !context.stopped(); ++i)
        QThread::msleep(1);
    return context.stopped();
}

} // namespace

class JobRunnerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void resultsArriveOnTheOwnersThread();
    void aNewerRequestReplacesTheOlderOne();
    void aLateResultIsDropped();
    void cancellingStopsTheWorkAndDeliversNothing();
    void otherTagsGoOn();
    void aDeliveryMayStartItsTagAgain();
    void progressIsHeard();
    void workThatThrowsDeliversAnError();
    void callsOfOtherThreadsComeInOrder();
    void leavingStopsWhatIsRunning();
};

void JobRunnerTest::resultsArriveOnTheOwnersThread()
{
    JobRunner jobs;
    QThread* worker = nullptr;
    QThread* owner = nullptr;
    jobs.start(
        Tag, Tag, [](const Context&) { return QThread::currentThread(); },
        [&](QThread* where) {
            worker = where;
            owner = QThread::currentThread();
        });

    QTRY_VERIFY(owner != nullptr);
    QCOMPARE(owner, QThread::currentThread());
    QVERIFY(worker != owner);
}

void JobRunnerTest::aNewerRequestReplacesTheOlderOne()
{
    JobRunner jobs;
    QSignalSpy finished(&jobs, &JobRunner::finished);
    std::atomic<bool> running = false;
    QStringList delivered;
    jobs.start(
        Tag, Tag,
        [&](const Context& context) {
            running = true;
            return untilStopped(context);
        },
        [&](bool) { delivered << QStringLiteral("old"); });
    QTRY_VERIFY(running.load());
    jobs.start(
        Tag, Tag, [](const Context&) { return true; }, [&](bool) { delivered << QStringLiteral("new"); });

    QTRY_COMPARE(finished.count(), 1);
    QCOMPARE(delivered, QStringList {QStringLiteral("new")});
}

void JobRunnerTest::aLateResultIsDropped()
{
    JobRunner jobs;
    bool delivered = false;
    jobs.start(
        Tag, Tag,
        [](const Context&) { // deaf to stopping
            QThread::msleep(50);
            return 1;
        },
        [&](int) { delivered = true; });
    jobs.cancel(Tag);
    QThread::msleep(100);
    QTest::qWait(50);

    QVERIFY(!delivered);
    QVERIFY(!jobs.busy());
}

void JobRunnerTest::cancellingStopsTheWorkAndDeliversNothing()
{
    JobRunner jobs;
    QSignalSpy finished(&jobs, &JobRunner::finished);
    std::atomic<bool> running = false;
    std::atomic<bool> stopped = false;
    bool delivered = false;
    jobs.start(
        Tag, Tag,
        [&](const Context& context) {
            running = true;
            stopped = untilStopped(context);
            return 0;
        },
        [&](int) { delivered = true; });
    QTRY_VERIFY(running.load());
    jobs.cancel(Tag);

    QCOMPARE(finished.count(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(stopped.load(), 1000);
    QTest::qWait(20);
    QVERIFY(!delivered);
}

void JobRunnerTest::otherTagsGoOn()
{
    JobRunner jobs;
    bool delivered = false;
    jobs.start(
        QStringLiteral("other"), Tag, [](const Context&) { return 1; }, [&](int) { delivered = true; });
    jobs.start(
        Tag, Tag, [](const Context&) { return 1; }, [](int) {});
    jobs.cancel(Tag);
    QTRY_VERIFY(delivered);
}

void JobRunnerTest::aDeliveryMayStartItsTagAgain()
{
    JobRunner jobs;
    QSignalSpy finished(&jobs, &JobRunner::finished);
    int rounds = 0;
    std::function<void(int)> again = [&](int) {
        if (++rounds < 3)
            jobs.start(
                Tag, Tag, [](const Context&) { return 1; }, again);
    };
    jobs.start(
        Tag, Tag, [](const Context&) { return 1; }, again);

    QTRY_COMPARE(rounds, 3);
    QTRY_COMPARE(finished.count(), 1);
}

void JobRunnerTest::workThatThrowsDeliversAnError()
{
    JobRunner jobs;
    std::optional<Result<int>> said;
    std::optional<std::shared_ptr<int>> made;
    jobs.start(
        Tag, Tag, [](const Context&) -> Result<int> { throw std::runtime_error("a name of no kind"); },
        [&](Result<int> result) { said = std::move(result); });
    jobs.start(
        QStringLiteral("other"), Tag, [](const Context&) -> std::shared_ptr<int> { throw std::bad_alloc(); },
        [&](std::shared_ptr<int> result) { made = std::move(result); });

    QTRY_VERIFY(said && made);
    QCOMPARE(said->error().code, ErrorCode::Internal);
    QCOMPARE(english(said->error().message), std::string("The work broke off: a name of no kind."));
    QVERIFY(!*made);
    QVERIFY(!jobs.busy());
}

void JobRunnerTest::progressIsHeard()
{
    JobRunner jobs;
    QSignalSpy progress(&jobs, &JobRunner::progressed);
    jobs.start(
        Tag, Tag,
        [](const Context& context) {
            context.report("half way", 0.5);
            return 1;
        },
        [](int) {});

    QTRY_COMPARE(progress.count(), 1);
    QCOMPARE(progress[0][1].toString(), QStringLiteral("half way"));
    QCOMPARE(progress[0][2].toDouble(), 0.5);
}

/// Each by an event of its own: what the window has to do between is done between.
void JobRunnerTest::callsOfOtherThreadsComeInOrder()
{
    constexpr int Calls = 100;
    JobRunner jobs;
    std::vector<int> came;
    bool elsewhere = false;
    std::jthread other([&] {
        for (int i = 0; i < Calls; ++i) {
            jobs.callOnOwner([&, i] {
                came.push_back(i);
                elsewhere = elsewhere || QThread::currentThread() != jobs.thread();
            });
        }
    });
    other.join();
    QVERIFY(came.empty());

    QTRY_COMPARE(came.size(), std::size_t {Calls});
    QVERIFY(std::ranges::is_sorted(came));
    QVERIFY(!elsewhere);
}

void JobRunnerTest::leavingStopsWhatIsRunning()
{
    std::atomic<bool> running = false;
    std::atomic<bool> stopped = false;
    {
        JobRunner jobs;
        jobs.start(
            Tag, Tag,
            [&](const Context& context) {
                running = true;
                stopped = untilStopped(context);
                return 0;
            },
            [](int) {});
        QTRY_VERIFY(running.load());
    }
    QVERIFY(stopped.load());
}

QTEST_GUILESS_MAIN(JobRunnerTest)
#include "tst_job_runner.moc"
