#include "tests/app/support/cli_run.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using plimsoll::test::Finished;
using plimsoll::test::runCli;

namespace {

constexpr const char* Seed = R"({
  "schema": "plimsoll.graph/1", "name": "seed",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [4]}],
  "nodes": [{"name": "n0", "op": "Identity", "inputs": ["x"], "outputs": ["xc"]},
            {"name": "n1", "op": "Identity", "inputs": ["xc"], "outputs": ["a"]},
            {"name": "n2", "op": "Identity", "inputs": ["xc"], "outputs": ["b"]}],
  "outputs": ["a", "b"]
})";

constexpr const char* Pair = R"({
  "schema": "plimsoll.graph/1", "name": "pair",
  "inputs": [{"name": "x", "dtype": "float32", "shape": ["batch", 16]}],
  "nodes": [{"name": "n0", "op": "Neg", "inputs": ["x"], "outputs": ["a"]},
            {"name": "n1", "op": "Relu", "inputs": ["x"], "outputs": ["b"]},
            {"name": "n2", "op": "Add", "inputs": ["a", "b"], "outputs": ["c"]},
            {"name": "n3", "op": "Add", "inputs": ["a", "c"], "outputs": ["d"]}],
  "outputs": ["d"]
})";

// What the libraries of a machine allow in place differs; what these tests say does not depend on it.
const QString Backend = QStringLiteral("-p");
const QString Reference = QStringLiteral("backend=reference");

QJsonObject named(const QJsonArray& list, const QString& name)
{
    for (const QJsonValue& item : list) {
        if (item[QLatin1String("name")] == name) return item.toObject();
    }
    return {};
}

} // namespace

class tst_Cli : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void theExitStatusSaysWhatKindOfTroubleItWas_data();
    void theExitStatusSaysWhatKindOfTroubleItWas();
    void theReportHasEveryFieldOfTheContract();
    void theSharedOutputsOfMxnetShowInTheReport();
    void shapesAreBoundAndAssumptionsSaid();
    void aWrittenPlanIsLegalWhenItComesBack();
    void aDamagedPlanIsFoundOutWithBothOffenders();
    void explainFindsValuesNodesAndStorages_data();
    void explainFindsValuesNodesAndStorages();
    void explainSaysWhatBytesHoldAtAStep();
    void explainTellsTheStridesOfAView();
    void reportsAreWrittenByTheirEnding_data();
    void reportsAreWrittenByTheirEnding();
    void aConvertedModelPlansTheSame();
    void aRunThatComparesNothingDoesNotCallItEqual();
    void policiesOfOneCommandAddUp();
    void aWriteProbeSaysWhoChanges_data();
    void aWriteProbeSaysWhoChanges();
    void theExamplesAreLegal_data();
    void theExamplesAreLegal();

private:
    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    void write(const char* name, const QByteArray& text) const;

    QTemporaryDir m_folder;
};

void tst_Cli::write(const char* name, const QByteArray& text) const
{
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

void tst_Cli::initTestCase()
{
    write("seed.json", Seed);
    write("pair.json", Pair);
    write("broken.json", QByteArray(Seed).left(200));
    write("empty.onnx", {});
    write("high.csv", "id,lower,upper,size,offset\na,0,2,100,0\nb,3,4,100,100\n");
    write("symbol.json", R"({"nodes": [{"op": "null", "name": "x", "inputs": []},
        {"op": "Mine", "name": "m", "inputs": [[0, 0, 0]]}], "arg_nodes": [0], "heads": [[1, 0, 0]]})");
}

