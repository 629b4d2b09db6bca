#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace {

constexpr const char* Graph = R"({
  "schema": "plimsoll.graph/1", "name": "gate",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [64]}],
  "parameters": [{"name": "w", "dtype": "float32", "shape": [64]}],
  "nodes": [{"name": "mul", "op": "Mul", "inputs": ["x", "w"], "outputs": ["a"]},
            {"name": "top", "op": "TopK", "inputs": ["a", "k"], "outputs": ["b", "i"]},
            {"name": "tanh", "op": "Tanh", "inputs": ["b"], "outputs": ["y"]}],
  "constants": [{"name": "k", "dtype": "int64", "shape": [1], "data": [8]}],
  "outputs": ["y"]
})";

/// Of a caller who hands and takes tensors of the device; the scale, which is written in place, among them.
constexpr const char* Captured = R"({
  "schema": "plimsoll.graph/1", "name": "captured",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [64], "space": "cuda:0"},
             {"name": "s", "dtype": "float32", "shape": [64], "space": "cuda:0"}],
  "nodes": [{"name": "grow", "op": "Exp_", "domain": "plimsoll", "inputs": ["s"], "outputs": ["t"]},
            {"name": "mul", "op": "Mul", "inputs": ["x", "t"], "outputs": ["a"]},
            {"name": "tanh", "op": "Tanh", "inputs": ["a"], "outputs": ["y"]}],
  "values": [{"name": "y", "dtype": "float32", "shape": [64], "space": "cuda:0"}],
  "outputs": ["y"]
})";

/// The device computes what the two around TopK do.
constexpr const char* Offers = R"({
  "schema": "plimsoll.catalogue/1", "environment": {"made": "by hand"}, "absent": {"cuda": "it was made by hand"},
  "offers": {
    "mul": [{"backend": "cuda", "name": "elementwise", "device": "cuda:0", "timeMs": 0.01}],
    "tanh": [{"backend": "cuda", "name": "elementwise", "device": "cuda:0", "timeMs": 0.01}]
  }
})";

const QString Streams = QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/examples/two-streams.json");

struct Finished
{
    int status = -1;
    QString out;
    QString err;
};

Finished run(const QStringList& arguments)
{
    QProcess process;
    process.start(QStringLiteral(PLIMSOLL_CLI), arguments);
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit)
        return {-1, {}, process.errorString()};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

QJsonObject parsed(const QString& json)
{
    return QJsonDocument::fromJson(json.toUtf8()).object();
}

/// Strings are for the CPU alone.
constexpr const char* Words = R"({"schema": "plimsoll.graph/1", "name": "words",
  "inputs": [{"name": "x", "dtype": "string", "shape": [2]}],
  "nodes": [{"name": "same", "op": "Identity", "inputs": ["x"], "outputs": ["y"]}], "outputs": ["y"]})";

} // namespace

