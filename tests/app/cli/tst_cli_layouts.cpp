#include "tests/app/support/cli_run.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace plimsoll;
using test::Finished;

namespace {

constexpr const char* Channels22 = R"({
  "schema": "plimsoll.graph/1", "name": "c22",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [1, 22, 46, 34]}],
  "parameters": [{"name": "w", "dtype": "float32", "shape": [22, 22, 3, 3]}],
  "nodes": [{"name": "conv", "op": "Conv", "inputs": ["x", "w"], "outputs": ["a"], "attributes": {"pads": [1, 1, 1, 1]}},
            {"name": "relu", "op": "Relu", "inputs": ["a"], "outputs": ["b"]},
            {"name": "out", "op": "Sigmoid", "inputs": ["b"], "outputs": ["y"]}],
  "outputs": ["y"]
})";

constexpr const char* Offers = R"({
  "schema": "plimsoll.catalogue/1", "environment": {"made": "by hand"},
  "offers": {
    "conv": [{"backend": "tiles", "name": "wide", "inputLayouts": ["nChw16c"], "outputLayouts": ["nChw16c"], "timeMs": 1},
             {"backend": "tiles", "name": "flat", "timeMs": 2}, {"backend": "reference", "timeMs": 90}],
    "relu": [{"backend": "tiles", "name": "wide", "inputLayouts": ["nChw16c"], "outputLayouts": ["nChw16c"], "timeMs": 0.1,
              "inPlace": [[0, 0]]}]
  }
})";

Finished run(const QStringList& arguments, const test::Variables& variables = {})
{
    return test::runCliWith(variables, arguments);
}

QJsonObject valueOf(const QString& report, const QString& name)
{
    const QJsonArray values = QJsonDocument::fromJson(report.toUtf8()).object()[QLatin1String("values")].toArray();
    for (const QJsonValue value : values) {
        if (value[QLatin1String("name")].toString() == name) return value.toObject();
    }
    return {};
}

} // namespace