void tst_Cli::theExitStatusSaysWhatKindOfTroubleItWas_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("said");
    const auto row = [](const char* name, const char* arguments, int status, const char* said) {
        QTest::newRow(name) << QString::fromLatin1(arguments).split(QLatin1Char(' ')) << status << QByteArray(said);
    };
    row("a plan", "plan seed.json", 0, "seed: Legal.");
    row("help", "--help", 0, "Exit status");
    row("help of a command", "plan --help", 0, "Policies:");
    row("version", "--version", 0, "plimsoll-cli ");
    row("our own plan is legal", "check seed.json", 0, "our own plan: Legal.");
    row("a capacity that is too small", "plan pair.json -p capacity=64", 1, "beyond-capacity");
    row("where dimensions can be bound", "check pair.json -p capacity=64", 1,
        "are needed. Take a bigger memory, or bind smaller dimensions; whether other policies would fit is not tried "
        "here, but by plimsoll-cli fit.");
    row("where they cannot", "check high.csv -p capacity=64", 1, "are needed. Take a bigger memory.\n");
    row("where buffers cannot share", "check high.csv -p capacity=100", 1,
        "fix: Try another placement, or raise the capacity.");
    row("where a format has no types", "check symbol.json --shape x=4", 1,
        "say the type of 'm_output' in a plimsoll.graph/1, which convert makes of it");
    row("no command", "", 2, "");
    row("no such command", "plant seed.json", 2, "");
    row("no graph", "plan", 2, "GRAPH");
    row("no such policy", "plan seed.json -p outputz=shared", 2, "There is no policy 'outputz'");
    row("no such value of a policy", "plan seed.json -p outputs=mine", 2, "independent, read-only");
    row("a policy without a value", "plan seed.json -p outputs", 2, "id=value");
    row("no such dimension", "plan pair.json --dim beach=2", 2, "beach");
    row("a dimension without a size", "plan pair.json --dim batch=many", 2, "symbol=size");
    row("a shape that is none", "plan pair.json --shape x=4x", 2, "--shape");
    row("a report of unknown ending", "report seed.json -o out.xyz", 2, ".html");
    row("a conversion to what we do not write", "convert seed.json out.onnx", 2, ".json");
    row("no such file", "plan nothing.json", 3, "nothing.json");
    row("a truncated file", "plan broken.json", 3, "broken.json");
    row("an empty file", "plan empty.onnx", 3, "empty.onnx");
    row("a folder", "plan .", 3, ".");
    row("a plan that is none", "check seed.json --plan broken.json", 3, "broken.json");
    row("no place to write", "plan seed.json --json no/such/folder/out.json", 3, "out.json");
}

void tst_Cli::theExitStatusSaysWhatKindOfTroubleItWas()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, said);
    QVERIFY(QDir::setCurrent(m_folder.path()));

    const Finished finished = runCli(arguments);

    QTEST(finished.status, "status");
    const QByteArray& stream = finished.status < 2 ? finished.out : finished.err;
    QVERIFY2(stream.contains(said), stream.constData());
    if (finished.status >= 2) QVERIFY2(finished.out.isEmpty(), finished.out.constData());
}

void tst_Cli::theReportHasEveryFieldOfTheContract()
{
    const QJsonObject report = runCli({QStringLiteral("plan"), QStringLiteral("-"), QStringLiteral("--json"),
                                       QStringLiteral("-"), Backend, Reference},
                                      Pair)
                                   .json();

    for (const char* key :
         {"schema",        "graph",         "policies",       "peakBytes",  "lowerBoundBytes", "noReuseBytes",
          "boundaryBytes", "externalBytes", "parameterBytes", "planningMs", "environment",     "arenas",
          "storages",      "values",        "unplanned",      "bindings",   "nodes",           "saved",
          "decisions",     "findings",      "incomplete",     "run"}) {
        QVERIFY2(report.contains(QLatin1String(key)), key);
    }
    QCOMPARE(report[QLatin1String("schema")].toString(), QStringLiteral("plimsoll.report/1"));
    const QJsonObject value = named(report[QLatin1String("values")].toArray(), QStringLiteral("c"));
    QCOMPARE(value[QLatin1String("shape")].toArray(), QJsonArray({1, 16}));
    QCOMPARE(value[QLatin1String("dtype")].toString(), QStringLiteral("float32"));
    QCOMPARE(value[QLatin1String("layout")].toString(), QStringLiteral("plain"));
    QCOMPARE(value[QLatin1String("request")].toString(), QStringLiteral("write-in-place"));
    QCOMPARE(value[QLatin1String("logicalBytes")].toInt(), 64);
    QCOMPARE(value[QLatin1String("liveRanges")].toArray(), QJsonArray({QJsonArray({2, 4})}));
    QCOMPARE(named(report[QLatin1String("values")].toArray(), QStringLiteral("d"))[QLatin1String("role")].toString(),
             QStringLiteral("output"));
    QCOMPARE(named(report[QLatin1String("nodes")].toArray(), QStringLiteral("n2"))[QLatin1String("step")].toInt(), 2);
}

