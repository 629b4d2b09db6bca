#include "app/session/job_runner.h"
#include "app/session/policy_costs.h"
#include "app/session/session.h"
#include "core/facts/english/english.h"
#include "core/facts/words/policy_effect.h"
#include "tests/app/support/app_samples.h"

#include <QFile>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// Opens whatever file as the small graph, and plans it for real.
Engine engine()
{
    Engine engine = Engine();
    engine.read = [](const std::filesystem::path&, const Context&) -> Result<FormatContent> {
        return FormatContent {test::smallGraph()};
    };
    return engine;
}

} // namespace

class SessionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void openingPlansAndKeepsNoGhost();
    void aChangedPolicyChangesThePeakAndLeavesAGhost();
    void undoAndRedoBringBackThePeak();
    void anUnknownPolicyValueIsRefusedWithTheOnesThatExist();
    void aBrokenFileIsAnErrorThatNamesTheFile();
    void anErrorOfReplanningKeepsTheReport();
    void aFileThatChangesIsReadAgain();
    void oneGraphOfAFileIsOpenedByName();
    void everyOtherValueOfEveryPolicyIsPriced();
    void aGivenPlanIsJudgedUntilItIsTakenBack();
    void aPlanThatIsOpenedAlongIsReadAgainOnceItIsMended();
    void aGivenPlanThatCannotBeReadKeepsTheReport();
    void aGivenPlanThatDoesNotFitKeepsTheChoices();
    void noPlanIsShownBeforeTheOffers();
    void anotherGraphAsksForOffersAnew();
    void aPlanWithoutOffersThatCountIsProvisional();
    void aStoppedPlanGoesBackToTheChoicesOfTheReport();
    void aStoppedPlanGoesBackToItsOffers();
    void aStoppedFirstPlanLeavesNoGraph();
    void aFileThatIsGoneForAWhileKeepsTheReport();
    void closingForgetsEverything();
};

void SessionTest::openingPlansAndKeepsNoGhost()
{
    JobRunner jobs;
    Session session(engine(), jobs);
    QSignalSpy reports(&session, &Session::reportChanged);
    session.open(QStringLiteral("small.json"));

    QTRY_COMPARE(reports.count(), 1);
    QVERIFY(session.report()->memory.peakBytes > 0);
    QVERIFY(!session.previousReport());
}

void SessionTest::aChangedPolicyChangesThePeakAndLeavesAGhost()
{
    JobRunner jobs;
    Session session(engine(), jobs);
    session.open(QStringLiteral("small.json"));
    QTRY_VERIFY(session.report());
    const auto first = session.report();

    QVERIFY(session.setPolicy(QStringLiteral("placement"), QStringLiteral("no-reuse")).ok());

    QTRY_VERIFY(session.report() != first);
    QCOMPARE(session.report()->memory.peakBytes, session.report()->memory.noReuseBytes);
    QVERIFY(session.report()->memory.peakBytes > first->memory.peakBytes);
    QCOMPARE(session.previousReport(), first);
}

void SessionTest::undoAndRedoBringBackThePeak()
{
    JobRunner jobs;
    Session session(engine(), jobs);
    session.open(QStringLiteral("small.json"));
    QTRY_VERIFY(session.report());
    const std::int64_t lean = session.report()->memory.peakBytes;
    QVERIFY(session.setPolicy(QStringLiteral("placement"), QStringLiteral("no-reuse")).ok());
    QTRY_VERIFY(session.report()->memory.peakBytes > lean);
    const std::int64_t wide = session.report()->memory.peakBytes;

    session.undo();
    QTRY_COMPARE(session.report()->memory.peakBytes, lean);
    QVERIFY(!session.canUndo());
    session.redo();
    QTRY_COMPARE(session.report()->memory.peakBytes, wide);
    QVERIFY(!session.canRedo());
}

