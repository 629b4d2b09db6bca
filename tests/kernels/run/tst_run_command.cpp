#include "tests/app/support/cli_run.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <QProcess>

#include <QThread>

#include <csignal>
#include <cstring>

using namespace plimsoll;
using test::Finished;
using test::TemporaryFolder;

namespace {

/// A loop without end, so that the worker is surely alive when it is killed: run withoutLimit().
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

constexpr const char* Small = R"({"schema": "plimsoll.graph/1", "name": "small",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [4]}],
  "nodes": [{"name": "n0", "op": "Neg", "inputs": ["x"], "outputs": ["a"]},
            {"name": "n1", "op": "Exp", "inputs": ["a"], "outputs": ["y"]}],
  "outputs": ["y"]})";

constexpr const char* Unknown = R"({"schema": "plimsoll.graph/1", "name": "unknown",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [4]}],
  "nodes": [{"name": "n0", "op": "my::Op", "inputs": ["x"], "outputs": ["y"]}],
  "values": [{"name": "y", "dtype": "float32", "shape": [4]}],
  "outputs": ["y"]})";

constexpr const char* Outside = R"({"schema": "plimsoll.plan/1",
  "arenas": [{"space": "cpu", "bytes": 64, "alignment": 64}],
  "allocations": [{"value": "a", "arena": 0, "offset": 0, "bytes": 16},
                  {"value": "y", "arena": 0, "offset": 64, "bytes": 16}]})";

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

/// Neither gone nor a zombie that waits to be collected.
bool isAlive(qint64 process)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(process));
    if (!file.open(QIODevice::ReadOnly)) return false;
    const QByteArray stat = file.readAll();
    return stat.mid(stat.lastIndexOf(')') + 2, 1) != "Z";
}

QStringList withoutLimit(const QString& graph, const QStringList& more)
{
    return QStringList {QStringLiteral("run"), graph, QStringLiteral("--max-trips"), QString::number(INT64_MAX)} + more;
}

Finished run(const QStringList& arguments)
{
    return test::runCli(QStringList {QStringLiteral("run")} + arguments);
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
    void theWorkerDiesWithItsSupervisor_data();
    void theWorkerDiesWithItsSupervisor();
    void aBrokenFileIsUnreadable();
    void anErrorOfTheRunNamesTheFile();
    void wrongArgumentsAreWrongUsage_data();
    void wrongArgumentsAreWrongUsage();
    void aPlanOutsideItsArenaIsAFindingAndNotExecuted();
    void aRecordThatCannotBeWrittenIsAnError();
    void theRecordOfAnEarlierRunIsCleared();
    void aRecordDoesNotWriteOverWhatIsRead();
    void aLoopWithoutEndIsCutAndSaidFirst();
    void aTableOfBuffersIsNotRun();
    void inputsThatDoNotFitAreNoFinding();
};

void TestRunCommand::aKilledWorkerLeavesARecordThatSaysWhere()
{
    const TemporaryFolder folder;
    const QString graph = text(folder.write("endless.json", Endless));
    const QString record = text(folder.path() / "record.jsonl");
    QProcess process;

    process.start(QStringLiteral(PLIMSOLL_CLI), withoutLimit(graph, {QStringLiteral("--record"), record}));
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(record).size() > 2000, 30000);
    const qint64 worker = childOf(process.processId());
    QVERIFY(worker > 0);
    ::kill(static_cast<pid_t>(worker), SIGKILL);

    QVERIFY(process.waitForFinished(30000));
    QCOMPARE(process.exitCode(), 4);
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(said.contains("signal 9") && said.contains("step"), said.constData());
    QVERIFY2(said.contains(", which ") && said.contains(") of cpu"), said.constData());
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

    process.start(QStringLiteral(PLIMSOLL_CLI), withoutLimit(graph, {QStringLiteral("--progress")}));
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

    process.start(QStringLiteral(PLIMSOLL_CLI), withoutLimit(graph, {}));

    QVERIFY(process.waitForFinished(30000));
    QCOMPARE(process.exitCode(), 3);
    QVERIFY(process.readAllStandardError().contains("broken.json"));
}

void TestRunCommand::theWorkerDiesWithItsSupervisor_data()
{
    QTest::addColumn<int>("afterMs");
    for (const int ms : {0, 2, 5, 10, 50, 300}) // before, while and after the worker gets going
        QTest::addRow("%d ms", ms) << ms;
}

void TestRunCommand::theWorkerDiesWithItsSupervisor()
{
    QFETCH(int, afterMs);
    const TemporaryFolder folder;
    const QString graph = text(folder.write("endless.json", Endless));
    QProcess process;

    process.start(QStringLiteral(PLIMSOLL_CLI), withoutLimit(graph, {}));
    QVERIFY(process.waitForStarted());
    qint64 worker = 0;
    while (worker == 0 && process.state() == QProcess::Running)
        worker = childOf(process.processId());
    QThread::msleep(static_cast<unsigned long>(afterMs));
    process.kill();

    QVERIFY(process.waitForFinished(30000));
    QVERIFY(worker > 0);
    const bool died = QTest::qWaitFor([&] { return !isAlive(worker); }, 5000);
    if (!died) ::kill(static_cast<pid_t>(worker), SIGKILL);
    QVERIFY(died);
}

void TestRunCommand::anErrorOfTheRunNamesTheFile()
{
    const TemporaryFolder folder;
    const QString graph = text(folder.write("unknown.json", Unknown));

    const Finished finished = run({graph, QStringLiteral("--mode"), QStringLiteral("numeric")});

    QCOMPARE(finished.status, 4);
    QVERIFY2(finished.err.contains("unknown.json: There is no kernel"), finished.err.constData());
}