/// Plans for a device, on a machine that may have none.
class tst_CliDevices : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        write("gate.json", Graph);
        write("words.json", Words);
        write("captured.json", Captured);
        write("offers.json", Offers);
    }

    void aRecordedCatalogueIsPlannedAnywhere()
    {
        const Finished plan = run({"plan", path("gate.json"), "-p", "backend=cuda", "--catalogue", path("offers.json"),
                                   "--json", path("plan.json")});
        QCOMPARE(plan.status, 0);
        for (const char* part : {"cuda 2", "copies between memories 4", "copied ahead of the run 256", "cuda:0"})
            QVERIFY2(plan.out.simplified().contains(QLatin1String(part)), qPrintable(plan.out));
        const QJsonArray arenas = parsed(read("plan.json"))[QLatin1String("arenas")].toArray();
        QCOMPARE(arenas.size(), 2);
        double sum = 0;
        for (const QJsonValue arena : arenas)
            sum += arena[QLatin1String("bytes")].toDouble();
        QCOMPARE(sum, parsed(read("plan.json"))[QLatin1String("peakBytes")].toDouble());
    }

    void auto_leavesWhatCannotRun()
    {
        const Finished plan = run({"plan", path("gate.json"), "--catalogue", path("offers.json")});
        QCOMPARE(plan.status, 0);
        QVERIFY2(!plan.out.contains(QStringLiteral("cuda")), qPrintable(plan.out));
    }

    void everySpaceHasItsCapacity()
    {
        const Finished plan = run({"plan", path("gate.json"), "-p", "backend=cuda", "--catalogue", path("offers.json"),
                                   "-p", "capacity=cuda:0=128"});
        QCOMPARE(plan.status, 1);
        QVERIFY2(plan.out.contains(QStringLiteral("beyond-capacity")), qPrintable(plan.out));
    }

    /// Exit status 4 and one line; where a device is, it runs.
    void withoutADeviceTheReasonIsSaid_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("subject");
        QTest::newRow("a graph") << QStringLiteral("run") << path("gate.json");
        QTest::newRow("a graph of which nothing would be computed there")
            << QStringLiteral("run") << path("words.json");
        QTest::newRow("a replay") << QStringLiteral("replay") << path("");
    }

    void withoutADeviceTheReasonIsSaid()
    {
        QFETCH(QString, command);
        QFETCH(QString, subject);
        const Finished run = ::run({command, subject, "-p", "backend=cuda"});
        if (run.status == 0) QSKIP("there is a device here");
        QCOMPARE(run.status, 4);
        QVERIFY2(run.err.contains(QStringLiteral("CUDA cannot run here: ")), qPrintable(run.err));
        QVERIFY2(run.err.contains(QStringLiteral(". With --emulate-device the same kernels run on the host.")),
                 qPrintable(run.err));
        QCOMPARE(run.err.trimmed().count(u'\n'), 0);
        QCOMPARE(run.out, QString());
    }

    void anEmulatedDeviceRunsAndSaysSo()
    {
        const Finished run = ::run({"run", path("gate.json"), "-p", "backend=cuda", "--emulate-device", "--reference",
                                    "--json", path("run.json")});
        QVERIFY2(run.status == 0, qPrintable(run.out + run.err));
        const QJsonObject report = parsed(read("run.json"));
        const QJsonObject result = report[QLatin1String("run")].toObject();
        QCOMPARE(result[QLatin1String("backend")].toString(), QStringLiteral("cuda (emulated)+reference"));
        QVERIFY(report[QLatin1String("environment")][QLatin1String("cuda:0")].toString().contains(
            QStringLiteral("emulated")));
        QCOMPARE(result[QLatin1String("mismatches")].toArray().size(), 0);
        QVERIFY(result[QLatin1String("measuredBySpace")][QLatin1String("cuda:0")].toInteger() > 0);
        const QString cpu = ::run({"run", path("gate.json"), "-p", "backend=reference", "--json", "-"}).out;
        QCOMPARE(result[QLatin1String("outputs")][0][QLatin1String("digest")],
                 parsed(cpu)[QLatin1String("run")][QLatin1String("outputs")][0][QLatin1String("digest")]);
    }

    void aRunTellsTimesBytesAndCopies()
    {
        const Finished run =
            ::run({"run", path("gate.json"), "-p", "backend=cuda", "--emulate-device", "--json", path("times.json")});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains(QStringLiteral("Device: 2 copies from cpu to cuda:0: 288 B in ")),
                 qPrintable(run.out));
        QVERIFY2(
            run.out.contains(QStringLiteral("Device: launched 1 time in 2 stretches without a wait between nodes: ")),
            qPrintable(run.out));
        const QJsonObject result = parsed(read("times.json"))[QLatin1String("run")].toObject();
        const auto steps = result[QLatin1String("stepMs")].toArray().size();
        QCOMPARE(result[QLatin1String("bytesInUse")][QLatin1String("cuda:0")].toArray().size(), steps);
        QVERIFY2(run.out.contains(QStringLiteral("Device: cuda:0 held ")), qPrintable(run.out));
        const QJsonValue held = result[QLatin1String("held")][0];
        QCOMPARE(held[QLatin1String("plannedBytes")],
                 result[QLatin1String("measuredBySpace")][QLatin1String("cuda:0")]);
        QVERIFY(held[QLatin1String("arenaBytes")].toInteger() > held[QLatin1String("plannedBytes")].toInteger());
        QCOMPARE(held[QLatin1String("steps")].toArray().size(), steps);
        QCOMPARE(result[QLatin1String("copies")].toArray().size(), 2);
        QCOMPARE(result[QLatin1String("launched")][QLatin1String("times")].toInteger(), 1);
    }

    void aPlanIsCapturedAsAGraphAndReplayed()
    {
        const Finished run = ::run({"run", Streams, "-p", "backend=cuda", "-p", "streams=captured", "-p",
                                    "replay=graph", "--emulate-device", "--repeat", "3"});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains(QStringLiteral("launched 3 times")), qPrintable(run.out));
        QVERIFY2(run.out.contains(QStringLiteral("ms and replayed 3 times: ")), qPrintable(run.out));
    }

    /// Found by the judge, and shown by what the device did.
    void aMissingEventIsFoundAndShown()
    {
        const QStringList choices = {"-p", "backend=cuda", "-p", "streams=captured"};
        QCOMPARE(run(QStringList {"plan", Streams, "--json", path("streams.json")} + choices).status, 0);
        QJsonObject plan = parsed(read("streams.json"));
        QJsonArray events = plan[QLatin1String("events")].toArray();
        QCOMPARE(events.size(), 2);
        events.removeLast();
        plan[QLatin1String("events")] = events;
        write("damaged.json", QJsonDocument(plan).toJson().constData());
        const QStringList damaged = QStringList {Streams, "--plan", path("damaged.json")} + choices;
        const Finished check = run(QStringList {"check"} + damaged);
        QCOMPARE(check.status, 1);
        QVERIFY2(check.out.contains(QStringLiteral("Wait for 'gated' before 'join'")), qPrintable(check.out));
        const Finished shown = run(QStringList {"run", "--emulate-device"} + damaged);
        QCOMPARE(shown.status, 1);
        QVERIFY2(shown.out.contains(QStringLiteral("; launched on its streams without a wait between nodes")),
                 qPrintable(shown.out));
    }

    /// Nothing is copied, the write in place included; and a plan without copies is read back as one of the device.
    void aCallerOnTheDeviceHasNothingCopied()
    {
        const QStringList choices = {"-p", "backend=cuda"};
        const Finished plan =
            run(QStringList {"plan", path("captured.json"), "--json", path("captured-plan.json")} + choices);
        QCOMPARE(plan.status, 0);
        QVERIFY2(plan.out.contains(QStringLiteral("have 3 tensors in the memory of cuda:0, as captured")),
                 qPrintable(plan.out));
        QVERIFY2(!plan.out.contains(QStringLiteral("copies between memories")), qPrintable(plan.out));
        const QStringList again = QStringList {path("captured.json"), "--plan", path("captured-plan.json")} + choices;
        const Finished check = run(QStringList {"check"} + again);
        QVERIFY2(check.status == 0, qPrintable(check.out + check.err));
        const Finished shown =
            run(QStringList {"run", "--emulate-device", "--json", path("captured-run.json")} + again);
        QVERIFY2(shown.status == 0, qPrintable(shown.out + shown.err));
        const QJsonObject result = parsed(read("captured-run.json"))[QLatin1String("run")].toObject();
        QCOMPARE(result[QLatin1String("backend")].toString(), QStringLiteral("cuda (emulated)"));
        QCOMPARE(result[QLatin1String("copies")].toArray().size(), 0);
        const QString cpu = ::run({"run", path("captured.json"), "-p", "backend=reference", "--json", "-"}).out;
        QCOMPARE(result[QLatin1String("outputs")][0][QLatin1String("digest")],
                 parsed(cpu)[QLatin1String("run")][QLatin1String("outputs")][0][QLatin1String("digest")]);
    }

    void theCatalogueListsWhatADeviceWouldOffer()
    {
        const Finished asked = run({"catalogue", path("gate.json"), "--json", path("catalogue.json")});
        QCOMPARE(asked.status, 0);
        QVERIFY2(asked.out.contains(QStringLiteral("mul (Mul): cuda ")), qPrintable(asked.out));
        const Finished again =
            run({"plan", path("gate.json"), "-p", "backend=cuda", "--catalogue", path("catalogue.json")});
        QCOMPARE(again.status, 0);
        QVERIFY2(again.out.simplified().contains(QStringLiteral("cuda 2")), qPrintable(again.out));
    }

private:
    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    void write(const char* name, const char* text) const
    {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    QString read(const char* name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_CliDevices)
#include "tst_cli_devices.moc"