void SessionTest::anUnknownPolicyValueIsRefusedWithTheOnesThatExist()
{
    JobRunner jobs;
    Session session(engine(), jobs);
    const Status status = session.setPolicy(QStringLiteral("inplace"), QStringLiteral("perhaps"));
    QVERIFY(!status.ok());
    QVERIFY(QString::fromStdString(english(status.error().message)).contains(QStringLiteral("identity-only")));
    QVERIFY(!session.canUndo());
}

void SessionTest::aBrokenFileIsAnErrorThatNamesTheFile()
{
    JobRunner jobs;
    Session session(Engine(), jobs);
    QSignalSpy failures(&session, &Session::openFailed);
    session.open(test::exampleFile(QStringLiteral("broken-cycle.json")));

    QTRY_COMPARE(failures.count(), 1);
    QVERIFY(session.error()->file.find("broken-cycle.json") != std::string::npos);
    QVERIFY(!session.report());
}

void SessionTest::anErrorOfReplanningKeepsTheReport()
{
    JobRunner jobs;
    Engine picky = engine();
    picky.analyse = [analyse = picky.analyse](const Graph& graph, const PlanRequest& request, const Context& context) {
        if (request.policies.alignment == 4096)
            return Result<Report>(Error {ErrorCode::BadInput, Message("too wide"), {}, {}});
        return analyse(graph, request, context);
    };
    Session session(picky, jobs);
    QSignalSpy failures(&session, &Session::replanFailed);
    session.open(QStringLiteral("small.json"));
    QTRY_VERIFY(session.report());
    const auto kept = session.report();

    QVERIFY(session.setPolicy(QStringLiteral("alignment"), QStringLiteral("4096")).ok());

    QTRY_COMPARE(failures.count(), 1);
    QCOMPARE(session.report(), kept);
}

void SessionTest::aFileThatChangesIsReadAgain()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("graph.json"));
    QVERIFY(QFile::copy(test::exampleFile(QStringLiteral("two-outputs.json")), path));
    JobRunner jobs;
    Session session(Engine(), jobs);
    session.open(path);
    QTRY_VERIFY(session.report());
    const auto before = session.report();

    QFile file(path);
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner));
    QVERIFY(file.open(QIODevice::Append));
    file.write("\n");
    file.close();

    QTRY_VERIFY_WITH_TIMEOUT(session.report() != before, 10000);
    QCOMPARE(session.report()->memory.peakBytes, before->memory.peakBytes);
}

/// "FILE#NAME"; the file itself is watched.
void SessionTest::oneGraphOfAFileIsOpenedByName()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("two.log"));
    const auto listing = [](const QByteArray& name, const QByteArray& op) {
        return "class " + name + "(torch.nn.Module):\n    def forward(self, x: \"f32[4]\"):\n        y: \"f32[4]\" = " +
               "torch.ops.aten." + op + ".default(x)\n        return (y,)\n\n";
    };
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(listing("First", "neg") + listing("Second", "exp"));
    file.close();
    JobRunner jobs;
    Session session(Engine(), jobs);

    session.open(path + QStringLiteral("#Second"));

    QTRY_VERIFY(session.report());
    QCOMPARE(session.report()->program.graph->nodes.front().op, std::string("Exp"));
    QCOMPARE(fileOnDisk(session.file()), path);
    QCOMPARE(fileOnDisk(path + QStringLiteral(".gone#Second")), QString());
    const auto before = session.report();
    QVERIFY(file.open(QIODevice::Append));
    file.write("\n");
    file.close();
    QTRY_VERIFY_WITH_TIMEOUT(session.report() != before, 10000);
}

