#include "app/window/jobs_strip.h"

#include <QTest>

using namespace plimsoll::app;

class JobsStripTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void timeLeftIsToldOnceItIsKnown_data()
    {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<double>("done");
        QTest::addColumn<QString>("left");
        QTest::newRow("a short job") << 1.5 << 0.5 << QString();
        QTest::newRow("nothing done") << 20.0 << 0.0 << QString();
        QTest::newRow("next to nothing done") << 20.0 << 0.04 << QString();
        QTest::newRow("half") << 10.0 << 0.5 << QStringLiteral("about 10 s left");
        QTest::newRow("a fifth") << 3.0 << 0.2 << QStringLiteral("about 12 s left");
        QTest::newRow("nearly all") << 100.0 << 0.999 << QStringLiteral("about 1 s left");
        QTest::newRow("all") << 10.0 << 1.0 << QString();
    }

    void timeLeftIsToldOnceItIsKnown()
    {
        QFETCH(double, seconds);
        QFETCH(double, done);
        QTEST(timeLeft(seconds, done), "left");
    }
};

QTEST_MAIN(JobsStripTest)
#include "tst_jobs_strip.moc"
