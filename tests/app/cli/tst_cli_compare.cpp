#include "tests/app/support/cli_run.h"
#include "tests/app/support/ladder_file.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using plimsoll::test::Finished;
using plimsoll::test::Ladder;
using plimsoll::test::ladderPlan;
using plimsoll::test::runCli;

namespace {

constexpr const char* Loop = R"({
  "schema": "plimsoll.graph/1", "name": "loop",
  "inputs": [{"name": "trips", "dtype": "int64", "shape": []}, {"name": "x", "dtype": "float32", "shape": [64]}],
  "nodes": [{"name": "n", "op": "Relu", "inputs": ["x"], "outputs": ["a"]},
            {"name": "l", "op": "Loop", "inputs": ["trips", "", "a"], "outputs": ["y"], "subgraphs": {"body": {
              "inputs": [{"name": "i", "dtype": "int64", "shape": []}, {"name": "go", "dtype": "bool", "shape": []},
                         {"name": "s", "dtype": "float32", "shape": [64]}],
              "nodes": [{"name": "m", "op": "Sin", "inputs": ["s"], "outputs": ["t"]},
                        {"name": "k", "op": "Identity", "inputs": ["go"], "outputs": ["on"]}],
              "outputs": ["on", "t"]}}},
            {"name": "e", "op": "Add", "inputs": ["y", "a"], "outputs": ["z"]}],
  "outputs": ["z"]
})";

/// b begins 512 above the end of a.
constexpr const char* Plan = R"({"schema": "plimsoll.plan/1", "graph": null,
  "arenas": [{"space": "cpu", "bytes": 1024, "alignment": 64}],
  "allocations": [{"value": "a", "offset": 0, "bytes": 256}, {"value": "b", "offset": 768, "bytes": 256},
                  {"value": "c", "offset": 0, "bytes": 256}], "steps": null})";

/// c is written over b while b is read: a finding.
constexpr const char* Wrong = R"({"schema": "plimsoll.plan/1", "graph": null,
  "arenas": [{"space": "cpu", "bytes": 512, "alignment": 64}],
  "allocations": [{"value": "a", "offset": 0, "bytes": 256}, {"value": "b", "offset": 256, "bytes": 256},
                  {"value": "c", "offset": 128, "bytes": 256}], "steps": null})";

/// One storage of 64 bytes, in \p arena, with \p storage; \p more goes before.
QByteArray saved(const QByteArray& storage, const QByteArray& more = {})
{
    return R"({"schema": "plimsoll.report/1", )" + more + R"("peakBytes": 64, "lowerBoundBytes": 64, "liveBytes": [64],
  "arenas": [{"space": "cpu", "bytes": 64, "alignment": 64}],
  "nodes": [{"name": "n", "op": "Relu", "step": 0}],
  "values": [{"name": "y", "storage": 0, "liveRanges": [[0, 1]]}],
  "storages": [)" +
           storage + "]}";
}
constexpr const char* Storage = R"({"arena": 0, "offset": 0, "bytes": 64, "liveRanges": [[0, 1]], "values": ["y"]})";

/// "size a 256 → 512 | …" of the rows, largest first.
QString rowsOf(const QJsonObject& json)
{
    QStringList rows;
    for (const QJsonValue& value : json[QLatin1String("rows")].toArray()) {
        const QJsonObject row = value.toObject();
        const QStringList words = {row[QLatin1String("kind")].toString(), row[QLatin1String("value")].toString(),
                                   row[QLatin1String("other")].toString()};
        QString text = words.join(QLatin1Char(' ')).simplified();
        rows += text + QStringLiteral(" %1 → %2")
                           .arg(row[QLatin1String("before")].toInteger())
                           .arg(row[QLatin1String("after")].toInteger());
    }
    return rows.join(QStringLiteral(" | "));
}

} // namespace

