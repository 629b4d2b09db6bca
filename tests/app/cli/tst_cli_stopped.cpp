#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

constexpr qint64 SoonMs = 1000; // 20 where nothing else runs

constexpr const char* Frame = R"(
{ "schema": "plimsoll.graph/1", "name": "long", INPUTS,
  "nodes": [ {"name": "n", "op": "OP", NODE, "outputs": ["y"]} ], "outputs": ["y"] }
)";

/// A run ends at an interrupt, however long the kernel that it is in would take: each of these takes many seconds.
class tst_CliStopped : public QObject
{
    Q_OBJECT

private slots:
    void aKernelIsLeftAtOnce_data()
    {
        QTest::addColumn<QByteArray>("graph");
        const auto row = [](const char* op, const char* inputs, const char* node) {
            QTest::newRow(op) << QByteArray(Frame).replace("INPUTS", inputs).replace("OP", op).replace("NODE", node);
        };
        constexpr const char* Pair = R"( "inputs": [{"name": "a", "dtype": "float32", "shape": [2048, 2048]},
                                                   {"name": "b", "dtype": "float32", "shape": [2048, 2048]}])";
        row("MatMul", Pair, R"( "inputs": ["a", "b"])");
        row("Einsum", Pair, R"( "inputs": ["a", "b"], "attributes": {"equation": "ij,jk->ik"})");
        row("Conv", R"( "inputs": [{"name": "x", "dtype": "float32", "shape": [1, 64, 256, 256]},
                                  {"name": "w", "dtype": "float32", "shape": [64, 64, 7, 7]}])",
            R"( "inputs": ["x", "w"])");
        row("GridSample", R"( "inputs": [{"name": "x", "dtype": "float32", "shape": [1, 64, 64, 64]},
                                        {"name": "g", "dtype": "float32", "shape": [1, 512, 512, 2]}])",
            R"( "inputs": ["x", "g"], "attributes": {"mode": "cubic"})");
        row("TopK", R"( "inputs": [{"name": "x", "dtype": "float32", "shape": [16777216]}],
                       "constants": [{"name": "k", "dtype": "int64", "shape": [1], "data": [8388608]}])",
            R"( "inputs": ["x", "k"])");
    }

    void aKernelIsLeftAtOnce()
    {
        QFETCH(const QByteArray, graph);
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("long.json")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(graph) == graph.size());
        file.close();
        qint64 least = INT64_MAX; // a busy machine may keep a single one waiting
        for (int i = 0; i < 5 && least > SoonMs; ++i) {
            QProcess run;
            run.start(QStringLiteral(PLIMSOLL_CLI), {"run", file.fileName(), "-p", "backend=reference"});
            QVERIFY(run.waitForStarted());
            QVERIFY2(!run.waitForFinished(600), run.readAllStandardError().constData());
            QElapsedTimer timer;
            timer.start();
            ::kill(static_cast<pid_t>(run.processId()), SIGINT);
            QVERIFY(run.waitForFinished());
            least = std::min(least, timer.elapsed());
            QVERIFY2(run.readAllStandardError().contains("The run was stopped"), "it was over before");
        }
        QVERIFY2(least <= SoonMs, qPrintable(QStringLiteral("%1 ms").arg(least)));
    }
};

QTEST_GUILESS_MAIN(tst_CliStopped)
#include "tst_cli_stopped.moc"
