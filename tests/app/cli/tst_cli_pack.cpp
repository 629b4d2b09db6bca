#include "tests/app/support/cli_run.h"

#include "tests/support/random_table.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <filesystem>
#include <fstream>

using plimsoll::test::Finished;
using plimsoll::test::runCli;

namespace {

// Twelve is the optimum; by size alone it takes more.
constexpr const char* Five = "id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\nb3,0,9,4\nb4,9,21,4\nb5,0,21,4\n";

Finished run(const char* command, const QStringList& arguments, const QByteArray& input)
{
    return runCli(QStringList {QString::fromLatin1(command)} + arguments, input);
}

Finished pack(const QStringList& arguments, const QByteArray& input)
{
    return run("pack", arguments, input);
}

const QStringList Json = {QStringLiteral("-"), QStringLiteral("--json"), QStringLiteral("-")};

} // namespace

class tst_CliPack : public QObject
{
    Q_OBJECT

private slots:
    void itMinimisesAndSaysSo();
    void whatNeverLivesTakesNothing();
    void theAnswerRepeatsTheInputAndIsLegal();
    void offsetsThatAreGivenAreJudged();
    void aCapacityThatCannotBeMetIsRefusedWithItsReason();
    void aBrokenTableEndsWithItsLine_data();
    void aBrokenTableEndsWithItsLine();
    void whatCannotBeWrittenIsNamed();
    void algorithmsAreListedWhereOneIsUnknown();
    void moreRowsAreTakenWhenAllowed();
    void anInterruptKeepsTheBestSoFar();
    void planSearchesAsLongAsItIsTold();
    void otherCommandsTakeTheAlignmentsOfTheRows();
    void checkJudgesTheOffsetsThatATableBrings();
    void severalGraphsTakeOnePool();
    void namesInAPoolStayOnTheirLine();
    void namesMayBeAnyBytes();
    void fileNamesMayBeAnyBytes_data();
    void fileNamesMayBeAnyBytes();
};

void tst_CliPack::itMinimisesAndSaysSo()
{
    const Finished done = pack(Json, Five);

    QCOMPARE(done.status, 0);
    const QJsonObject json = done.json();
    QCOMPARE(json[QLatin1String("schema")].toString(), QStringLiteral("plimsoll.pack/1"));
    QCOMPARE(json[QLatin1String("buffers")].toInt(), 5);
    QCOMPARE(json[QLatin1String("peakBytes")].toInt(), 12);
    QCOMPARE(json[QLatin1String("lowerBoundBytes")].toInt(), 12);
    QVERIFY(json[QLatin1String("optimal")].toBool());
    QVERIFY(!json[QLatin1String("infeasible")].toBool(true));
    QVERIFY(json[QLatin1String("seconds")].toDouble() >= json[QLatin1String("firstPlanSeconds")].toDouble());
    QVERIFY(!json[QLatin1String("history")].toArray().isEmpty());
}

void tst_CliPack::whatNeverLivesTakesNothing()
{
    const QByteArray table = "id,lower,upper,size,gaps\na,3,3,40,\nb,0,9,50,0-9\nc,0,3,2,\nd,1,5,3,\n";

    const QJsonObject json = pack(Json + QStringList {"--capacity", "10"}, table).json();

    QCOMPARE(json[QLatin1String("peakBytes")].toInt(), 5);
    QCOMPARE(json[QLatin1String("lowerBoundBytes")].toInt(), 5);
    QVERIFY(json[QLatin1String("optimal")].toBool());
    QVERIFY(!json[QLatin1String("infeasible")].toBool(true));
}

