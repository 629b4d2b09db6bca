#include "app/session/workbench.h"
#include "tests/core/advice/damaged_diamond.h"

#include <QFile>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// Opens whatever file as the diamond with c over a.
Engine damagedDiamond()
{
    Engine engine = Engine();
    engine.read = [](const std::filesystem::path&, const Context&) -> Result<FormatContent> {
        return FormatContent {test::graphFromText(test::Diamond)};
    };
    engine.readPlan = [](const std::filesystem::path& file, const Context&) -> Result<PlanFile> {
        PlanFile plan = *test::diamondPlan(32).givenPlan;
        plan.file = file.string();
        return plan;
    };
    return engine;
}

std::shared_ptr<const RunResult> wrongRun()
{
    RunResult run;
    run.mismatches = {test::spoiledDiamond()};
    return std::make_shared<const RunResult>(run);
}

std::size_t errorsOf(const Session& session)
{
    return countFindings(*session.report(), Severity::Error);
}

/// With that plan, judged.
struct Opened
{
    Workbench bench {damagedDiamond()};
    Session& session = bench.session;

    Opened()
    {
        session.setAsksForOffers(false);
        session.open(QStringLiteral("diamond.json"), initialChoices(), QStringLiteral("damaged.json"));
    }
    [[nodiscard]] bool ready() const
    {
        return QTest::qWaitFor([this] { return session.report() && !session.busy(); }, 10000);
    }
};

} // namespace

/// What runs have shown stands in the report, and can be mended.
class SessionRunsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void aMismatchIsAFindingUntilThePlanChanges();
    void whatIsPickedStaysPicked();
    void aRunWithoutAMismatchChangesNoFinding();
    void aRunOfThePlanBeforeIsStopped();
    void layingApartIsOneEdit();
    void aPlanThatIsInNoFileIsRun();
};

void SessionRunsTest::aMismatchIsAFindingUntilThePlanChanges()
{
    Opened opened;
    QVERIFY(opened.ready());
    const std::size_t judged = errorsOf(opened.session);
    QSignalSpy changed(&opened.session, &Session::findingsChanged);

    opened.session.setRun(wrongRun());

    QCOMPARE(changed.count(), 1);
    QCOMPARE(errorsOf(opened.session), judged + 1);
    QCOMPARE(opened.session.report()->verdict.findings.front().rule, Rule::WrongValue);
    QCOMPARE(countFindings(*opened.session.judged(), Severity::Error), judged);
    QVERIFY(opened.session.reportWithRun()->run);

    opened.session.makeOwnPlan();
    QVERIFY(opened.ready());
    QCOMPARE(errorsOf(opened.session), std::size_t(0));
    QVERIFY(!opened.session.run());
}

void SessionRunsTest::whatIsPickedStaysPicked()
{
    Opened opened;
    QVERIFY(opened.ready());
    opened.bench.selection.pick(Focus::onFinding(0));
    opened.session.setRun(wrongRun());
    QCOMPARE(opened.bench.selection.focus().finding, 1);
}

void SessionRunsTest::aRunWithoutAMismatchChangesNoFinding()
{
    Opened opened;
    QVERIFY(opened.ready());
    const auto before = opened.session.report();
    opened.session.setRun(std::make_shared<const RunResult>());
    QCOMPARE(opened.session.report(), before);
    QVERIFY(opened.session.reportWithRun()->run);
    opened.session.setBisection(std::make_shared<const Bisection>());
    QCOMPARE(opened.session.report(), before);
}

void SessionRunsTest::aRunOfThePlanBeforeIsStopped()
{
    Opened opened;
    QVERIFY(opened.ready());
    QTemporaryDir folder;
    QFile sleeper(folder.filePath(QStringLiteral("sleeper")));
    QVERIFY(sleeper.open(QIODevice::WriteOnly));
    sleeper.write("#!/bin/sh\nexec sleep 60\n");
    sleeper.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    sleeper.close();
    for (CliProcess* child : std::initializer_list<CliProcess*> {&opened.bench.run, &opened.bench.bisect})
        child->setProgram(sleeper.fileName());
    QVERIFY(opened.bench.startRun({}).ok());
    QVERIFY(opened.bench.startBisection({}).ok());
    QVERIFY(opened.bench.run.running() && opened.bench.bisect.running());

    QVERIFY(opened.session.setPolicy(QStringLiteral("inplace"), QStringLiteral("off")).ok());
    opened.bench.jobs.stop(QStringLiteral("plan")); // the one before stays
    QVERIFY(opened.bench.run.running() && opened.bench.bisect.running());

    opened.session.makeOwnPlan();
    QTRY_VERIFY(!opened.bench.runs());
}

void SessionRunsTest::layingApartIsOneEdit()
{
    Opened opened;
    QVERIFY(opened.ready());
    opened.session.setRun(wrongRun());
    const std::int64_t peak = opened.session.report()->memory.peakBytes;
    QVERIFY(!opened.session.canUndo());

    QVERIFY(opened.session.layApart(opened.session.report()->verdict.findings.front()).ok());
    QVERIFY(opened.ready());

    QCOMPARE(errorsOf(opened.session), std::size_t(0));
    QVERIFY(opened.session.report()->memory.peakBytes > peak);
    QVERIFY(opened.session.choices().givenPlan->file.empty());
    QCOMPARE(opened.session.previousReport()->memory.peakBytes, peak);
    opened.session.undo();
    QVERIFY(opened.ready());
    QVERIFY(errorsOf(opened.session) > 0);
    QVERIFY(!opened.session.canUndo());
    opened.session.redo();
    QVERIFY(opened.ready());
    QCOMPARE(errorsOf(opened.session), std::size_t(0));
}

void SessionRunsTest::aPlanThatIsInNoFileIsRun()
{
    Opened opened;
    QVERIFY(opened.ready());
    opened.bench.run.setProgram(QStringLiteral("/bin/echo"));
    QSignalSpy finished(&opened.bench.run, &RunJob::finished);
    const auto planHandedOver = [&]() -> QByteArray {
        finished.clear();
        if (!opened.bench.startRun({}).ok() || !QTest::qWaitFor([&] { return finished.count() == 1; })) return {};
        return finished.first()[1].toByteArray().trimmed().split(' ').last();
    };
    QCOMPARE(planHandedOver(), QByteArray("damaged.json"));
    QVERIFY(opened.session.layApart(opened.session.report()->verdict.findings.front()).ok());
    QVERIFY(opened.ready());
    const QByteArray plan = planHandedOver();
    QVERIFY2(plan.startsWith('/') && plan != "damaged.json", plan.constData());
}

QTEST_GUILESS_MAIN(SessionRunsTest)
#include "tst_session_runs.moc"
