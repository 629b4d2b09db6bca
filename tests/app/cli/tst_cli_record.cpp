#include "tests/app/support/cli_run.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using plimsoll::test::Finished;
using plimsoll::test::runCli;

namespace {

/// The third node writes over what the first one made.
constexpr const char* Graph = R"({"schema": "plimsoll.graph/1", "name": "chain",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [4]}],
  "nodes": [{"name": "n0", "op": "Neg", "inputs": ["x"], "outputs": ["a"]},
            {"name": "n1", "op": "Abs", "inputs": ["a"], "outputs": ["b"]},
            {"name": "n2", "op": "Neg", "inputs": ["b"], "outputs": ["c"]}],
  "outputs": ["c"]})";
constexpr const char* Plan = R"({"schema": "plimsoll.plan/1", "graph": null,
  "arenas": [{"space": "cpu", "bytes": 128, "alignment": 64}],
  "allocations": [{"value": "a", "offset": 0, "bytes": 16}, {"value": "b", "offset": 64, "bytes": 16},
                  {"value": "c", "offset": 0, "bytes": 16}], "steps": null})";

} // namespace

class tst_CliRecord : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        write("graph.json", Graph);
        write("plan.json", Plan);
        const Finished run =
            runCli({"run", at("graph.json"), "--plan", at("plan.json"), "--record", at("run"), "--keep-bytes", "1KiB"});
        QCOMPARE(run.status, 0);
    }

    void writersAndBytesAreTold()
    {
        const QString said = explained({"--step", "1"});
        QVERIFY2(said.contains(QRegularExpression("step 0 +a +0x0\\.\\.0x10")), qPrintable(said));
        QVERIFY2(said.contains(QRegularExpression("step 2 +c +0x0\\.\\.0x10")), qPrintable(said));
        QVERIFY2(said.contains(QRegularExpression("After step 1\n +0x0 +a +step 0 +([0-9a-f]{2} ){15}")),
                 qPrintable(said));
    }

    void withoutAStepItIsTheEnd()
    {
        const QString said = explained({});
        QVERIFY2(said.contains(QRegularExpression("After step 2\n +0x0 +c +step 2 ")), qPrintable(said));
    }

    void bytesBeyondTheLimitAreSaidToBeMissing()
    {
        QCOMPARE(
            runCli({"run", at("graph.json"), "--plan", at("plan.json"), "--record", at("run"), "--keep-bytes", "20"})
                .status,
            0);
        QCOMPARE(QFileInfo(at("run.bytes")).size(), 16); // x
        QVERIFY(explained({}).contains("not kept"));
        initTestCase();
    }

    void aRecordOfAnotherPlanIsRefused()
    {
        const Finished said = runCli(
            {"explain", at("graph.json"), "b", "--record", at("run"), "-p", "inplace=off", "-p", "alignment=16"});
        QCOMPARE(said.status, 3);
        QVERIFY2(said.said().contains("another plan"), qPrintable(said.said()));
    }

    void bytesGoWithARecord()
    {
        const Finished said = runCli({"run", at("graph.json"), "--keep-bytes", "1KiB"});
        QCOMPARE(said.status, 2);
        QVERIFY2(said.said().contains("--keep-bytes goes with --record"), qPrintable(said.said()));
        QCOMPARE(runCli({"run", at("graph.json"), "--record", at("run"), "--keep-bytes", "much"}).status, 2);
    }

    void theFileOfBytesIsNoOtherOutput()
    {
        const Finished said =
            runCli({"run", at("graph.json"), "--record", at("run"), "--keep-bytes", "1KiB", "--json", at("run.bytes")});
        QCOMPARE(said.status, 2);
    }

private:
    QString at(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    void write(const char* name, const char* text) const
    {
        QFile file(at(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    QString explained(const QStringList& more) const
    {
        const Finished said = runCli(
            QStringList {"explain", at("graph.json"), "0x0..0x10", "--plan", at("plan.json"), "--record", at("run")} +
            more);
        return said.status == 0 ? said.text() : said.said();
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_CliRecord)
#include "tst_cli_record.moc"
