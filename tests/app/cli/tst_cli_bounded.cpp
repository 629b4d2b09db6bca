#include "core/sandbox/sandbox.h"
#include "tests/app/support/cli_run.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace plimsoll::test;

namespace {

/// A loop without end.
constexpr const char* Endless = R"json({"schema": "plimsoll.graph/1", "name": "endless",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [4]}],
  "nodes": [{"name": "forever", "op": "Loop", "inputs": ["", "", "x"], "outputs": ["z"],
    "subgraphs": {"body": {
      "inputs": [{"name": "i", "dtype": "int64", "shape": []}, {"name": "k", "dtype": "bool", "shape": []},
                 {"name": "s", "dtype": "float32", "shape": [4]}],
      "nodes": [{"name": "turn", "op": "Neg", "inputs": ["s"], "outputs": ["u"]},
                {"name": "keep", "op": "Identity", "inputs": ["k"], "outputs": ["kk"]}],
      "outputs": ["kk", "u"]}}}],
  "outputs": ["z"]})json";

constexpr const char* Large = R"json({"schema": "plimsoll.graph/1", "name": "large",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [1048576]}],
  "nodes": [{"name": "n", "op": "Exp", "inputs": ["x"], "outputs": ["y"]}], "outputs": ["y"]})json";

constexpr const char* Slow = R"json({"schema": "plimsoll.graph/1", "name": "slow",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [1, 1, 2000, 2000]}],
  "nodes": [{"name": "pool", "op": "MaxPool", "inputs": ["x"], "outputs": ["y"],
             "attributes": {"kernel_shape": [1000, 1000]}}], "outputs": ["y"]})json";

