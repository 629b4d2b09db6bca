#include "app/session/job_runner.h"
#include "app/session/job_tag.h"
#include "app/session/policy_costs.h"
#include "app/session/search_job.h"
#include "app/session/session.h"
#include "core/graph/graph_builder.h"
#include "tests/app/support/app_samples.h"
#include "tests/support/random_table.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// A table that takes some searching, opened with few units of work for the plan that is there at once.
struct Opened
{
    QTemporaryDir folder;
    JobRunner jobs;
    Session session;
    SearchJob search;

    explicit Opened(Engine engine = test::unsearchingEngine()) : session(std::move(engine), jobs), search(session, jobs)
    {
        QFile file(folder.filePath(QStringLiteral("table.csv")));
        if (!file.open(QIODevice::WriteOnly)) qFatal("no table");
        file.write(QByteArray::fromStdString(test::zeroSlackTable(600, 1)));
        file.close();
        session.open(file.fileName());
    }
};

} // namespace

class SearchJobTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void betterPlansArriveWhileItSearches();
    void aStopKeepsTheBestPlan();
    void stoppingTheJobKeepsItToo();
    void aChangedPolicyEndsItAndItsResultIsDropped();
    void closingEndsIt();
    void aProvedPlanIsNotSearchedAgain();
    void theCostsOfOtherPoliciesStay();
    void anEarlierSearchIsNotMadeWorseByALaterOne();
};

void SearchJobTest::betterPlansArriveWhileItSearches()
{
    Opened app;
    QTRY_VERIFY(app.session.report());
    const auto first = app.session.report();
    QSignalSpy reports(&app.session, &Session::reportChanged);
    QSignalSpy ended(&app.search, &SearchJob::ended);

    app.search.start(1.0);
    QVERIFY(app.search.running());
    QTRY_VERIFY(app.search.record() && app.search.record()->history.size() > 1);
    QTRY_COMPARE(ended.count(), 1);

    QVERIFY(!app.search.running());
    QVERIFY(app.session.report()->memory.peakBytes < first->memory.peakBytes);
    QVERIFY(app.session.improved());
    QCOMPARE(app.session.previousReport(), first);
    QVERIFY(app.session.report()->planning.search->end != SearchEnd::Running);
    QVERIFY(reports.count() >= 1);
    QCOMPARE(countFindings(*app.session.report(), Severity::Error), std::size_t {0});
}

void SearchJobTest::aStopKeepsTheBestPlan()
{
    Opened app;
    QTRY_VERIFY(app.session.report());
    const std::int64_t first = app.session.report()->memory.peakBytes;
    QSignalSpy ended(&app.search, &SearchJob::ended);

    app.search.start(std::nullopt);
    QTRY_VERIFY(app.search.record()->history.size() > 2);
    const std::int64_t known = app.search.record()->history.back().peakBytes;
    QElapsedTimer since;
    since.start();
    app.search.stop();
    QTRY_COMPARE(ended.count(), 1);

    QVERIFY2(since.elapsed() < 1000, qPrintable(QString::number(since.elapsed())));
    QVERIFY(app.session.report()->memory.peakBytes < first);
    QVERIFY(app.session.report()->memory.peakBytes <= known);
    const SearchEnd end = app.session.report()->planning.search->end;
    QVERIFY(end == SearchEnd::Stopped || end == SearchEnd::Optimal);
    QVERIFY(!app.session.report()->planning.search->secondsLimit);
}

void SearchJobTest::stoppingTheJobKeepsItToo()
{
    Opened app;
    QTRY_VERIFY(app.session.report());
    const std::int64_t first = app.session.report()->memory.peakBytes;
    QSignalSpy ended(&app.search, &SearchJob::ended);
    app.search.start(std::nullopt);
    QTRY_VERIFY(app.search.record()->history.size() > 2);

    app.jobs.stop(JobTag::Search);

    QTRY_COMPARE(ended.count(), 1);
    QVERIFY(app.session.report()->memory.peakBytes < first);
}

void SearchJobTest::aChangedPolicyEndsItAndItsResultIsDropped()
{
    Opened app;
    QTRY_VERIFY(app.session.report());
    app.search.start(std::nullopt);
    QTRY_VERIFY(app.search.record()->history.size() > 1);

    QVERIFY(app.session.setPolicy(QStringLiteral("placement"), QStringLiteral("no-reuse")).ok());
    QVERIFY(!app.search.running());
    QTRY_VERIFY(!app.session.busy());

    QCOMPARE(app.session.report()->memory.peakBytes, app.session.report()->memory.noReuseBytes);
    QTest::qWait(300);
    QCOMPARE(app.session.report()->memory.peakBytes, app.session.report()->memory.noReuseBytes);
    QVERIFY(!app.session.improved());
    QVERIFY(!app.search.canStart()); // it does not search
}

void SearchJobTest::closingEndsIt()
{
    Opened app;
    QTRY_VERIFY(app.session.report());
    app.search.start(std::nullopt);
    QTRY_VERIFY(app.search.record()->history.size() > 1);

    app.session.close();

    QVERIFY(!app.search.running());
    QTest::qWait(200);
    QVERIFY(!app.session.report());
}

void SearchJobTest::aProvedPlanIsNotSearchedAgain()
{
    Engine easy = Engine();
    easy.read = [](const std::filesystem::path&, const Context&) -> Result<FormatContent> {
        GraphBuilder builder("easy");
        const ValueId x = builder.addInput("x", TensorType::dense(DType::Float32, {4}));
        builder.addOutput(builder.output(builder.addNode({.name = "n", .op = "Neg"}, {x}, {"y"}), 0));
        return FormatContent {std::move(builder).build().value()};
    };
    Opened app(easy);
    QTRY_VERIFY(app.session.report());
    QVERIFY(app.session.report()->planning.search->optimal());

    app.search.start(1.0);

    QVERIFY(!app.search.running());
}

void SearchJobTest::theCostsOfOtherPoliciesStay()
{
    Opened app;
    PolicyCosts costs(app.session, app.jobs);
    QTRY_VERIFY(app.session.report());
    QTRY_VERIFY_WITH_TIMEOUT(!costs.busy(), 30000); // sanitizers are slow
    const auto other = costs.costOf({"placement", "no-reuse"});
    QSignalSpy ended(&app.search, &SearchJob::ended);

    app.search.start(0.5);
    QTRY_COMPARE(ended.count(), 1);

    QVERIFY(!costs.busy());
    QCOMPARE(costs.costOf({"placement", "no-reuse"}), other);
    QCOMPARE(costs.costOf({"placement", "best"}), costs.planAtOnce()); // searched for alike
    QVERIFY(costs.planAtOnce()->peakBytes > app.session.report()->memory.peakBytes);
}

void SearchJobTest::anEarlierSearchIsNotMadeWorseByALaterOne()
{
    Opened app;
    QTRY_VERIFY(app.session.report());
    QSignalSpy ended(&app.search, &SearchJob::ended);
    app.search.start(0.5);
    QTRY_COMPARE(ended.count(), 1);
    const std::int64_t best = app.session.report()->memory.peakBytes;
    if (!app.search.canStart()) QSKIP("it was proved at once");

    app.search.start(0.0);
    QTRY_COMPARE(ended.count(), 2);

    QVERIFY(app.session.report()->memory.peakBytes <= best);
}

QTEST_GUILESS_MAIN(SearchJobTest)
#include "tst_search_job.moc"
