#include "tests/app/support/cli_run.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using plimsoll::test::Finished;
using plimsoll::test::runCli;

namespace {

/// One product that is computed as csr, one node that is not.
constexpr const char* Graph = R"({
  "schema": "plimsoll.graph/1", "name": "sparse",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [16, 100], "storageType": "csr", "maxStored": 160}],
  "parameters": [{"name": "w", "dtype": "float32", "shape": [100, 4]}],
  "nodes": [{"name": "dot", "op": "MatMul", "inputs": ["x", "w"], "outputs": ["a"]},
            {"name": "wave", "op": "Cos", "inputs": ["x"], "outputs": ["r"]},
            {"name": "sum", "op": "ReduceSum", "inputs": ["r"], "outputs": ["b"]}],
  "outputs": ["a", "b"]
})";

/// As MXNet exports it: no bound anywhere.
constexpr const char* Symbol = R"json({"nodes": [
  {"op": "null", "name": "data", "attrs": {"__storage_type__": "2", "__shape__": "(8, 50)"}, "inputs": []},
  {"op": "null", "name": "w", "attrs": {"__shape__": "(50, 2)"}, "inputs": []},
  {"op": "dot", "name": "fc", "inputs": [[0, 0, 0], [1, 0, 0]]}],
  "arg_nodes": [0, 1], "node_row_ptr": [0, 1, 2, 3], "heads": [[2, 0, 0]],
  "attrs": {"mxnet_version": ["int", 10500]}})json";

QJsonObject named(const QJsonObject& report, const char* list, const QString& name)
{
    for (const QJsonValue entry : report[QLatin1String(list)].toArray()) {
        if (entry[QLatin1String("name")].toString() == name) return entry.toObject();
    }
    return {};
}

} // namespace

/// Sparse tensors on the command line: what they take, who computes them, and what is refused.
class tst_CliSparse : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        for (const auto& [name, text] : {std::pair("g.json", Graph), std::pair("m-symbol.json", Symbol)}) {
            QFile file(path(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        }
    }

    void thePlanSaysThePrice()
    {
        const Finished plan = runCli({"plan", path("g.json"), "-p", "inplace=off"});
        QCOMPARE(plan.status, 0);
        QVERIFY2(plan.text().contains("computed as they are kept: 1, through dense temporaries: 1"),
                 qPrintable(plan.text()));
        QVERIFY(plan.text().contains("dense temporaries: 6,400 B, of which 6,400 B are alive at the peak"));
        QVERIFY(plan.text().contains("6,400 (6.25 KiB)  nothing computes Cos for csr(float32[16,100], at most 160)"));
        QVERIFY(plan.text().contains("advice dense-fallback: Node 'wave' takes 6,400 bytes"));
    }

    void theReportHasTheSame()
    {
        const Finished plan = runCli({"plan", path("g.json"), "--json", "-"});
        const QJsonObject report = QJsonDocument::fromJson(plan.text().toUtf8()).object();
        QCOMPARE(report["fallbackBytes"].toInt(), 6400);
        QCOMPARE(report["fallbacks"][0]["node"].toString(), QStringLiteral("wave"));
        QCOMPARE(report["fallbacks"][0]["temporaries"].toArray(), (QJsonArray {"x:dense"}));
        QCOMPARE(named(report, "nodes", "dot")["dispatch"].toString(), QStringLiteral("native"));
        QCOMPARE(named(report, "nodes", "wave")["dispatch"].toString(), QStringLiteral("fallback"));
        QVERIFY(!named(report, "nodes", "sum").contains("dispatch"));
        const QJsonObject x = named(report, "values", "x");
        QCOMPARE(x["storageType"].toString(), QStringLiteral("csr"));
        QCOMPARE(x["maxStored"].toInt(), 160);
        QCOMPARE(x["logicalBytes"].toInt(), 17 * 8 + 160 * 8 + 160 * 4);
        QVERIFY(!named(report, "values", "a").contains("storageType"));
    }

    void explanationsNameWhy()
    {
        const Finished wave = runCli({"explain", path("g.json"), "wave"});
        QVERIFY2(wave.text().contains("Dense fallback: nothing computes Cos for csr(float32[16,100], at most 160)"),
                 qPrintable(wave.text()));
        const Finished dot = runCli({"explain", path("g.json"), "dot"});
        QVERIFY2(dot.text().contains("Kept as: csr + dense → dense\n  Sparse tensors: native\n"),
                 qPrintable(dot.text()));
        const Finished value = runCli({"explain", path("g.json"), "x"});
        QVERIFY(value.text().contains("csr(float32[16,100], at most 160)"));
    }