void tst_Cli::theSharedOutputsOfMxnetShowInTheReport()
{
    const QStringList plan = {QStringLiteral("plan"), path("seed.json"), QStringLiteral("--json"), QStringLiteral("-")};
    const auto storageOf = [](const QJsonObject& report, const char* value) {
        return named(report[QLatin1String("values")].toArray(), QLatin1String(value))[QLatin1String("storage")].toInt(
            -1);
    };

    const QJsonObject apart = runCli(plan).json();
    QVERIFY(storageOf(apart, "a") != storageOf(apart, "b"));

    const QJsonObject shared =
        runCli(plan + QStringList {QStringLiteral("-p"), QStringLiteral("outputs=shared")}).json();
    QCOMPARE(storageOf(shared, "a"), storageOf(shared, "b"));
    QVERIFY(storageOf(shared, "x") != storageOf(shared, "a"));
}

void tst_Cli::shapesAreBoundAndAssumptionsSaid()
{
    QVERIFY(runCli({QStringLiteral("plan"), path("pair.json")}).out.contains("Assumed"));
    for (const QStringList& binding : {QStringList {QStringLiteral("--dim"), QStringLiteral("batch=8")},
                                       QStringList {QStringLiteral("--shape"), QStringLiteral("x=8x16")}}) {
        const Finished text = runCli(QStringList {QStringLiteral("plan"), path("pair.json")} + binding);
        QVERIFY(!text.out.contains("Assumed"));
        const QJsonObject report =
            runCli(QStringList {QStringLiteral("plan"), path("pair.json"), QStringLiteral("--json"),
                                QStringLiteral("-"), Backend, Reference} +
                   binding)
                .json();
        QCOMPARE(report[QLatin1String("peakBytes")].toInt(), 1024);
        const QJsonObject batch = report[QLatin1String("bindings")][QLatin1String("batch")].toObject();
        QCOMPARE(batch[QLatin1String("value")].toInt(), 8);
        QCOMPARE(batch[QLatin1String("assumed")].toBool(true), false);
    }
}

void tst_Cli::aWrittenPlanIsLegalWhenItComesBack()
{
    QCOMPARE(runCli({QStringLiteral("plan"), path("pair.json"), QStringLiteral("--write-plan"), path("plan.json"),
                     QStringLiteral("--json"), path("report.json"), Backend, Reference})
                 .status,
             0);
    for (const char* plan : {"plan.json", "report.json"}) {
        const Finished checked = runCli(
            {QStringLiteral("check"), path("pair.json"), QStringLiteral("--plan"), path(plan), Backend, Reference});
        QVERIFY2(checked.status == 0, checked.out + checked.err);
        QVERIFY2(
            checked.out.contains("The given plan needs 128 B; our own plan of the same graph, order and terms needs "
                                 "128 B; no plan of this order and terms is below 128 B, whatever shares."),
            checked.out);
    }
    const QJsonObject json =
        runCli({QStringLiteral("check"), path("pair.json"), QStringLiteral("--plan"), path("plan.json"), Backend,
                Reference, QStringLiteral("--json"), QStringLiteral("-")})
            .json();
    for (const char* key : {"peakBytes", "ownPeakBytes", "anySharingBoundBytes"})
        QCOMPARE(json[QLatin1String("given")][QLatin1String(key)].toInt(), 128);
}

void tst_Cli::aDamagedPlanIsFoundOutWithBothOffenders()
{
    QJsonObject plan =
        runCli({QStringLiteral("plan"), path("pair.json"), QStringLiteral("--write-plan"), QStringLiteral("-")}).json();
    QJsonArray allocations = plan[QLatin1String("allocations")].toArray();
    for (QJsonValueRef item : allocations) {
        QJsonObject allocation = item.toObject();
        allocation[QLatin1String("offset")] = 0;
        item = allocation;
    }
    plan[QLatin1String("allocations")] = allocations;

    const Finished checked =
        runCli({QStringLiteral("check"), path("pair.json"), QStringLiteral("--plan"), QStringLiteral("-")},
               QJsonDocument(plan).toJson());

    QCOMPARE(checked.status, 1);
    QVERIFY2(checked.out.contains("'a'") && checked.out.contains("'b'"), checked.out.constData());
}

void tst_Cli::explainFindsValuesNodesAndStorages_data()
{
    QTest::addColumn<QString>("subject");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("value") << "c" << 0 << QByteArray("Shares as: in-place");
    QTest::newRow("node") << "n2" << 0 << QByteArray("node n2\n\nWhat it is\n  Operator: Add\n");
    QTest::newRow("storage") << "0" << 0 << QByteArray("storage s0\n\nWhat it is\n  Bytes: ");
    QTest::newRow("bytes") << "0x0..0x10" << 0 << QByteArray("bytes [0x0, 0x10)\n\nThese bytes\n  Arena: cpu\n");
    QTest::newRow("bytes beyond the arena") << "0x100000000" << 2 << QByteArray();
    QTest::newRow("nothing") << "nothing" << 2 << QByteArray();
}