void SessionTest::everyOtherValueOfEveryPolicyIsPriced()
{
    JobRunner jobs;
    Session session(engine(), jobs);
    PolicyCosts costs(session, jobs);
    session.open(QStringLiteral("small.json"));
    QTRY_VERIFY(session.report());
    QTRY_VERIFY(!costs.busy());

    for (const PolicyInfo& policy : policyTable()) {
        for (const std::string_view value : policy.values) {
            QVERIFY2(costs.costOf({policy.id, value}).has_value() ==
                         whyWithoutEffect(session.report()->program, session.choices().policies, policy).empty(),
                     std::string(value).c_str());
        }
    }
    const auto peakOf = [&](const char* placement) { return costs.costOf({"placement", placement})->peakBytes; };
    QVERIFY(!costs.costOf({"saved", "exact"})); // the graph has no loss
    QCOMPARE(peakOf("best"), session.report()->memory.peakBytes);
    QCOMPARE(peakOf("no-reuse"), session.report()->memory.noReuseBytes);
}

void SessionTest::aGivenPlanIsJudgedUntilItIsTakenBack()
{
    JobRunner jobs;
    Engine judging = engine();
    judging.readPlan = [](const std::filesystem::path& file, const Context&) -> Result<PlanFile> {
        const Report own = plimsoll::analyse(test::smallGraph(), {}, {}).value();
        PlanFile plan = planOf(own);
        for (PlanFile::Entry& entry : plan.entries)
            entry.offset = 0; // all on one heap
        plan.file = file.string();
        return plan;
    };
    Session session(judging, jobs);
    session.open(QStringLiteral("small.json"));
    QTRY_VERIFY(session.report());

    session.judgePlan(QStringLiteral("heap.json"));

    QTRY_VERIFY(!session.report()->program.ownPlan);
    QVERIFY(countFindings(*session.report(), Severity::Error) > 0);
    QCOMPARE(session.choices().givenPlan->file, std::string("heap.json"));

    session.makeOwnPlan();
    QTRY_VERIFY(session.report()->program.ownPlan);
    QCOMPARE(countFindings(*session.report(), Severity::Error), std::size_t(0));
    session.undo();
    QTRY_VERIFY(!session.report()->program.ownPlan);
}

void SessionTest::aPlanThatIsOpenedAlongIsReadAgainOnceItIsMended()
{
    JobRunner jobs;
    Engine mending = engine();
    mending.readPlan = [times = std::make_shared<int>(0)](const std::filesystem::path& file,
                                                          const Context&) -> Result<PlanFile> {
        PlanFile plan = planOf(plimsoll::analyse(test::smallGraph(), {}, {}).value());
        plan.file = file.string();
        switch ((*times)++) {
        case 0:
            return Error {ErrorCode::BadInput, Message("This is no plan."), {}, file.string()};
        case 1:
            plan.entries.front().value = "nosuch";
            return plan;
        default:
            return plan;
        }
    };
    Session session(mending, jobs);
    QSignalSpy failed(&session, &Session::openFailed);
    session.open(QStringLiteral("small.json"), initialChoices(), QStringLiteral("p.json"));
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(session.error()->file, std::string("p.json"));
    session.reload();
    QTRY_COMPARE(failed.count(), 2);
    QCOMPARE(session.error()->file, std::string("p.json"));

    session.reload();

    QTRY_VERIFY(session.report());
    QVERIFY(!session.report()->program.ownPlan && !session.canUndo());
    QCOMPARE(countFindings(*session.report(), Severity::Error), std::size_t(0));
}

void SessionTest::aGivenPlanThatCannotBeReadKeepsTheReport()
{
    JobRunner jobs;
    Session session(engine(), jobs);
    QSignalSpy refused(&session, &Session::replanFailed);
    session.open(QStringLiteral("small.json"));
    QTRY_VERIFY(session.report());

    session.judgePlan(QStringLiteral("/nowhere/plan.json"));

    QTRY_COMPARE(refused.count(), 1);
    QVERIFY(session.report()->program.ownPlan);
    QVERIFY(!session.choices().givenPlan);
}