/// Lines of a file of /proc; fields of environ end in a zero.
QList<QByteArray> linesOf(qint64 process, const char* name, char end = '\n')
{
    QFile file(QStringLiteral("/proc/%1/%2").arg(process).arg(QLatin1String(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll().split(end) : QList<QByteArray>();
}

qint64 childOf(qint64 parent)
{
    return linesOf(parent, qPrintable(QStringLiteral("task/%1/children").arg(parent))).value(0).trimmed().toLongLong();
}

/// What a file of /proc says of \p key.
QByteArray valueOf(qint64 process, const char* name, const QByteArray& key)
{
    for (const QByteArray& line : linesOf(process, name)) {
        if (line.startsWith(key)) return line.mid(key.size()).simplified();
    }
    return {};
}

} // namespace

/// Runs end, take what they may, and their workers have nothing of their parents that they do not need.
class tst_CliBounded : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_endless = written(QStringLiteral("endless.json"), Endless);
        m_large = written(QStringLiteral("large.json"), Large);
        m_slow = written(QStringLiteral("slow.json"), Slow);
    }

    void whatTakesTooLongIsStopped_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("run") << "run";
        QTest::newRow("bisect") << "bisect";
    }

    void whatTakesTooLongIsStopped()
    {
        QFETCH(QString, command);

        const Finished finished =
            runCli({command, m_endless, "--max-trips", QString::number(INT64_MAX), "--max-seconds", "1"});

        QCOMPARE(finished.status, 4);
        QVERIFY2(finished.err.contains("The run was stopped after 1 second (--max-seconds) "),
                 finished.err.constData());
    }

    void whatCannotEndInTimeDoesNotStart_data() { whatTakesTooLongIsStopped_data(); }
    void whatCannotEndInTimeDoesNotStart()
    {
        QFETCH(QString, command);

        QElapsedTimer timer;
        timer.start();
        const Finished finished = runCli({command, m_slow, "-p", "backend=reference", "--max-seconds", "15"});

        QCOMPARE(finished.status, 4);
        QVERIFY2(finished.err.contains("node 'pool' (MaxPool): It takes about 1.0e12 operations, "),
                 finished.err.constData());
        QVERIFY2(finished.err.contains(" seconds at the least, with "), finished.err.constData());
        QVERIFY2(finished.err.contains(" left of the 15 seconds that the run may take (--max-seconds)."),
                 finished.err.constData());
        QVERIFY(timer.elapsed() < 15'000);
    }

    void whatNeedsMoreMemoryThanIsAllowedDoesNotStart()
    {
        const Finished finished = runCli({"run", m_large, "--max-memory", "1MiB"});

        QCOMPARE(finished.status, 4);
        QVERIFY2(finished.err.contains("1.00 MiB are allowed (--max-memory)"), finished.err.constData());
        QCOMPARE(runCli({"run", m_large, "--max-memory", "1GiB"}).status, 0);
        QCOMPARE(runCli({"run", m_large, "--max-memory", "much"}).status, 2);
    }

    void aWorkerHasWhatItNeedsAndNoMore()
    {
        const int leaked = open("/dev/null", O_RDONLY); // not closed on exec: the command inherits it
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("A_TOKEN"), QStringLiteral("secret"));
        environment.insert(QStringLiteral("OMP_NUM_THREADS"), QStringLiteral("1"));
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(PLIMSOLL_CLI), {"run", m_endless, "--max-trips", QString::number(INT64_MAX),
                                                     "--max-seconds", "50", "--max-memory", "1GiB"});
        QVERIFY(process.waitForStarted());
        qint64 worker = 0;
        QTRY_VERIFY((worker = childOf(process.processId())) != 0);
        QTRY_COMPARE(valueOf(worker, "status", "NoNewPrivs:"), QByteArray("1"));
        QTRY_VERIFY(valueOf(worker, "limits", "Max data size") !=
                    valueOf(process.processId(), "limits", "Max data size"));

        QTRY_COMPARE(valueOf(worker, "status", "Seccomp:"), QByteArray(plimsoll::sandboxGaps().empty() ? "2" : "0"));

        const QList<QByteArray> variables = linesOf(worker, "environ", '\0');
        const bool knowsLeaked = QFile::exists(QStringLiteral("/proc/%1/fd/%2").arg(process.processId()).arg(leaked));
        const bool hasLeaked = QFile::exists(QStringLiteral("/proc/%1/fd/%2").arg(worker).arg(leaked));
        const QByteArray core = valueOf(worker, "limits", "Max core file size");
        const QByteArray time = valueOf(worker, "limits", "Max cpu time");
        process.kill();
        process.waitForFinished();
        close(leaked);

        QVERIFY(variables.contains("OMP_NUM_THREADS=1"));
        QVERIFY(variables.contains("OMP_WAIT_POLICY=passive"));
        QVERIFY(!variables.contains("A_TOKEN=secret"));
        QVERIFY(knowsLeaked);
        QVERIFY(!hasLeaked);
        QCOMPARE(core, QByteArray("1 1 bytes"));
        const long seconds = 51 * sysconf(_SC_NPROCESSORS_ONLN);
        QCOMPARE(time,
                 QByteArray::number(qlonglong(seconds)) + ' ' + QByteArray::number(qlonglong(seconds)) + " seconds");
    }

    void aPatternThatInvitesBacktrackingTakesNoTime()
    {
        const QString graph = written(QStringLiteral("pattern.json"), R"json({"schema": "plimsoll.graph/1", "opset": 20,
          "constants": [{"name": "s", "dtype": "string", "shape": [1], "data": ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]}],
          "nodes": [{"op": "RegexFullMatch", "name": "n", "inputs": ["s"], "outputs": ["y"],
                     "attributes": {"pattern": "(a+)+b"}}], "outputs": ["y"]})json");

        QCOMPARE(runCli({"run", graph, "--max-seconds", "10"}).status, 0);
    }

    void nothingIsMadeOfWideAxesInNoTime_data()
    {
        QTest::addColumn<QByteArray>("inputs");
        QTest::addColumn<QByteArray>("node");
        const auto row = [](const char* op, const char* inputs, const char* node) {
            QTest::newRow(op) << QByteArray(inputs) << QByteArray(node);
        };
        row("Upsample", R"("inputs": [{"name": "x", "dtype": "float32", "shape": [1, 0, 4, 4]}],
              "constants": [{"name": "s", "dtype": "float32", "shape": [4], "data": [1, 1, 1e8, 1e8]}], "opset": 9)",
            R"("op": "Upsample", "inputs": ["x", "s"])");
        row("CumSum", R"("inputs": [{"name": "x", "dtype": "float32", "shape": [1099511627776, 0]}],
              "constants": [{"name": "k", "dtype": "int64", "shape": [], "data": [1]}])",
            R"("op": "CumSum", "inputs": ["x", "k"])");
        row("MatMul", R"("inputs": [{"name": "x", "dtype": "float32", "shape": [2147483647, 2147483647, 0]},
                                    {"name": "w", "dtype": "float32", "shape": [2147483647, 0, 0]}])",
            R"("op": "MatMul", "inputs": ["x", "w"])");
    }

    void nothingIsMadeOfWideAxesInNoTime()
    {
        QFETCH(QByteArray, inputs);
        QFETCH(QByteArray, node);
        const QString graph = written(QStringLiteral("wide.json"), R"({"schema": "plimsoll.graph/1", )" + inputs +
                                                                       R"(, "nodes": [{"name": "n", )" + node +
                                                                       R"(, "outputs": ["y"]}], "outputs": ["y"]})");

        const Finished finished = runCli({"run", graph, "--max-seconds", "10"});

        QVERIFY2(finished.status == 0, finished.err.constData());
    }

    void whatConvertWritesIsRead()
    {
        const QString graph = written(QStringLiteral("hidden.json"), R"json({"schema": "plimsoll.graph/1",
          "name": "d\u007f\u202e\u009b\udb40\udc01", "inputs": [{"name": "x\u007f", "dtype": "float32", "shape": [4]}],
          "nodes": [{"name": "n", "op": "Relu", "inputs": ["x\u007f"], "outputs": ["y"]}], "outputs": ["y"]})json");
        const QString copy = m_folder.filePath(QStringLiteral("copy.json"));

        QCOMPARE(runCli({"convert", graph, copy}).status, 0);

        const Finished planned = runCli({"plan", copy});
        QCOMPARE(planned.status, 0);
        QVERIFY2(planned.out.startsWith("d\\x7f\\u202e\\u009b\\U000e0001: Legal."), planned.out.constData());
    }

private:
    QString written(const QString& name, const QByteArray& text) const
    {
        QFile file(m_folder.filePath(name));
        if (file.open(QIODevice::WriteOnly)) file.write(text);
        return file.fileName();
    }

    QTemporaryDir m_folder;
    QString m_endless;
    QString m_large;
    QString m_slow;
};

QTEST_GUILESS_MAIN(tst_CliBounded)
#include "tst_cli_bounded.moc"