void tst_Cli::explainFindsValuesNodesAndStorages()
{
    QFETCH(QString, subject);
    QFETCH(QByteArray, said);

    const Finished finished = runCli({QStringLiteral("explain"), path("pair.json"), subject, Backend, Reference});

    QTEST(finished.status, "status");
    QVERIFY2(finished.out.contains(said), finished.out.constData());
}

void tst_Cli::explainSaysWhatBytesHoldAtAStep()
{
    const Finished finished = runCli({QStringLiteral("explain"), path("pair.json"), QStringLiteral("0x0"),
                                      QStringLiteral("--step"), QStringLiteral("1"), Backend, Reference});
    QCOMPARE(finished.status, 0);
    QVERIFY2(finished.out.contains("\nBytes 0x0 at step 1\n  Hold: "), finished.out.constData());
    QVERIFY2(finished.out.contains("\n  Last written by: "), finished.out.constData());
}

void tst_Cli::explainTellsTheStridesOfAView()
{
    write("column.txt", R"(
class GraphModule(torch.nn.Module):
    def forward(self, w: "f32[5, 5]"):
        r: "f32[5]" = torch.ops.aten.select.int(w, 1, 1)
        return (r,)
)");

    const Finished finished = runCli({QStringLiteral("explain"), path("column.txt"), QStringLiteral("r")});

    QVERIFY2(finished.out.contains("\n  Required: 84 B\n  Strided view: strides [5], within 84 B\n"),
             finished.out.constData());
}

void tst_Cli::reportsAreWrittenByTheirEnding_data()
{
    QTest::addColumn<QByteArray>("begins");
    QTest::newRow("out.json") << QByteArray("{");
    QTest::newRow("out.html") << QByteArray("<!");
    QTest::newRow("out.csv") << QByteArray();
    QTest::newRow("out.md") << QByteArray("#");
    QTest::newRow("out.svg") << QByteArray("<");
    QTest::newRow("out.dot") << QByteArray("digraph");
}