void SessionTest::aGivenPlanThatDoesNotFitKeepsTheChoices()
{
    JobRunner jobs;
    Engine strange = engine();
    strange.readPlan = [](const std::filesystem::path& file, const Context&) -> Result<PlanFile> {
        PlanFile plan = planOf(plimsoll::analyse(test::smallGraph(), {}, {}).value());
        plan.file = file.string();
        plan.entries.front().value = "nosuch";
        return plan;
    };
    Session session(strange, jobs);
    QSignalSpy refused(&session, &Session::replanFailed);
    session.open(QStringLiteral("small.json"));
    QTRY_VERIFY(session.report());
    const Choices before = session.choices();

    session.judgePlan(QStringLiteral("plan.json"));

    QTRY_COMPARE(refused.count(), 1);
    QVERIFY(session.choices() == before);
    QVERIFY(session.report()->program.ownPlan);
}

void SessionTest::noPlanIsShownBeforeTheOffers()
{
    JobRunner jobs;
    Session session(engine(), jobs);
    session.setAsksForOffers(true);
    QSignalSpy wanted(&session, &Session::offersWanted);
    QSignalSpy reports(&session, &Session::reportChanged);
    session.open(QStringLiteral("small.json"));

    QTRY_COMPARE(wanted.count(), 1);
    QTest::qWait(50);
    QVERIFY(session.busy());
    QCOMPARE(reports.count(), 0);

    const auto offers = std::make_shared<const Catalogue>();
    session.setCatalogue(offers);
    QTRY_COMPARE(reports.count(), 1);
    QCOMPARE(session.report()->planning.catalogue, offers);
    QVERIFY(!session.provisional());

    QVERIFY(session.setPolicy(QStringLiteral("inplace"), QStringLiteral("off")).ok()); // of the same graph
    QTRY_COMPARE(reports.count(), 2);
    QCOMPARE(wanted.count(), 1);
}

void SessionTest::anotherGraphAsksForOffersAnew()
{
    JobRunner jobs;
    Session session(engine(), jobs);
    session.setAsksForOffers(true);
    QSignalSpy wanted(&session, &Session::offersWanted);
    QSignalSpy reports(&session, &Session::reportChanged);
    session.open(QStringLiteral("small.json"));
    QTRY_COMPARE(wanted.count(), 1);
    session.setCatalogue(std::make_shared<const Catalogue>());
    QTRY_COMPARE(reports.count(), 1);
    const auto first = session.report();

    QVERIFY(session.setPolicy(QStringLiteral("fold"), QStringLiteral("all")).ok());

    QCOMPARE(wanted.count(), 2);
    session.setCatalogue(std::make_shared<const Catalogue>());
    QTRY_COMPARE(reports.count(), 2);
    QCOMPARE(session.previousReport(), first); // the ghost is of the graph before
}

void SessionTest::aPlanWithoutOffersThatCountIsProvisional()
{
    JobRunner jobs;
    Session session(engine(), jobs);
    session.setAsksForOffers(true);
    QSignalSpy wanted(&session, &Session::offersWanted);
    QSignalSpy reports(&session, &Session::reportChanged);
    session.open(QStringLiteral("small.json"));
    QTRY_COMPARE(wanted.count(), 1);

    session.stopWaiting();
    QTRY_COMPARE(reports.count(), 1);
    QCOMPARE(session.provisional()->code, ErrorCode::Stopped);

    QVERIFY(session.setPolicy(QStringLiteral("backend"), QStringLiteral("reference")).ok());
    QTRY_COMPARE(reports.count(), 2);
    QVERIFY(!session.provisional()); // they do not count
    session.undo();
    QTRY_COMPARE(reports.count(), 3);
    QVERIFY(session.provisional());

    session.askForOffersAgain();
    QCOMPARE(wanted.count(), 2);
    session.setCatalogue(std::make_shared<const Catalogue>());
    QTRY_COMPARE(reports.count(), 4);
    QVERIFY(!session.provisional());
}

