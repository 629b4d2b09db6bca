#include "kernels/typical_time.h"

#include <QList>
#include <QTest>

using plimsoll::kernels::typicalTime;

class tst_TypicalTime : public QObject
{
    Q_OBJECT

private slots:
    void noSingleTimeDecides_data()
    {
        QTest::addColumn<QList<double>>("times"); ///< Of one execution after the other, then all over again.
        QTest::addColumn<double>("typical");
        QTest::addColumn<int>("executions");
        QTest::newRow("quick") << QList<double> {0.3} << 0.3 << 8;
        QTest::newRow("about the same") << QList<double> {0.30, 0.31, 0.29} << 0.3 << 8;
        QTest::newRow("slow to begin") << QList<double> {80, 2, 2, 2, 2, 2, 2, 2} << 2.0 << 8;
        QTest::newRow("very slow to begin") << QList<double> {900, 2, 2, 2, 2, 2, 2, 2} << 2.0 << 8;
        QTest::newRow("held up once") << QList<double> {2, 2, 2, 90, 2, 2, 2} << 2.0 << 6;
        QTest::newRow("far too quick once") << QList<double> {2, 2, 2, 0.001, 2, 2, 2, 2} << 2.0 << 8;
        QTest::newRow("held up all the time") << QList<double> {12, 0.2, 11, 0.2, 11, 12, 10, 11} << 0.2 << 26;
        QTest::newRow("never steady") << QList<double> {10, 16} << 10.0 << 26;
        QTest::newRow("slow") << QList<double> {70, 72, 69, 71} << 71.0 << 4;
        QTest::newRow("slow and held up") << QList<double> {70, 70, 400, 70, 70} << 70.0 << 5;
        QTest::newRow("a second") << QList<double> {1000} << 1000.0 << 3;
        QTest::newRow("seconds") << QList<double> {2500, 1} << 2500.0 << 1;
        QTest::newRow("it fails") << QList<double> {-1} << -1.0 << 1;
        QTest::newRow("it fails later") << QList<double> {1, 1, -1} << -1.0 << 3;
    }
    void noSingleTimeDecides()
    {
        QFETCH(QList<double>, times);
        QFETCH(double, typical);
        QFETCH(int, executions);
        int done = 0;
        QCOMPARE(typicalTime([&] { return times[done++ % times.size()]; }), typical);
        QCOMPARE(done, executions);
    }
};

QTEST_APPLESS_MAIN(tst_TypicalTime)
#include "tst_typical_time.moc"