void TestRunCommand::wrongArgumentsAreWrongUsage_data()
{
    QTest::addColumn<QString>("argument");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("mode") << "--mode=fast" << QByteArray("auto, numeric, fingerprint");
    QTest::newRow("negative seed") << "--seed=-1" << QByteArray("from 0 to 18446744073709551615");
    QTest::newRow("seed beyond 64 bits") << "--seed=18446744073709551616" << QByteArray("not '18446744073709551616'");
    QTest::newRow("seed with a rest") << "--seed=7up" << QByteArray("not '7up'");
}

void TestRunCommand::wrongArgumentsAreWrongUsage()
{
    QFETCH(QString, argument);
    QFETCH(QByteArray, said);
    const TemporaryFolder folder;
    const QString graph = text(folder.write("small.json", Small));

    const Finished finished = run({graph, argument});

    QCOMPARE(finished.status, 2);
    QVERIFY2(finished.err.contains(said), finished.err.constData());
    QCOMPARE(run({graph, QStringLiteral("--seed"), QStringLiteral("18446744073709551615")}).status, 0);
}

void TestRunCommand::aPlanOutsideItsArenaIsAFindingAndNotExecuted()
{
    const TemporaryFolder folder;
    const QString graph = text(folder.write("small.json", Small));
    const QString plan = text(folder.write("plan.json", Outside));
    const QString json = text(folder.path() / "report.json");

    const Finished finished = run({graph, QStringLiteral("--plan"), plan, QStringLiteral("--json"), json});

    QCOMPARE(finished.status, 1);
    QVERIFY2(finished.out.contains("beyond-capacity") && finished.out.contains("not executed"),
             (finished.out + finished.err).constData());
    QVERIFY(QFileInfo(json).size() > 0);
}

void TestRunCommand::aRecordThatCannotBeWrittenIsAnError()
{
    const TemporaryFolder folder;
    const QString graph = text(folder.write("small.json", Small));

    const Finished finished = run({graph, QStringLiteral("--record"), QStringLiteral("/dev/full")});

    QCOMPARE(finished.status, 3);
    QVERIFY2(finished.err.contains("/dev/full: The record cannot be written"), finished.err.constData());
}

void TestRunCommand::theRecordOfAnEarlierRunIsCleared()
{
    const TemporaryFolder folder;
    const QString graph = text(folder.write("broken.json", "{"));
    const QString record = text(folder.write("record.jsonl", "{\"schema\":\"plimsoll.record/1\",\"graph\":\"g\"}\n"));

    QCOMPARE(run({graph, QStringLiteral("--record"), record}).status, 3);

    QCOMPARE(QFileInfo(record).size(), 0);
}

void TestRunCommand::aRecordDoesNotWriteOverWhatIsRead()
{
    const TemporaryFolder folder;
    const QString graph = text(folder.write("small.json", Small));

    QCOMPARE(run({graph, QStringLiteral("--record"), graph}).status, 2);

    QCOMPARE(QFileInfo(graph).size(), static_cast<qint64>(std::strlen(Small)));
}

void TestRunCommand::aLoopWithoutEndIsCutAndSaidFirst()
{
    const TemporaryFolder folder;
    const QString graph = text(folder.write("endless.json", Endless));
    const Finished cut = run({graph, QStringLiteral("--max-trips"), QStringLiteral("10")});
    QCOMPARE(cut.status, 0);
    QVERIFY2(
        cut.out.startsWith("To show: 3 nodes write the same in planned memory as in separate memory; also in branches "
                           "and trip counts that the inputs do not lead to\nThe run was cut: loops may execute 10 "
                           "nodes together (--max-trips); 'forever' after "
                           "5 iterations did not end within that.\n"),
        cut.out.constData());
    QCOMPARE(run({graph, QStringLiteral("--max-trips"), QStringLiteral("0")}).status, 2);
}

void TestRunCommand::aTableOfBuffersIsNotRun()
{
    const TemporaryFolder folder;
    const QString table = text(folder.write("p.csv", "id,lower,upper,size\na,0,2,16\nb,1,3,16\n"));
    const Finished refused = run({table});
    QCOMPARE(refused.status, 4);
    QVERIFY2(refused.err.contains("There is nothing to run") && refused.err.contains("'pack'"),
             refused.err.constData());
}

void TestRunCommand::inputsThatDoNotFitAreNoFinding()
{
    const TemporaryFolder folder;
    const QString graph = text(folder.write("squares.json", R"({"schema": "plimsoll.graph/1", "name": "squares",
  "inputs": [{"name": "s", "dtype": "int64", "shape": [2]}],
  "nodes": [{"name": "n", "op": "Mul", "inputs": ["s", "s"], "outputs": ["t"]},
            {"name": "m", "op": "ConstantOfShape", "inputs": ["t"], "outputs": ["y"]}],
  "values": [{"name": "y", "dtype": "float32", "shape": [4, 9]}],
  "outputs": ["y"]})"));
    const Finished refused = run({graph});
    QCOMPARE(refused.status, 4);
    QVERIFY2(refused.err.contains("node 'm' (ConstantOfShape): It cannot be run with these inputs: 'y' becomes") &&
                 refused.err.contains("Give 's' with --inputs"),
             refused.err.constData());
}

QTEST_GUILESS_MAIN(TestRunCommand)
#include "tst_run_command.moc"