void tst_CliPack::theAnswerRepeatsTheInputAndIsLegal()
{
    const QStringList toOutput = {QStringLiteral("-"), QStringLiteral("-o"), QStringLiteral("-")};
    const Finished packed = pack(toOutput, Five);
    QCOMPARE(packed.status, 0);
    QVERIFY(packed.out.startsWith("id,lower,upper,size,offset\nb1,0,3,4,"));

    const Finished judged = pack(Json, packed.out);

    QCOMPARE(judged.status, 0);
    QCOMPARE(judged.json()[QLatin1String("algorithm")].toString(), QStringLiteral("given"));
    QCOMPARE(judged.json()[QLatin1String("peakBytes")].toInt(), 12);
}

void tst_CliPack::offsetsThatAreGivenAreJudged()
{
    const Finished done = pack(Json, "id,lower,upper,size,offset\na,0,5,8,0\nb,3,6,8,4\n");

    QCOMPARE(done.status, 1);
    const QJsonObject fault = done.json()[QLatin1String("faults")].toArray().first().toObject();
    QCOMPARE(fault[QLatin1String("rule")].toString(), QStringLiteral("overlap"));
    QCOMPARE(fault[QLatin1String("message")].toString(),
             QStringLiteral("'b' and 'a' share bytes [4, 8) while both are alive, first at 3."));
}

void tst_CliPack::aCapacityThatCannotBeMetIsRefusedWithItsReason()
{
    const Finished done = pack({QStringLiteral("-"), QStringLiteral("--capacity"), QStringLiteral("11")}, Five);

    QCOMPARE(done.status, 1);
    QVERIFY2(done.out.contains("Infeasible: 12 B are needed, 11 B is the capacity"), done.out.constData());
    QVERIFY2(done.out.contains("'b3'"), done.out.constData());
}

void tst_CliPack::aBrokenTableEndsWithItsLine_data()
{
    QTest::addColumn<QByteArray>("table");
    QTest::newRow("no size") << QByteArray("id,lower,upper\na,0,1\n");
    QTest::newRow("upper below lower") << QByteArray("id,lower,upper,size\na,5,1,8\n");
    QTest::newRow("negative") << QByteArray("id,lower,upper,size\na,0,1,-8\n");
    QTest::newRow("beyond 63 bits") << QByteArray("id,lower,upper,size\na,0,1,9223372036854775808\n");
    QTest::newRow("same id") << QByteArray("id,lower,upper,size\na,0,1,8\na,1,2,8\n");
    QTest::newRow("nothing") << QByteArray();
}

void tst_CliPack::aBrokenTableEndsWithItsLine()
{
    QFETCH(QByteArray, table);

    const Finished done = pack({QStringLiteral("-")}, table);

    QCOMPARE(done.status, 3);
    QVERIFY2(table.isEmpty() || done.err.contains("line "), done.err.constData());
    QVERIFY(!done.err.isEmpty());
}

void tst_CliPack::whatCannotBeWrittenIsNamed()
{
    const Finished done = pack({QStringLiteral("-"), QStringLiteral("-o"), QStringLiteral("/nowhere/t.csv")}, Five);

    QCOMPARE(done.status, 3);
    QVERIFY2(
        done.err.contains("plimsoll-cli: /nowhere/t.csv: The file cannot be written: there is no folder '/nowhere'."),
        done.err.constData());
}

void tst_CliPack::algorithmsAreListedWhereOneIsUnknown()
{
    const Finished done = pack({QStringLiteral("-"), QStringLiteral("--algorithm"), QStringLiteral("bset")}, Five);

    QCOMPARE(done.status, 2);
    QVERIFY2(done.err.contains("There is no placement algorithm 'bset'; there are: best, no-reuse, "),
             done.err.constData());
}

void tst_CliPack::moreRowsAreTakenWhenAllowed()
{
    const auto packed = [](const char* most) {
        return pack({QStringLiteral("-"), QStringLiteral("--max-rows"), QString::fromLatin1(most)}, Five);
    };

    QCOMPARE(packed("5").status, 0);
    QCOMPARE(packed("4").status, 3);
    QVERIFY2(packed("4").err.contains("line 6"), packed("4").err.constData());
}