/// What two peaks differ by: in words, as JSON and as Markdown, with gates.
class tst_CliCompare : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const QByteArray ladder(Ladder);
        write("ladder.json", ladder);
        write("large.json", QByteArray(ladder).replace("[64]", "[128]").replace("\"b\"", "\"B\""));
        write("wide.json",
              QByteArray(ladder).replace("[64]", "[128]").replace("\"b\"", "\"B2\"").replace("Sigmoid", "Tanh"));
        write("shifted.json",
              QByteArray(ladder)
                  .replace(R"("inputs": ["x"], "outputs": ["a"])", R"("inputs": ["i"], "outputs": ["a"])")
                  .replace(R"("nodes": [)",
                           R"("nodes": [{"name": "m", "op": "Identity", "inputs": ["x"], "outputs": ["i"]},)"));
        write("plan.json", Plan);
        write("wrong.json", Wrong);
        const Finished finished =
            runCli({QStringLiteral("report"), path("ladder.json"), QStringLiteral("-p"),
                    QStringLiteral("backend=captured"), QStringLiteral("-o"), path("saved.json")});
        QCOMPARE(finished.status, 0);
    }

    void theRowsAddUp_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("rows");
        QTest::addColumn<int>("sum");
        const auto row = [](const char* name, const char* command, const char* rows, int sum) {
            QTest::newRow(name) << QString::fromUtf8(command) << QString::fromUtf8(rows) << sum;
        };
        row("a graph with itself", "*ladder.json", "", 0);
        row("two policies", "*ladder.json --b inplace=off", "parted c a 0 → 256", 256);
        row("of the first alone", "*ladder.json --a inplace=off", "joined c a 256 → 0", -256);
        row("of both", "*ladder.json -p inplace=off", "", 0);
        row("two graphs", "*ladder.json *large.json", "size a 256 → 512 | size B 256 → 512", 512);
        row("a value that is said to be another one's", "*ladder.json *wide.json --match b=B2 --match c=c",
            "size a 256 → 512 | size B2 256 → 512", 512);
        row("a storage that is", "*ladder.json *wide.json --match s2=s2", "size a 256 → 512 | size B2 256 → 512", 512);
        row("and without that", "*ladder.json *wide.json", "came B2 0 → 512 | size a 256 → 512 | went b 256 → 0", 512);
        row("steps that moved alone", "*ladder.json *shifted.json", "", 0);
        row("a graph and its plan", "*ladder.json *plan.json", "holes 0 → 512", 512);
        row("a plan and its graph", "*plan.json *ladder.json", "holes 512 → 0", -512);
        row("two plans", "*plan.json *wrong.json --graph *ladder.json",
            "holes 512 → 0 | size a 256 → 512 | joined b a 256 → 0", -512);
        row("a saved report", "*saved.json *ladder.json", "", 0);
        row("and a graph before it", "*large.json *saved.json", "went B 512 → 0 | size a 512 → 256 | came b 0 → 256",
            -512);
        row("and the plan of the other file", "*saved.json *plan.json --graph *ladder.json", "holes 0 → 512", 512);
    }

    void theRowsAddUp()
    {
        QFETCH(QString, command);
        const QJsonObject json = compare(command + QStringLiteral(" --json -")).json();
        QCOMPARE(json[QLatin1String("schema")].toString(), QStringLiteral("plimsoll.compare/1"));
        QTEST(rowsOf(json), "rows");
        QTEST(json[QLatin1String("sum")].toInt(), "sum");
        QCOMPARE(peakOf(json, "b") - peakOf(json, "a"), json[QLatin1String("sum")].toInt());
    }

    void theTextSaysBothSidesTheMatchesAndTheSum()
    {
        const Finished finished = compare(QStringLiteral("*ladder.json *large.json"));

        QCOMPARE(finished.status, 0);
        const QString text = finished.text().remove(m_folder.path() + QLatin1Char('/'));
        QVERIFY2(text.startsWith(
                     QStringLiteral("A, before: ladder (ladder.json)\nB, now: ladder (large.json)\n"
                                    "3 values of both matched by name, 1 by structure; 0 in A only, 0 in B only.\n")),
                 qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("+256 B  cpu    256 B before, 512 B now\n  Together +512 B.\n")),
                 qPrintable(text));
    }

    void stepsThatMovedAloneAreNotListed()
    {
        const QString text = compare(QStringLiteral("*ladder.json *shifted.json")).text();

        QVERIFY2(text.endsWith(QStringLiteral("Changes\n  Value  Bytes  Before  Now     At the peak  Place\n"
                                              "  i        256  none    [0, 2)         same  none → cpu\n"
                                              "  Together no difference.\n")),
                 qPrintable(text));
    }

    void aSavedReportOfNestedGraphsIsThePlan()
    {
        write("loop.json", Loop);
        const QStringList report = {QStringLiteral("report"),           path("loop.json"),    QStringLiteral("-p"),
                                    QStringLiteral("backend=captured"), QStringLiteral("-o"), path("loop.saved.json")};
        QCOMPARE(runCli(report).status, 0);
        const QJsonObject json = compare(QStringLiteral("*loop.saved.json *loop.json --json -")).json();
        QCOMPARE(json[QLatin1String("rows")].toArray(), QJsonArray());
        QCOMPARE(json[QLatin1String("values")].toArray(), QJsonArray());
    }

    void whatIsComputedAheadIsNoChangeForASavedReport()
    {
        write("shape.json", R"({"schema": "plimsoll.graph/1", "name": "shape", "outputs": ["y"],
            "inputs": [{"name": "x", "dtype": "float32", "shape": [64]}],
            "nodes": [{"name": "n0", "op": "Shape", "inputs": ["x"], "outputs": ["s"]},
                      {"name": "n1", "op": "Reshape", "inputs": ["x", "s"], "outputs": ["r"]},
                      {"name": "n2", "op": "Relu", "inputs": ["r"], "outputs": ["y"]}]})");
        QCOMPARE(runCli({QStringLiteral("report"), path("shape.json"), QStringLiteral("-o"), path("shape.saved.json")})
                     .status,
                 0);
        const QJsonObject json = compare(QStringLiteral("*shape.saved.json *shape.json --json -")).json();
        QCOMPARE(json[QLatin1String("values")].toArray(), QJsonArray());
    }

    void aPlanThatIsNotLegalIsToldFirst()
    {
        write("broken.json", ladderPlan(128, 384));
        const Finished text = compare(QStringLiteral("*ladder.json *broken.json"));
        QVERIFY2(text.out.startsWith("B is not legal: "), text.out.constData());
        const QJsonObject json = compare(QStringLiteral("*ladder.json *broken.json --json -")).json();
        QCOMPARE(json[QLatin1String("a")].toObject()[QLatin1String("errors")].toInt(-1), 0);
        QVERIFY(json[QLatin1String("b")].toObject()[QLatin1String("errors")].toInt() > 0);
    }

    void aSavedReportOfNoNodesIsThePlan()
    {
        write("none.json", R"({"schema": "plimsoll.graph/1", "outputs": ["x"], "nodes": [],
            "inputs": [{"name": "x", "dtype": "float32", "shape": [64]}]})");
        const QStringList report = {QStringLiteral("report"), path("none.json"), QStringLiteral("-o"),
                                    path("none.saved.json")};
        QCOMPARE(runCli(report).status, 0);
        const Finished finished = compare(QStringLiteral("*none.saved.json *none.json"));
        QCOMPARE(finished.status, 0);
        QVERIFY2(finished.text().endsWith(QStringLiteral("\n\nNo value is alive longer or shorter than before, shares "
                                                         "other bytes, or lies in another memory.\n")),
                 finished.out.constData());
    }

    void ofASavedReportNothingIsSaidOfStreams()
    {
        const QString command = QStringLiteral("*saved.json *ladder.json -p streams=2");
        QVERIFY(compare(command).status == 0);
        QVERIFY(!compare(command).text().contains(QStringLiteral("\n  streams ")));
        const QJsonObject json = compare(command + QStringLiteral(" --json -")).json();
        QVERIFY(json[QLatin1String("a")].toObject()[QLatin1String("streams")].isNull());
        QVERIFY(json[QLatin1String("b")].toObject()[QLatin1String("streams")].isObject());
    }

    void markdownHasTheSameRows()
    {
        const Finished finished =
            compare(QStringLiteral("*ladder.json --b inplace=off --fail-if peak>512 --markdown -"));

        QCOMPARE(finished.status, 1);
        const QString text = finished.text();
        QVERIFY2(text.contains(QStringLiteral("\npeak\\>512 fails: 512 B before, 768 B now.  \n")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("\n| c | 256 | \\[2, 3) | \\[2, 3) | +256 B | cpu | a → none | "
                                              "The policy inplace does not allow it. |\n\nTogether +256 B.\n")),
                 qPrintable(text));
    }

    void gatesDecideTheExitStatus_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<int>("status");
        const auto row = [](const char* gates, const char* files, int status) {
            QTest::newRow(gates) << QString::fromUtf8(files) + QLatin1Char(' ') + QString::fromUtf8(gates) << status;
        };
        const char* grown = "*ladder.json --b inplace=off"; // 512 → 768
        row("--fail-if peak>767", grown, 1);
        row("--fail-if peak>768", grown, 0);
        row("--fail-if peak>0.75KiB", grown, 0);
        row("--fail-if peak>+255", grown, 1);
        row("--fail-if peak>+256", grown, 0);
        row("--fail-if peak>+49%", grown, 1);
        row("--fail-if peak>+50%", grown, 0);
        row("--fail-if lowerBound>+0", grown, 1);
        row("--fail-if boundary>0", grown, 0);
        row("--fail-if external>255", grown, 1);
        row("--fail-if bytes>1023", grown, 1);
        row("--fail-if bytes>1024", grown, 0);
        row("--fail-if peak>768 --fail-if peak>767", grown, 1);
        row("--fail-if peak>+0", "*ladder.json --a inplace=off", 0);
        row("--fail-if findings>0", "*ladder.json *wrong.json", 1);
        row("--fail-if findings.new>0", "*ladder.json *wrong.json", 1);
        row("--fail-if findings.new>+0%", "*wrong.json *wrong.json --graph *ladder.json", 0);
        row("--fail-if findings.new>0 --json -", "*wrong.json *ladder.json", 0);
        row("", "*ladder.json *wrong.json", 0);
    }

    void gatesDecideTheExitStatus()
    {
        QFETCH(QString, command);
        const Finished finished = compare(command);
        QTEST(finished.status, "status");
        QCOMPARE(finished.err, QByteArray());
        QCOMPARE(finished.text().contains(QStringLiteral(" fails: ")), finished.status == 1);
    }

    void theJsonHasTheGates()
    {
        const Finished finished =
            compare(QStringLiteral("*ladder.json --b inplace=off --fail-if peak>+1% --fail-if peak>+50% --json -"));

        QCOMPARE(finished.status, 1);
        const QJsonArray gates = finished.json()[QLatin1String("gates")].toArray();
        QCOMPARE(gates.size(), 2);
        QVERIFY(gates[0].toObject()[QLatin1String("failed")].toBool());
        QVERIFY(!gates[1].toObject()[QLatin1String("failed")].toBool());
    }

    void wrongUsageIsSaid_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const char* command, const char* said) {
            QTest::newRow(name) << QString::fromUtf8(command) << QString::fromUtf8(said);
        };
        row("no number", "*ladder.json --fail-if peak", "--fail-if takes QUANTITY>N, QUANTITY>+N or QUANTITY>+N%");
        row("no such quantity", "*ladder.json --fail-if height>1", "not 'height>1'.");
        row("percent of nothing", "*ladder.json --fail-if peak>1%", "not 'peak>1%'.");
        row("less than nothing", "*ladder.json --fail-if peak>-1", "not 'peak>-1'.");
        row("not a number", "*ladder.json --fail-if peak>+nan%", "not 'peak>+nan%'.");
        row("a plan alone", "*plan.json", "plan.json' is a plan, which says nothing of its graph;");
        row("two plans without a graph", "*plan.json *wrong.json", "plan.json' is a plan,");
        row("a plan and a saved report", "*plan.json *saved.json", "plan.json' is a plan,");
        row("policies of a saved report", "*ladder.json *saved.json --b inplace=off",
            "saved.json' is a saved report, which no policy changes.");
        row("a policy that is two", "*ladder.json --b inplace=off --b inplace=on", "--b is given ");
        row("a match of nothing", "*ladder.json *large.json --match b=nowhere",
            "--match b=nowhere: There is no value, scratchpad or storage 'nowhere' in B.");
        row("a match that is taken", "*ladder.json *large.json --match a=B --match a=c",
            "--match a=c: 'a' of A is matched twice.");
        row("a match without a pair", "*ladder.json *large.json --match a", "--match takes A_NAME=B_NAME, not 'a'.");
        row("an output that is an input", "*saved.json *ladder.json --json *saved.json", "saved.json");
    }

    void wrongUsageIsSaid()
    {
        QFETCH(QString, command);
        QFETCH(QString, said);
        const Finished finished = compare(command);
        QCOMPARE(finished.status, 2);
        QCOMPARE(finished.out, QByteArray());
        QVERIFY2(finished.said().contains(said), finished.err.constData());
    }

    void uglyReportsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const QByteArray& text, const char* said) {
            QTest::newRow(name) << text << QString::fromUtf8(said);
        };
        const QByteArray whole = saved(Storage);
        row("cut off", whole.left(whole.size() / 2), "ugly.json: ");
        row("another height", saved(R"({"arena": 0, "offset": 64, "bytes": 64, "liveRanges": [[0, 1]]})"),
            "peakBytes: The arenas are 128 bytes high together.");
        row("no arena", saved(R"({"arena": 7, "offset": 0, "bytes": 64})"), "storages[0].arena: There is no 7.");
        row("no value", saved(R"({"arena": 0, "offset": 0, "bytes": 64, "values": ["z"]})"),
            "storages[0].values[0]: There is no 'z' in this report.");
        row("steps behind the end", saved(R"({"arena": 0, "offset": 0, "bytes": 64, "liveRanges": [[0, 9]]})"),
            "storages[0].liveRanges[0]: That is no range of steps of this report.");
        row("an end that no arena has",
            saved(R"({"arena": 0, "offset": 9223372036854775807, "bytes": 64, "liveRanges": [[0, 1]]})"),
            "storages[0].bytes: That ends where no arena can.");
        row("arenas without end",
            QByteArray(whole)
                .replace(R"("arenas": [)", R"("arenas": [{"space": "a", "bytes": 9223372036854775807},)")
                .replace(R"("arena": 0)", R"("arena": 1)"),
            "peakBytes: That ends where no arena can.");
        row("a negative total", saved(Storage, R"("externalBytes": -1, )"), "externalBytes: A size is not negative.");
        row("a node that ends before it begins",
            QByteArray(whole).replace(R"("step": 0)", R"("step": 0, "endStep": 0)"),
            "nodes[0].step: That is no range of steps of this report.");
        row("a policy that there is not", saved(Storage, R"("policies": {"mood": "good"}, )"), "mood");
    }

    void uglyReportsAreRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, said);
        write("whole.json", saved(Storage));
        QCOMPARE(compare(QStringLiteral("*whole.json *whole.json")).status, 0);
        write("ugly.json", text);
        const Finished finished = compare(QStringLiteral("*ladder.json *ugly.json"));
        QVERIFY2(finished.status == 3 || finished.status == 2, finished.out.constData());
        QCOMPARE(finished.out, QByteArray());
        QVERIFY2(finished.said().contains(said), finished.err.constData());
    }

    /// Of two nodes with one step the step is the one's into which the other is fused.
    void aStepIsOfTheNodeThatComputesTheOthers()
    {
        const QByteArray plain = saved(Storage)
                                     .replace("[64]", "[0, 64, 0]")
                                     .replace("[[0, 1]]", "[[1, 2]]")
                                     .replace(R"("step": 0})", R"("step": 0}, {"name": "k", "step": 1})");
        write("plain.json", plain);
        write("fused.json",
              QByteArray(plain).replace(R"("step": 1})", R"("step": 1}, {"name": "f", "step": 1, "fusedInto": "k"})"));
        const QJsonObject json = compare(QStringLiteral("*plain.json *fused.json --json -")).json();
        QCOMPARE(json[QLatin1String("values")].toArray(), QJsonArray());
        QCOMPARE(json[QLatin1String("matched")].toObject()[QLatin1String("byName")].toInt(), 1);
    }

    void ofAnIncompleteReportItIsSaidFirst()
    {
        const QByteArray gap = R"("incomplete": {"values": 1, "missing": [{"kind": "shape", "value": "y",
  "values": 1, "reason": "the file gives no shape for 'y'"}]}, )";
        write("part.json", saved(Storage, gap));
        const Finished finished = compare(QStringLiteral("*part.json *part.json"));
        QCOMPARE(finished.status, 0);
        QVERIFY2(finished.text().startsWith(QStringLiteral("A is incomplete: 1 of 1 values has no size (the file gives "
                                                           "no shape for 'y')")),
                 finished.out.constData());
    }

private:
    /// '*' stands for the folder.
    Finished compare(const QString& command)
    {
        QStringList words = command.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        words.replaceInStrings(QStringLiteral("*"), m_folder.path() + QLatin1Char('/'));
        return runCli(
            QStringList {QStringLiteral("compare"), QStringLiteral("-p"), QStringLiteral("backend=captured")} + words);
    }
    static int peakOf(const QJsonObject& json, const char* side)
    {
        return json[QLatin1String(side)].toObject()[QLatin1String("peakBytes")].toInt();
    }
    QString path(const char* name) { return m_folder.filePath(QString::fromLatin1(name)); }
    void write(const char* name, const QByteArray& text)
    {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }

    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(tst_CliCompare)
#include "tst_cli_compare.moc"