/// Layouts, padding, pins and catalogues from the command line.
class tst_CliLayouts : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        write("c22.json", Channels22);
        write("offers.json", Offers);
    }

    /// Blocks of 8, as the library on a machine with AVX2 wants them.
    void twentyTwoChannelsTakeTheBytesOfTwentyFour()
    {
        const auto avx2 = {std::pair("DNNL_MAX_CPU_ISA", "AVX2"), std::pair("OMP_NUM_THREADS", "1")};
        const Finished offered = run({QStringLiteral("catalogue"), path("c22.json")}, avx2);
        if (!offered.text().contains(QStringLiteral("isa: avx2"))) QSKIP("no oneDNN, or no AVX2");
        const QStringList apart = {QStringLiteral("plan"), path("c22.json"), QStringLiteral("-p"),
                                   QStringLiteral("fusion=off")};
        const Finished planned = run(apart, avx2);
        QCOMPARE(planned.status, 0);
        QVERIFY2(planned.text().contains(QRegularExpression(QStringLiteral("a +nChw8c +150,144 .* 137,632 "))),
                 qPrintable(planned.text()));
        const Finished fused = run({QStringLiteral("plan"), path("c22.json")}, avx2);
        QVERIFY2(fused.text().contains(QRegularExpression(QStringLiteral("nChw8c +150,144 .* 137,632 "))) &&
                     fused.text().contains(QRegularExpression(QStringLiteral("values fused away +[12]\n"))),
                 qPrintable(fused.text()));
        const Finished json = run(apart + QStringList {QStringLiteral("--json"), QStringLiteral("-")}, avx2);
        const QJsonObject a = valueOf(json.text(), QStringLiteral("a"));
        QCOMPARE(a[QLatin1String("layout")].toString(), QStringLiteral("nChw8c"));
        QCOMPARE(a[QLatin1String("requiredBytes")].toInt(), 150'144);
        QCOMPARE(a[QLatin1String("logicalBytes")].toInt(), 137'632);
        QCOMPARE(valueOf(json.text(), QStringLiteral("y"))[QLatin1String("requiredBytes")].toInt(), 137'632);
        const Finished ran = run({QStringLiteral("run"), path("c22.json"), QStringLiteral("--reference")}, avx2);
        QVERIFY2(ran.status == 0 && ran.text().contains(QStringLiteral("all equal")),
                 qPrintable(ran.text() + ran.said()));
    }

    void offersComeFromAFile_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("padding");
        QTest::addColumn<QString>("chosen");
        QTest::addColumn<int>("bytes");
        const QString wide = QStringLiteral("Implementation: tiles wide");
        const QString flat = QStringLiteral("Implementation: tiles flat");
        const QStringList off = {QStringLiteral("-p"), QStringLiteral("padding=off")};
        const QStringList on = {QStringLiteral("-p"), QStringLiteral("padding=on")};
        const QStringList pin = {QStringLiteral("--pin"), QStringLiteral("conv=flat")};
        QTest::newRow("as it is") << QStringList() << QByteArray("1") << wide << 200'192;
        QTest::newRow("without padding") << off << QByteArray("1") << flat << 137'632;
        QTest::newRow("without padding, by the environment") << QStringList() << QByteArray("0") << flat << 137'632;
        QTest::newRow("a policy goes before the environment") << on << QByteArray("0") << wide << 200'192;
        QTest::newRow("pinned") << pin << QByteArray("1") << flat << 137'632;
    }

    void offersComeFromAFile()
    {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, padding);
        QFETCH(QString, chosen);
        QFETCH(int, bytes);
        options += {QStringLiteral("--catalogue"), path("offers.json")};
        const auto variables = {std::pair("PLIMSOLL_PADDING", padding.constData())};
        const Finished told =
            run(QStringList {QStringLiteral("explain"), path("c22.json"), QStringLiteral("conv")} + options, variables);
        QVERIFY2(told.text().contains(chosen), qPrintable(told.text() + told.said()));
        QVERIFY(told.text().contains(QStringLiteral("tiles: tiles wide, nChw16c → nChw16c, 1 ms")));
        const Finished json =
            run(QStringList {QStringLiteral("plan"), path("c22.json"), QStringLiteral("--json"), QStringLiteral("-")} +
                    options,
                variables);
        QCOMPARE(valueOf(json.text(), QStringLiteral("a"))[QLatin1String("requiredBytes")].toInt(), bytes);
    }

    void mistakesAreNamed_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* name, const QStringList& options, int status, const char* error) {
            QTest::newRow(name) << options << status << QString::fromUtf8(error);
        };
        const QString pin = QStringLiteral("--pin");
        row("a pin without a value", {pin, QStringLiteral("conv")}, 2, "NODE=IMPLEMENTATION");
        row("a pin of no node", {pin, QStringLiteral("cnv=reference")}, 2, "no node 'cnv'");
        row("a pin to nothing", {pin, QStringLiteral("conv=hexagon")}, 2, "cannot be pinned to 'hexagon'; there is");
        row("no such catalogue", {QStringLiteral("--catalogue"), QStringLiteral("/nowhere.json")}, 3, "/nowhere.json");
        row("a catalogue that is a graph", {QStringLiteral("--catalogue"), path("c22.json")}, 3,
            "not a plimsoll.catalogue/1");
        const auto offer = [&](const char* name, const QByteArray& fields, const char* error) {
            const QByteArray file = QByteArray(name).replace(' ', '_') + ".json";
            write(file.constData(),
                  R"({"schema": "plimsoll.catalogue/1", "offers": {"conv": [{"backend": "onednn", )" + fields + "}]}}");
            row(name, {QStringLiteral("--catalogue"), path(file.constData())}, 3, error);
        };
        offer("a huge scratchpad", R"("scratchpadBytes": 4611686018427387904)",
              "a_huge_scratchpad.json: offers.conv[0].scratchpadBytes: It wants");
        offer("layouts of no input", R"("inputLayouts": ["plain", "plain", "plain"])",
              "layouts_of_no_input.json: offers.conv[0].inputLayouts: It lists 3; the node has 2 inputs.");
        offer("weights of no input", R"("prepared": [{"input": 55, "layout": "ba"}])",
              "weights_of_no_input.json: offers.conv[0].prepared[0]: There is no input 55");
    }

    void mistakesAreNamed()
    {
        QFETCH(QStringList, options);
        QFETCH(int, status);
        QFETCH(QString, error);
        const Finished finished = run(QStringList {QStringLiteral("plan"), path("c22.json")} + options);
        QCOMPARE(finished.status, status);
        QVERIFY2(finished.said().contains(error), qPrintable(finished.said()));
    }

    void measuredTimesSayThatTheyAre()
    {
        const Finished estimated = run({QStringLiteral("catalogue"), path("c22.json")});
        if (estimated.text().contains(QStringLiteral("without oneDNN"))) QSKIP("built without oneDNN");
        QVERIFY(!estimated.text().contains(QStringLiteral("measured")));
        const Finished measured = run({QStringLiteral("catalogue"), path("c22.json"), QStringLiteral("--measure")});
        QCOMPARE(measured.status, 0);
        const auto reorders = measured.text().count(QStringLiteral("reorder of "));
        QVERIFY(reorders > 0);
        QVERIFY(!measured.text().contains(QStringLiteral("estimated")));
        QStringList lines = estimated.text().split(QLatin1Char('\n')); // a device that is not here cannot be measured
        lines.removeIf([](const QString& line) { return line.contains(QStringLiteral("cuda"), Qt::CaseInsensitive); });
        QCOMPARE(measured.text().split(QLatin1Char('\n')).size() - reorders, lines.size());
        QVERIFY2(measured.text().contains(QStringLiteral("ms measured")), qPrintable(measured.text()));
    }

    /// What this machine offers, written and read back, gives the plan of this machine.
    void aSavedCatalogueGivesTheSamePlan()
    {
        QCOMPARE(
            run({QStringLiteral("catalogue"), path("c22.json"), QStringLiteral("--json"), path("own.json")}).status, 0);
        const QStringList plan = {QStringLiteral("plan"), path("c22.json")};
        const Finished asked = run(plan);
        const Finished read = run(plan + QStringList {QStringLiteral("--catalogue"), path("own.json")});
        QCOMPARE(read.text(), asked.text());
    }

private:
    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }

    void write(const char* name, const char* text)
    {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_CliLayouts)
#include "tst_cli_layouts.moc"
