#include "app/session/job_runner.h"
#include "app/session/session.h"
#include "tests/app/support/app_samples.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <atomic>

using namespace plimsoll;
using namespace plimsoll::app;

/// The plan before the last one is held: going back to its choices plans nothing.
class SessionUndoTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_planned = 0;
    }

    void undoAndRedoPlanNothing()
    {
        JobRunner jobs;
        Session session(counting(), jobs);
        session.open(QStringLiteral("small.json"));
        QTRY_VERIFY(session.report());
        const auto first = session.report();
        QVERIFY(session.setPolicy(QStringLiteral("inplace"), QStringLiteral("off")).ok());
        QTRY_VERIFY(session.report() != first);
        const auto second = session.report();

        QSignalSpy started(&session, &Session::planStarted);
        session.undo();
        QCOMPARE(started.count(), 1); // what goes on from the other plan ends
        QCOMPARE(session.report(), first);
        QCOMPARE(session.previousReport(), second); // the ghost
        session.redo();
        QCOMPARE(session.report(), second);
        QCOMPARE(session.previousReport(), first);
        QVERIFY(!session.busy());
        QCOMPARE(m_planned.load(), 2);
    }

    void whatASearchFoundComesBack()
    {
        JobRunner jobs;
        Session session(counting(), jobs);
        session.open(QStringLiteral("small.json"));
        QTRY_VERIFY(session.report());
        const auto found = std::make_shared<const Report>(*session.judged());
        session.improve(found);
        QVERIFY(session.setPolicy(QStringLiteral("inplace"), QStringLiteral("off")).ok());
        QTRY_VERIFY(session.report() != found);
        QVERIFY(!session.improved());

        session.undo();

        QCOMPARE(session.report(), found);
        QVERIFY(session.improved());
    }

    void whatIsUndoneBeforeItIsPlannedLeavesWhatASearchFound()
    {
        JobRunner jobs;
        Session session(counting(), jobs);
        session.open(QStringLiteral("small.json"));
        QTRY_VERIFY(session.report());
        const auto first = session.report();
        const auto found = std::make_shared<const Report>(*session.judged());
        session.improve(found);

        QVERIFY(session.setPolicy(QStringLiteral("inplace"), QStringLiteral("off")).ok());
        session.undo();

        QCOMPARE(session.report(), found);
        QCOMPARE(session.previousReport(), first);
        QVERIFY(session.improved());
        QVERIFY(!session.busy());
    }

    void newerOffersOfTheSameQuestionArePlannedWith()
    {
        JobRunner jobs;
        Session session(counting(), jobs);
        session.setAsksForOffers(true);
        session.open(QStringLiteral("small.json"));
        QTRY_VERIFY(session.busy() && session.graph());
        session.setCatalogue(std::make_shared<const Catalogue>());
        QTRY_VERIFY(session.report());
        QVERIFY(session.setPolicy(QStringLiteral("inplace"), QStringLiteral("off")).ok());
        QTRY_VERIFY(!session.busy());
        const auto measured = std::make_shared<const Catalogue>();
        session.setCatalogue(measured);
        QTRY_VERIFY(!session.busy());

        session.undo();

        QVERIFY(session.busy());
        QTRY_VERIFY(!session.busy());
        QCOMPARE(session.report()->planning.catalogue, measured);
    }

    void offersThatWereAskedForMeanwhileAreNotWaitedFor()
    {
        JobRunner jobs;
        Session session(counting(), jobs);
        session.setAsksForOffers(true);
        QSignalSpy wanted(&session, &Session::offersWanted);
        QSignalSpy unwanted(&session, &Session::offersUnwanted);
        session.open(QStringLiteral("small.json"));
        QTRY_COMPARE(wanted.count(), 1);
        const auto offers = std::make_shared<const Catalogue>();
        session.setCatalogue(offers);
        QTRY_VERIFY(session.report());
        QVERIFY(session.setPolicy(QStringLiteral("inplace"), QStringLiteral("off")).ok());
        QTRY_COMPARE(m_planned.load(), 2);
        QTRY_VERIFY(!session.busy());

        QVERIFY(session.setPolicy(QStringLiteral("fold"), QStringLiteral("all")).ok()); // asks, and waits
        QCOMPARE(wanted.count(), 2);
        session.giveUp();
        QCOMPARE(unwanted.count(), 1);
        QVERIFY(!session.busy());
        QCOMPARE(session.request().catalogue, offers);
        QCOMPARE(m_planned.load(), 2);
    }

    void anotherReadingOfTheFileIsPlannedAnew()
    {
        JobRunner jobs;
        Session session(counting(), jobs);
        session.open(QStringLiteral("small.json"));
        QTRY_VERIFY(session.report());
        QVERIFY(session.setPolicy(QStringLiteral("inplace"), QStringLiteral("off")).ok());
        QTRY_COMPARE(m_planned.load(), 2);
        QTRY_VERIFY(!session.busy());
        session.reload();
        QTRY_COMPARE(m_planned.load(), 3);
        QTRY_VERIFY(!session.busy());

        session.undo();

        QVERIFY(session.busy());
        QTRY_COMPARE(m_planned.load(), 4);
    }

private:
    /// Opens whatever file as the small graph, plans it for real, and counts.
    Engine counting()
    {
        Engine engine = Engine();
        engine.read = [](const std::filesystem::path&, const Context&) -> Result<FormatContent> {
            return FormatContent {test::smallGraph()};
        };
        engine.analyse = [this, analyse = engine.analyse](const Graph& graph, const PlanRequest& request,
                                                          const Context& context) {
            ++m_planned;
            return analyse(graph, request, context);
        };
        return engine;
    }

    std::atomic<int> m_planned = 0;
};

QTEST_GUILESS_MAIN(SessionUndoTest)
#include "tst_session_undo.moc"
