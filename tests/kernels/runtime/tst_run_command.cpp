#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <QProcess>

#include <csignal>

using plimsoll::test::TemporaryFolder;

namespace {

/// A loop without end, so that the worker is surely alive when it is killed.
constexpr const char* Endless = R"({"schema": "plimsoll.graph/1", "name": "endless",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [4]}],
  "nodes": [{"name": "forever", "op": "Loop", "inputs": ["", "", "x"], "outputs": ["z"],
    "subgraphs": {"body": {
      "inputs": [{"name": "i", "dtype": "int64", "shape": []}, {"name": "k", "dtype": "bool", "shape": []},
                 {"name": "s", "dtype": "float32", "shape": [4]}],
      "nodes": [{"name": "turn", "op": "Neg", "inputs": ["s"], "outputs": ["u"]},
                {"name": "keep", "op": "Identity", "inputs": ["k"], "outputs": ["kk"]}],
      "outputs": ["kk", "u"]}}}],
  "outputs": ["z"]})";

QString text(const std::filesystem::path& path)
{
    return QString::fromStdString(path.string());
}

/// The process id of the only child of \p parent; 0 when there is none yet.
qint64 childOf(qint64 parent)
{
    QFile file(QStringLiteral("/proc/%1/task/%1/children").arg(parent));
    return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toLongLong() : 0;
}

} // namespace

class TestRunCommand : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        if (!QFile::exists(QStringLiteral(PLIMSOLL_CLI))) QSKIP("plimsoll-cli was not built");
    }
    void aKilledWorkerLeavesARecordThatSaysWhere();
    void anInterruptStopsTheWorker();
    void aBrokenFileIsUnreadable();
    void anUnknownModeIsWrongUsage();
};

void TestRunCommand::aKilledWorkerLeavesARecordThatSaysWhere()
{
    const TemporaryFolder folder;
    const QString graph = text(folder.write("endless.json", Endless));
    const QString record = text(folder.path() / "record.jsonl");
    QProcess process;

    process.start(QStringLiteral(PLIMSOLL_CLI), {QStringLiteral("run"), graph, QStringLiteral("--record"), record});
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(record).size() > 2000, 30000);
    const qint64 worker = childOf(process.processId());
    QVERIFY(worker > 0);
    ::kill(static_cast<pid_t>(worker), SIGKILL);

    QVERIFY(process.waitForFinished(30000));
    QCOMPARE(process.exitCode(), 4);
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(said.contains("signal 9") && said.contains("step"), said.constData());
    QFile file(record);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray written = file.readAll();
    QVERIFY(written.startsWith("{\"schema\":\"plimsoll.record/1\""));
    QVERIFY(written.contains("\"node\":\"forever/body/turn\""));
    QVERIFY(!written.contains("\"summary\""));
}

void TestRunCommand::anInterruptStopsTheWorker()
{
    const TemporaryFolder folder;
    const QString graph = text(folder.write("endless.json", Endless));
    QProcess process;

    process.start(QStringLiteral(PLIMSOLL_CLI), {QStringLiteral("run"), graph, QStringLiteral("--progress")});
    QVERIFY(process.waitForStarted());
    QByteArray said;
    const auto saidProgress = [&] { return (said += process.readAllStandardError()).startsWith("progress "); };
    QTRY_VERIFY_WITH_TIMEOUT(saidProgress(), 30000);
    const qint64 worker = childOf(process.processId());
    QVERIFY(worker > 0);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);

    QVERIFY(process.waitForFinished(30000));
    QCOMPARE(process.exitCode(), 4);
    QVERIFY(::kill(static_cast<pid_t>(worker), 0) != 0);
}

void TestRunCommand::aBrokenFileIsUnreadable()
{
    const TemporaryFolder folder;
    const QString graph = text(folder.write("broken.json", "{\"schema\": \"plimsoll.graph/1\", "));
    QProcess process;

    process.start(QStringLiteral(PLIMSOLL_CLI), {QStringLiteral("run"), graph});

    QVERIFY(process.waitForFinished(30000));
    QCOMPARE(process.exitCode(), 3);
    QVERIFY(process.readAllStandardError().contains("broken.json"));
}

void TestRunCommand::anUnknownModeIsWrongUsage()
{
    const TemporaryFolder folder;
    const QString graph = text(folder.write("endless.json", Endless));
    QProcess process;

    process.start(QStringLiteral(PLIMSOLL_CLI),
                  {QStringLiteral("run"), graph, QStringLiteral("--mode"), QStringLiteral("fast")});

    QVERIFY(process.waitForFinished(30000));
    QCOMPARE(process.exitCode(), 2);
}

QTEST_GUILESS_MAIN(TestRunCommand)
#include "tst_run_command.moc"