    void runsAreCheckedAgainstDenseKernels_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QStringList>("more");
        QTest::newRow("native") << QStringLiteral("g.json") << QStringList {};
        QTest::newRow("dense") << QStringLiteral("g.json") << (QStringList {"-p", "sparse=dense"});
        QTest::newRow("a symbol of MXNet") << QStringLiteral("m-symbol.json") << QStringList {};
    }
    void runsAreCheckedAgainstDenseKernels()
    {
        QFETCH(QString, file);
        QFETCH(QStringList, more);
        const Finished ran = runCli(
            QStringList {"run", path(file), "--mode", "numeric", "--reference", "-p", "backend=reference"} + more);
        QVERIFY2(ran.status == 0, qPrintable(ran.text() + ran.said()));
        QVERIFY2(ran.text().contains("compared with the reference kernels"), qPrintable(ran.text()));
        QVERIFY(ran.text().contains("all equal"));
    }

    void aPlanIsJudgedWithItsTemporaries()
    {
        const QString report = path("report.json");
        QCOMPARE(runCli({"plan", path("g.json"), "--json", report}).status, 0);
        const Finished check = runCli({"check", path("g.json"), "--plan", report});
        QVERIFY2(check.status == 0, qPrintable(check.text()));
        // It names what computes each node; a policy for choosing that changes nothing.
        const Finished other = runCli({"check", path("g.json"), "--plan", report, "-p", "sparse=dense"});
        QVERIFY2(other.status == 0, qPrintable(other.text() + other.said()));
    }

    void withoutABoundNothingIsGuessed()
    {
        QFile file(path("open.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"schema": "plimsoll.graph/1", "inputs": [{"name": "x", "dtype": "float32", "shape": [8, 8]}],
            "nodes": [{"name": "cast", "op": "CastStorage", "domain": "plimsoll", "inputs": ["x"], "outputs": ["c"],
                       "attributes": {"storage": "csr"}},
                      {"name": "dot", "op": "MatMul", "inputs": ["c", "x"], "outputs": ["y"]}], "outputs": ["y"]})");
        file.close();
        const Finished open = runCli({"plan", path("open.json")});
        QVERIFY2(open.text().contains("\nWithout a size before the run, counted apart\n"), qPrintable(open.text()));
        QVERIFY(open.text().contains("nothing says how much of 'c' is kept at most; say it with --max-stored c="));
        const Finished symbol = runCli({"plan", path("m-symbol.json")});
        QVERIFY(symbol.text().contains("Nothing says how much of 'data', csr(float32[8,50]), is kept at most"));
        const Finished bounded = runCli({"plan", path("open.json"), "--max-stored", "c=10"});
        QVERIFY(!bounded.text().contains("Without a size before the run"));
    }

    void convertKeepsStorageTypes()
    {
        QCOMPARE(runCli({"convert", path("m-symbol.json"), path("converted.json")}).status, 0);
        QFile file(path("converted.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject graph = QJsonDocument::fromJson(file.readAll()).object();
        QCOMPARE(named(graph, "inputs", "data")["storageType"].toString(), QStringLiteral("csr"));
        const Finished plan = runCli({"plan", path("converted.json"), "--max-stored", "data=40"});
        QVERIFY(plan.text().contains("computed as they are kept: 1"));
    }

    /// Nobody is blamed for conversions of ours that nobody reads.
    void whatIsReadDenseIsNotBroughtBack()
    {
        const QString example = QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/examples/sparse-features.json");
        const Finished judged = runCli({"check", example, "-p", "sparse=dense"});
        QCOMPARE(judged.status, 0);
        QVERIFY2(!judged.text().contains("dead-output"), qPrintable(judged.text()));
    }

    void boundsAreShownAsFarAsTheyMeanSomething()
    {
        const Finished told = runCli({"explain", path("g.json"), "x", "--max-stored", "x=99999"});
        QVERIFY2(told.text().contains("csr(float32[16,100], at most 1600)"), qPrintable(told.text() + told.said()));
    }

    void whatDoesNotFitIsRefused_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("error");
        QTest::newRow("no number") << (QStringList {"plan", "g.json", "--max-stored", "x=many"}) << 2
                                   << QStringLiteral("--max-stored takes NAME=number");
        QTest::newRow("no value") << (QStringList {"plan", "g.json", "--max-stored", "q=1"}) << 2
                                  << QStringLiteral("bound of 'q': The graph has no value of that name.");
        QTest::newRow("what is dense") << (QStringList {"plan", "g.json", "--max-stored", "a=1"}) << 2
                                       << QStringLiteral("It is float32[16,4], which is not sparse.");
        QTest::newRow("more than the bound")
            << (QStringList {"run", "c.json"}) << 3
            << QStringLiteral(
                   "There are 2 rows to keep, and row_sparse(float32[3,1], at most 1) has room for no more than 1");
    }
    void whatDoesNotFitIsRefused()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        QFETCH(QString, error);
        QFile file(path("c.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"schema": "plimsoll.graph/1", "constants": [{"name": "c", "dtype": "float32", "shape": [3, 1],
            "storageType": "row_sparse", "maxStored": 1, "data": [1, 0, 2]}],
            "nodes": [{"name": "copy", "op": "Identity", "inputs": ["c"], "outputs": ["y"]}], "outputs": ["y"]})");
        file.close();
        arguments[1] = path(arguments[1]);
        const Finished done = runCli(arguments);
        QVERIFY2(done.said().contains(error), qPrintable(done.text() + done.said()));
        QCOMPARE(done.status, status);
    }

private:
    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_CliSparse)
#include "tst_cli_sparse.moc"
