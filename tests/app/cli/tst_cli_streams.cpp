#include "tests/app/support/cli_run.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using plimsoll::test::Finished;
using plimsoll::test::runCli;

namespace {

const QString Example = QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/examples/two-streams.json");
/// A plan of it that has lost the event between its branches and the node that joins them.
const QString Damaged = QStringLiteral(PLIMSOLL_SOURCE_DIR "/tests/data/two-streams-missing-event.plan.json");
const QStringList Reference = {QStringLiteral("-p"), QStringLiteral("backend=reference")};

} // namespace

class tst_CliStreams : public QObject
{
    Q_OBJECT

private slots:
    void theExampleRunsInAllItsOrders()
    {
        const Finished done = runCli(
            QStringList {QStringLiteral("run"), Example, QStringLiteral("-p"), QStringLiteral("streams=captured")} +
            Reference);
        QCOMPARE(done.status, 0);
        QVERIFY2(done.out.contains("run in 3 orders of its streams: captured, stream 0 first, stream 1 first"),
                 done.out.constData());
    }

    void aMissingEventIsFoundByTheCheck()
    {
        const Finished done =
            runCli(QStringList {QStringLiteral("check"), Example, QStringLiteral("--plan"), Damaged} + Reference);
        QCOMPARE(done.status, 1);
        QVERIFY2(done.out.contains("uninitialised-read: Value 'g' at bytes "), done.out.constData());
        QVERIFY2(
            done.out.contains("node 'join' of stream 0 (step 9), which does not wait for node 'gated' of stream 1"),
            done.out.constData());
        QVERIFY2(done.out.contains("Wait for 'gated' before 'join'"), done.out.constData());
        QVERIFY2(done.out.contains("overlap: Two streams meet at bytes "), done.out.constData());
    }

    void aMissingEventIsShownByTheRun()
    {
        const Finished done =
            runCli(QStringList {QStringLiteral("run"), Example, QStringLiteral("--plan"), Damaged} + Reference);
        QCOMPARE(done.status, 1);
        QVERIFY2(done.out.contains("\nMismatches with the oracle\n"), done.out.constData());
        QVERIFY2(done.text().contains(QRegularExpression(QStringLiteral("\n  g +join +9 .* wrong-value  "))),
                 done.out.constData());
        QVERIFY2(done.out.contains("in the order: stream 0 first"), done.out.constData());
        QVERIFY2(done.out.contains("compared with the oracle: 2 faults, 5 values differ after them\n"),
                 done.out.constData());
        QVERIFY2(done.out.contains(" filled; guards: 2 zones, none touched\n"), done.out.constData());
        QCOMPARE(done.out.count("'join' before 'gated'"), 1); // two races, one order
    }

    /// What is recorded is the order that goes wrong: the joining node reads what nothing has written.
    void theFailingOrderIsRecorded()
    {
        QTemporaryDir folder;
        const QString record = folder.filePath(QStringLiteral("run"));
        const QStringList plan = QStringList {Example, "--plan", Damaged} + Reference;
        QCOMPARE(runCli(QStringList {"run"} + plan + QStringList {"--record", record, "--keep-bytes", "64MiB"}).status,
                 1);
        const QStringList explain =
            QStringList {"explain", Example, "g", "--record", record, "--plan", Damaged} + Reference;
        const QString then = runCli(explain + QStringList {"--step", "9"}).text();
        QVERIFY2(then.contains("After step 9, in the order: stream 0 first\n    0x30000  nothing written yet"),
                 qPrintable(then));
        QVERIFY2(then.contains("  Missing wait: node 'join' of stream 0 (step 9) does not wait for node 'gated' of "
                               "stream 1 (step 8): the event that would order them is missing.\n"),
                 qPrintable(then));
    }

    /// Of bytes: who writes and reads there, and that nothing orders the two.
    void bytesTellOfTheMissingWait()
    {
        const Finished done =
            runCli(QStringList {"explain", Example, "0x30000..0x30100", "--plan", Damaged, "--step", "9"} + Reference);
        QCOMPARE(done.out.count("Missing wait: node 'join' of stream 0 (step 9) does not wait for node 'gated'"), 2);
        QVERIFY2(done.out.contains(
                     "'p' and 'g' share, which no rule forbids; a finding names one of them. uninitialised-read: "
                     "Value 'g' at bytes "),
                 done.out.constData());
        QVERIFY2(!done.out.contains("finds no rule broken"), done.out.constData());
    }

    void explainSaysWhoMayWriteLate()
    {
        const Finished done = runCli(QStringList {QStringLiteral("explain"), Example, QStringLiteral("nt"),
                                                  QStringLiteral("-p"), QStringLiteral("streams=captured")} +
                                     Reference);
        QVERIFY2(done.out.contains("until then it does not wait for '"), done.out.constData());
    }

    void explainSaysWhereTwoValuesMeet_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("against the rules")
            << QStringList {"sr", "c", "--plan", Damaged} << QByteArray("overlap: Two streams meet at bytes ");
        QTest::newRow("one after the other")
            << QStringList {"s", "c", "--plan", Damaged}
            << QByteArray("Both lie on bytes [0, 65,536) of cpu, one after the other.");
        QTest::newRow("apart for another stream")
            << QStringList {"pg", "c", "-p", "streams=captured", "-p", "placement=no-reuse"}
            << QByteArray("'pg' and 'c' do not share");
    }
    void explainSaysWhereTwoValuesMeet()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, said);
        const Finished done = runCli(QStringList {QStringLiteral("explain"), Example} + arguments + Reference);
        QVERIFY2(done.out.contains(said), done.out + done.err);
    }

    void compareTellsOfWaits()
    {
        const Finished done = runCli(QStringList {QStringLiteral("compare"), Example, QStringLiteral("--b"),
                                                  QStringLiteral("streams=captured")} +
                                     Reference);
        const QString text = done.text().simplified();
        QVERIFY2(text.contains(QStringLiteral(" streams 1 stream 2 streams of ")), done.out.constData());
        QVERIFY2(text.contains(QStringLiteral(" stay reserved until another stream has waited 0 ")),
                 done.out.constData());
        QVERIFY2(text.contains(QStringLiteral(" Node Waits for Only ")), done.out.constData());
        QVERIFY2(text.contains(QStringLiteral(" join gated now ")), done.out.constData());
        const Finished same = runCli(QStringList {QStringLiteral("compare"), Example} + Reference);
        QVERIFY2(!same.out.contains("another stream"), same.out.constData());
    }

    void reportAndPlanCarryStreams()
    {
        QTemporaryDir folder;
        const QString json = folder.filePath(QStringLiteral("report.json"));
        const Finished done = runCli(QStringList {QStringLiteral("plan"), Example, QStringLiteral("-p"),
                                                  QStringLiteral("streams=2"), QStringLiteral("--json"), json} +
                                     Reference);
        QCOMPARE(done.status, 0);
        QFile file(json);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject report = QJsonDocument::fromJson(file.readAll()).object();
        QCOMPARE(report.value(QStringLiteral("events")).toArray().size(), 2);
        QVERIFY(report.value(QStringLiteral("nodes")).toArray().at(0).toObject().contains(QStringLiteral("stream")));
        const Finished again =
            runCli(QStringList {QStringLiteral("check"), Example, QStringLiteral("--plan"), json} + Reference);
        QCOMPARE(again.status, 0);
    }
};

QTEST_APPLESS_MAIN(tst_CliStreams)
#include "tst_cli_streams.moc"
