#include "kernels/best_time.h"

#include <QList>
#include <QTest>

using plimsoll::kernels::bestTime;

class tst_BestTime : public QObject
{
    Q_OBJECT

private slots:
    void someAreExecutedAndTheBestCounts_data()
    {
        QTest::addColumn<QList<double>>("times"); ///< Of one execution after the other; the last of all that follow.
        QTest::addColumn<double>("best");
        QTest::addColumn<int>("executions");
        QTest::newRow("quick") << QList<double> {0.3, 0.2, 0.4} << 0.2 << 8;
        QTest::newRow("slow to begin") << QList<double> {80, 0.2} << 0.2 << 3;
        QTest::newRow("held up") << QList<double> {12, 11, 0.2, 11} << 0.2 << 7;
        QTest::newRow("slow") << QList<double> {70, 72, 69} << 69.0 << 3;
        QTest::newRow("very slow") << QList<double> {400, 1} << 400.0 << 1;
        QTest::newRow("it fails") << QList<double> {-1} << -1.0 << 1;
        QTest::newRow("it fails later") << QList<double> {1, -1} << -1.0 << 2;
    }
    void someAreExecutedAndTheBestCounts()
    {
        QFETCH(QList<double>, times);
        QFETCH(double, best);
        QFETCH(int, executions);
        int done = 0;
        QCOMPARE(bestTime([&] { return times[std::min<qsizetype>(done++, times.size() - 1)]; }), best);
        QCOMPARE(done, executions);
    }
};

QTEST_APPLESS_MAIN(tst_BestTime)
#include "tst_best_time.moc"
