#include "app/session/freeing_job.h"

#include "app/session/job_runner.h"
#include "app/session/selection.h"
#include "app/session/session.h"
#include "tests/app/support/app_samples.h"

#include <QRegularExpression>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

/// What the inspector says of a tensor that is kept from forward to backward.
class FreeingJobTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void waysArePlannedForWhatIsSelected();
};

void FreeingJobTest::waysArePlannedForWhatIsSelected()
{
    JobRunner jobs;
    Selection selection;
    Session session(Engine(), jobs);
    FreeingJob freeing(session, jobs, selection);
    session.open(test::exampleFile(QStringLiteral("frozen-scale.json")));
    QTRY_VERIFY(session.report());
    QVERIFY(session.setPolicy(QStringLiteral("saved"), QStringLiteral("save-all")).ok());
    QTRY_VERIFY(session.report()->training.boundaryBytes > 0);

    selection.pick(Focus::on(findValue(*session.report()->program.graph, "a")));

    QTRY_VERIFY(freeing.ways());
    QStringList ways;
    for (const Freeing& way : *freeing.ways())
        ways += QString::fromStdString(way.what + (way.choice.empty() ? "" : "=" + way.choice)) + u' ' +
                QString::number(way.boundaryBytes);
    ways.sort();
    QCOMPARE(ways.join(u", "), QStringLiteral("a 0, saved=exact 0, saved=guarded 0, saved=guarded-2019 0, x 0"));

    selection.pick(Focus::on(findValue(*session.report()->program.graph, "p")));

    QVERIFY(!freeing.ways());
}

QTEST_GUILESS_MAIN(FreeingJobTest)
#include "tst_freeing_job.moc"