void tst_Cli::reportsAreWrittenByTheirEnding()
{
    QFETCH(QByteArray, begins);
    const Finished finished =
        runCli({QStringLiteral("report"), path("pair.json"), QStringLiteral("-o"), path(QTest::currentDataTag())});

    QVERIFY2(finished.status == 0, finished.err.constData());
    QFile file(path(QTest::currentDataTag()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray written = file.readAll();
    QVERIFY(!written.isEmpty());
    QVERIFY2(written.startsWith(begins), written.left(100).constData());
}

void tst_Cli::aConvertedModelPlansTheSame()
{
    const QString model = QStringLiteral(PLIMSOLL_SHARED_DIR "/corpora/onnx/mnist-8.onnx");
    if (!QFile::exists(model)) QSKIP("the folder shared/corpora/onnx is not here");
    QCOMPARE(runCli({QStringLiteral("convert"), model, path("mnist.json")}).status, 0);
    const QStringList json = {QStringLiteral("--json"), QStringLiteral("-")};

    const QJsonObject before = runCli(QStringList {QStringLiteral("plan"), model} + json).json();
    const QJsonObject after = runCli(QStringList {QStringLiteral("plan"), path("mnist.json")} + json).json();

    for (const char* key : {"peakBytes", "lowerBoundBytes", "noReuseBytes", "externalBytes"}) {
        QVERIFY(before[QLatin1String(key)].toInt() > 0);
        QCOMPARE(after[QLatin1String(key)], before[QLatin1String(key)]);
    }
}

void tst_Cli::aRunThatComparesNothingDoesNotCallItEqual()
{
    write("nothing.json", R"({"schema": "plimsoll.graph/1", "inputs": [{"name": "x", "dtype": "float32", "shape": [4]}],
        "nodes": [], "outputs": ["x"]})");
    const Finished finished = runCli({QStringLiteral("run"), path("nothing.json")});
    QCOMPARE(finished.status, 0);
    QVERIFY2(finished.out.contains("\nNo value was compared with the oracle.\n"), finished.out.constData());
    QVERIFY2(!finished.out.contains("equal"), finished.out.constData());
}

void tst_Cli::policiesOfOneCommandAddUp()
{
    const QJsonObject report =
        runCli({QStringLiteral("plan"), path("seed.json"), QStringLiteral("-p"), QStringLiteral("inplace=off"),
                QStringLiteral("-p"), QStringLiteral("alignment=1"), QStringLiteral("--json"), QStringLiteral("-")})
            .json();

    QCOMPARE(report[QLatin1String("policies")][QLatin1String("inplace")].toString(), QStringLiteral("off"));
    QCOMPARE(report[QLatin1String("policies")][QLatin1String("alignment")].toString(), QStringLiteral("1"));
    QCOMPARE(report[QLatin1String("noReuseBytes")].toInt(), 48);
}

void tst_Cli::aWriteProbeSaysWhoChanges_data()
{
    QTest::addColumn<QString>("example");
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("second");
    QTest::newRow("our own graph") << QStringLiteral("two-outputs.json") << QStringLiteral("a") << QStringLiteral("b");
    QTest::newRow("as MXNet wrote it") << QStringLiteral("mxnet-identities.json") << QStringLiteral("y0_output")
                                       << QStringLiteral("y1_output");
}

void tst_Cli::aWriteProbeSaysWhoChanges()
{
    QFETCH(QString, example);
    QFETCH(QString, first);
    QFETCH(QString, second);
    const auto probe = [&example](const char* outputs, const QStringList& more = {}) {
        const QStringList arguments = {QStringLiteral("run"),
                                       QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/examples/") + example,
                                       QStringLiteral("--write-probe"),
                                       Backend,
                                       Reference,
                                       QStringLiteral("-p"),
                                       QStringLiteral("alignment=1"),
                                       QStringLiteral("-p"),
                                       QStringLiteral("outputs=") + QLatin1String(outputs)};
        return runCli(arguments + more);
    };
    const auto says = [&](const char* outputs, const char* sentence) {
        const Finished finished = probe(outputs);
        return finished.status == 0 && finished.out.contains(QString::fromUtf8(sentence)
                                                                 .replace(QLatin1String("%1"), first)
                                                                 .replace(QLatin1String("%2"), second)
                                                                 .toUtf8() +
                                                             '\n');
    };
    QVERIFY(says("shared", "  writing '%1' changed '%2' (16 B)"));
    QVERIFY(says("shared", "  in the end '%1' reads 1 1 1 1"));
    QVERIFY(says("independent", "  writing '%1' changed nothing else"));
    QVERIFY(says("read-only", "  writing '%1' is refused: it shares its bytes with '%2'"));
    QVERIFY(says("copy-on-write", "  writing '%1' detached it: 16 B more"));
    QVERIFY(says("copy-on-write", "  the outputs held 16 B, and hold 32 B after the writes"));
    QVERIFY(says("external", "  a second run refreshed every output"));

    const QJsonObject made =
        probe("shared", {QStringLiteral("--json"), QStringLiteral("-")}).json()[QLatin1String("run")].toObject();
    const QJsonValue write = made[QLatin1String("writeProbe")][1];
    QCOMPARE(write[QLatin1String("written")][QLatin1String("value")].toString(), second);
    QCOMPARE(write[QLatin1String("refused")].toBool(true), false);
    QCOMPARE(write[QLatin1String("changed")][0][QLatin1String("value")].toString(), first);
    QCOMPARE(write[QLatin1String("changed")][0][QLatin1String("bytes")].toInt(), 16);
    QCOMPARE(write[QLatin1String("after")][0][QLatin1String("data")].toArray(), (QJsonArray {1, 1, 1, 1}));
    QCOMPARE(made[QLatin1String("secondRun")][QLatin1String("refreshed")].toInt(), 2);
}

void tst_Cli::theExamplesAreLegal_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("status");
    const QDir folder(QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/examples"));
    for (const QString& name : folder.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
        if (name == QLatin1String("index.json")) continue; // their list
        QTest::newRow(qPrintable(name)) << folder.filePath(name)
                                        << (name == QLatin1String("broken-cycle.json") ? 3 : 0);
    }
}

void tst_Cli::theExamplesAreLegal()
{
    QFETCH(QString, file);

    const Finished finished = runCli({QStringLiteral("check"), file});

    QTEST(finished.status, "status");
    if (finished.status == 3) QVERIFY2(finished.err.contains("cycle"), finished.err.constData());
}

QTEST_GUILESS_MAIN(tst_Cli)
#include "tst_cli.moc"