void SessionTest::aStoppedPlanGoesBackToTheChoicesOfTheReport()
{
    JobRunner jobs;
    Engine slow = engine();
    slow.analyse = [analyse = slow.analyse](const Graph& graph, const PlanRequest& request, const Context& context) {
        while (request.policies.inplace == InplacePolicy::Off && !context.stopped())
            QThread::msleep(1);
        return analyse(graph, request, context);
    };
    Session session(slow, jobs);
    session.open(QStringLiteral("small.json"));
    QTRY_VERIFY(session.report());
    const Choices before = session.choices();

    QVERIFY(session.setPolicy(QStringLiteral("inplace"), QStringLiteral("off")).ok());
    QVERIFY(session.busy());
    jobs.stop(QStringLiteral("plan"));

    QVERIFY(!session.busy());
    QVERIFY(session.choices() == before);
    QVERIFY(session.canRedo());
}

void SessionTest::aStoppedPlanGoesBackToItsOffers()
{
    JobRunner jobs;
    Engine slow = engine();
    slow.analyse = [analyse = slow.analyse](const Graph& graph, const PlanRequest& request, const Context& context) {
        while (request.policies.fold == FoldPolicy::All && !context.stopped())
            QThread::msleep(1);
        return analyse(graph, request, context);
    };
    Session session(slow, jobs);
    session.setAsksForOffers(true);
    QSignalSpy wanted(&session, &Session::offersWanted);
    session.open(QStringLiteral("small.json"));
    QTRY_COMPARE(wanted.count(), 1);
    const auto offers = std::make_shared<const Catalogue>();
    session.setCatalogue(offers);
    QTRY_VERIFY(session.report());

    for (const int asked : {2, 3}) {
        QVERIFY(session.setPolicy(QStringLiteral("fold"), QStringLiteral("all")).ok());
        QCOMPARE(wanted.count(), asked);
        session.setCatalogue(std::make_shared<const Catalogue>());
        jobs.stop(QStringLiteral("plan"));
        QCOMPARE(session.request().catalogue, offers);
    }
}

void SessionTest::aStoppedFirstPlanLeavesNoGraph()
{
    JobRunner jobs;
    Session session(engine(), jobs);
    QSignalSpy closed(&session, &Session::closed);
    session.open(QStringLiteral("small.json"));
    jobs.stop(QStringLiteral("open"));

    QVERIFY(session.file().isEmpty());
    QVERIFY(!session.busy());
    QCOMPARE(closed.count(), 2); // opening closes what was there
}

void SessionTest::aFileThatIsGoneForAWhileKeepsTheReport()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("graph.json"));
    const QString away = folder.filePath(QStringLiteral("away.json"));
    QVERIFY(QFile::copy(test::exampleFile(QStringLiteral("two-outputs.json")), path));
    JobRunner jobs;
    Session session(Engine(), jobs);
    QSignalSpy failures(&session, &Session::replanFailed);
    session.open(path);
    QTRY_VERIFY(session.report());
    const auto before = session.report();

    QVERIFY(QFile::rename(path, away));
    QTRY_COMPARE_WITH_TIMEOUT(failures.count(), 1, 10000);
    QCOMPARE(session.report(), before);
    QVERIFY(!session.error());

    QVERIFY(QFile::rename(away, path));
    QTRY_VERIFY_WITH_TIMEOUT(session.report() != before, 10000);
}

void SessionTest::closingForgetsEverything()
{
    JobRunner jobs;
    Session session(engine(), jobs);
    session.open(QStringLiteral("small.json"));
    QTRY_VERIFY(session.report());
    session.close();
    QVERIFY(!session.report());
    QVERIFY(!session.graph());
    QVERIFY(session.file().isEmpty());
    QVERIFY(!session.busy());
}

QTEST_GUILESS_MAIN(SessionTest)
#include "tst_session.moc"