void tst_CliPack::anInterruptKeepsTheBestSoFar()
{
    QTemporaryDir folder;
    // Wide lives and mixed sizes, and no proof within the minute that is granted.
    QByteArray table = "id,lower,upper,size\n";
    unsigned state = 1;
    const auto next = [&](unsigned end) {
        state = state * 1664525U + 1013904223U;
        return (state >> 8) % end;
    };
    for (int i = 0; i < 3000; ++i) {
        const unsigned lower = next(1000);
        table += QByteArray::number(i) + ',' + QByteArray::number(lower) + ',' +
                 QByteArray::number(lower + 1 + next(300)) + ',' + QByteArray::number(1 + next(100'000)) + '\n';
    }
    QFile file(folder.filePath(QStringLiteral("p.csv")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(table);
    file.close();
    QProcess process;
    process.start(QStringLiteral(PLIMSOLL_CLI),
                  {QStringLiteral("pack"), file.fileName(), QStringLiteral("--time-limit"), QStringLiteral("60"),
                   QStringLiteral("--json"), QStringLiteral("-")});
    QVERIFY(process.waitForStarted());
    QVERIFY(!process.waitForFinished(1500));

    ::kill(static_cast<pid_t>(process.processId()), SIGINT);

    QVERIFY(process.waitForFinished(20'000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 0);
    const QJsonObject json = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    QVERIFY(json[QLatin1String("legal")].toBool());
    QVERIFY(json[QLatin1String("peakBytes")].toDouble() >= json[QLatin1String("lowerBoundBytes")].toDouble());
}

void tst_CliPack::planSearchesAsLongAsItIsTold()
{
    const QByteArray table = QByteArray::fromStdString(plimsoll::test::randomTable(160, 1));
    const auto peakAfter = [&](const char* work) {
        const Finished done =
            run("plan", Json + QStringList {QStringLiteral("--work-limit"), QLatin1String(work)}, table);
        const QJsonObject search = done.json()[QLatin1String("search")].toObject();
        return std::pair(done.json()[QLatin1String("peakBytes")].toInteger(),
                         search[QLatin1String("work")].toInteger());
    };

    const auto least = peakAfter("0");
    const auto more = peakAfter("20000000");

    QVERIFY(least.first > 0 && more.first < least.first);
    QVERIFY(more == peakAfter("20000000"));
    const Finished timed =
        run("plan", {QStringLiteral("-"), QStringLiteral("--time-limit"), QStringLiteral("0.2")}, table);
    QCOMPARE(timed.status, 0);
    QVERIFY2(timed.out.contains("Placement\n  best: "), timed.out.constData());
}

void tst_CliPack::otherCommandsTakeTheAlignmentsOfTheRows()
{
    const QByteArray table = "id,lower,upper,size,alignment\na,0,9,10,\nb,0,9,10,\n";
    const auto peakWith = [&](const QStringList& policies) {
        return run("plan", Json + policies, table).json()[QLatin1String("peakBytes")].toInt();
    };

    QCOMPARE(peakWith({}), 20);
    QCOMPARE(peakWith({QStringLiteral("-p"), QStringLiteral("alignment=64")}), 128);
}

void tst_CliPack::checkJudgesTheOffsetsThatATableBrings()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("t.csv")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("id,lower,upper,size,offset\na,0,9,10,0\nb,0,9,10,5\n");
    file.close();

    const Finished done = run("check", {file.fileName()}, {});

    QCOMPARE(done.status, 1);
    QVERIFY2(done.out.contains("overlap") || done.out.contains("clobbered-read"), done.out.constData());
}

void tst_CliPack::severalGraphsTakeOnePool()
{
    const QTemporaryDir folder;
    const auto written = [&](const char* name, const QByteArray& table) {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        if (file.open(QIODevice::WriteOnly)) file.write(table);
        return file.fileName();
    };
    const QString big = written("big.csv", "id,lower,upper,size\na,0,9,4000\nb,0,9,20\n");
    const QString small = written("small.csv", "id,lower,upper,size\na,0,9,2000\nb,0,9,30\n");
    const QStringList mxnet = {QStringLiteral("-p"), QStringLiteral("placement=storage-reuse"),
                               QStringLiteral("--json"), QStringLiteral("-")};

    const QJsonObject one = run("pool", QStringList {big, small} + mxnet, {}).json();
    const QJsonObject other = run("pool", QStringList {small, big} + mxnet, {}).json();
    const Finished arenas = run("pool", {big, small}, {});

    QCOMPARE(one[QLatin1String("schema")].toString(), QStringLiteral("plimsoll.pool/1"));
    QCOMPARE(one[QLatin1String("poolBytes")].toInt(), 4030);
    QCOMPARE(other[QLatin1String("poolBytes")].toInt(), 4030);
    const auto grown = [](const QJsonObject& json) {
        return json[QLatin1String("pools")].toArray()[0].toObject()[QLatin1String("oneByOneBytes")].toInt();
    };
    QCOMPARE(grown(one), 4050);
    QCOMPARE(grown(other), 6030);
    QCOMPARE(arenas.status, 0);
    QVERIFY2(arenas.out.contains("4,020 B"), arenas.out.constData());
    QCOMPARE(run("pool", {big, folder.filePath(QStringLiteral("none.csv"))}, {}).status, 3);
    QCOMPARE(run("pool", {}, {}).status, 2);
}

void tst_CliPack::namesInAPoolStayOnTheirLine()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("g.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"schema": "plimsoll.graph/1", "name": "two\nlines", "outputs": ["y"],
        "inputs": [{"name": "x", "dtype": "float32", "shape": [4]}],
        "nodes": [{"op": "Relu", "inputs": ["x"], "outputs": ["y"]}]})");
    file.close();

    const Finished done = run("pool", {file.fileName()}, {});

    QCOMPARE(done.status, 0);
    QVERIFY2(done.out.contains("  two\\x0alines  "), done.out.constData());
}

void tst_CliPack::namesMayBeAnyBytes()
{
    const Finished done = pack(Json + QStringList {QStringLiteral("--capacity"), QStringLiteral("1")},
                               "id,lower,upper,size\n\xff,0,9,20\n");

    QCOMPARE(done.status, 1);
    const QJsonObject shortfall = done.json()[QLatin1String("shortfalls")].toArray().first().toObject();
    QVERIFY2(QJsonDocument(shortfall).toJson().contains("\uFFFD"), done.out.constData());
}

void tst_CliPack::fileNamesMayBeAnyBytes_data()
{
    QTest::addColumn<QString>("command");
    QTest::newRow("pool") << QStringLiteral("pool *.csv *.csv --json -");
    QTest::newRow("compare") << QStringLiteral("compare *.csv --json -");
}

/// The shell hands the name over as it is.
void tst_CliPack::fileNamesMayBeAnyBytes()
{
    QFETCH(QString, command);
    const QTemporaryDir folder;
    const std::string file = folder.path().toStdString() + "/gr\xf6\xdf.csv";
    std::ofstream(file) << Five;
    QProcess shell;
    shell.setWorkingDirectory(folder.path());
    shell.start(QStringLiteral("sh"), {QStringLiteral("-c"), QStringLiteral(PLIMSOLL_CLI " ") + command});

    QVERIFY(shell.waitForFinished());
    QCOMPARE(shell.exitCode(), 0);
    std::filesystem::remove(file); // QTemporaryDir cannot
    const QByteArray out = shell.readAllStandardOutput();
    QVERIFY2(out.contains("\"gr\uFFFD\uFFFD\""), out.constData());
}

QTEST_APPLESS_MAIN(tst_CliPack)
#include "tst_cli_pack.moc"
