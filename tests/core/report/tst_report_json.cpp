#include "core/report/report_json.h"

#include "core/pipeline/pipeline.h"
#include "core/report/saved_report.h"
#include "tests/support/planned.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>

using namespace plimsoll;
using plimsoll::test::planned;

namespace {

QJsonObject written(const Report& report)
{
    const std::string text = writeReportJson(report);
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

QJsonObject valueNamed(const QJsonObject& report, const char* name)
{
    for (const QJsonValue& value : report[QLatin1String("values")].toArray()) {
        if (value[QLatin1String("name")] == QLatin1String(name)) return value.toObject();
    }
    return {};
}

} // namespace

class tst_ReportJson : public QObject
{
    Q_OBJECT

private slots:
    void arenasAreReadAsTheyWereWritten()
    {
        const Report report = planned("input x float32[100]\na = Neg(x)\nb = Exp(a)\noutput b\n");
        const Result<Report> read = readSavedReport(writeReportJson(report));
        QVERIFY(read.ok());
        QCOMPARE(read.value().memory.arenas.size(), report.memory.arenas.size());
        QVERIFY(report.memory.arenas.front().lowerBoundBytes > 0);
        QCOMPARE(read.value().memory.arenas.front().lowerBoundBytes, report.memory.arenas.front().lowerBoundBytes);
        QCOMPARE(read.value().memory.arenas.front().noReuseBytes, report.memory.arenas.front().noReuseBytes);
    }

    void requestsSayHowAValueIsWritten_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("expected");
        QTest::newRow("an input") << QByteArray("x") << "null";
        QTest::newRow("new bytes") << QByteArray("a") << "write";
        QTest::newRow("over its input") << QByteArray("b") << "write-in-place";
        QTest::newRow("read by nobody") << QByteArray("dead") << "null";
    }

    void requestsSayHowAValueIsWritten()
    {
        QFETCH(QByteArray, value);
        QFETCH(QString, expected);
        const QJsonObject report =
            written(planned("input x float32[4]\na = Neg(x)\nb = Relu(a)\ndead = Neg(x)\noutput b\n"));

        QCOMPARE(valueNamed(report, value)[QLatin1String("request")].toString(), expected);
    }

    void whatIsNotKnownIsNull()
    {
        const QJsonObject report = written(planned("input x float32[4]\na = NonZero(x)\noutput a\n"));
        const QJsonObject value = valueNamed(report, "a");

        QVERIFY(value[QLatin1String("storage")].isNull());
        QVERIFY(value[QLatin1String("logicalBytes")].isNull());
        QCOMPARE(value[QLatin1String("shape")].toArray()[0].toInt(), 1);
        const QJsonArray unplanned = report[QLatin1String("unplanned")].toArray();
        QCOMPARE(unplanned.size(), 1);
        QCOMPARE(unplanned[0].toObject()[QLatin1String("upperBoundBytes")].toInt(), 32);
        QVERIFY(report[QLatin1String("run")].isNull());
    }

    void namesThatAreNoUtf8AreMadeValid()
    {
        Report report = planned("input x float32[4]\na = Neg(x)\noutput a\n");
        Graph graph = *report.program.graph;
        graph.values[1].name = "a\xff\xc3(";
        report.program.graph = std::make_shared<const Graph>(std::move(graph));

        const QJsonObject json = written(report);

        QVERIFY(!json.isEmpty());
        QVERIFY(
            json[QLatin1String("values")].toArray()[1][QLatin1String("name")].toString().startsWith(QLatin1Char('a')));
    }

    /// 900 outputs that are one value: each names some of the others, and how many there are.
    void handlesNameFewOfManyPartners()
    {
        std::string text = "input x float32[4]\na = Neg(x)\n";
        for (int i = 0; i < 900; ++i)
            text += "output a\n";
        const QJsonArray many = written(planned(text))[QLatin1String("handles")].toArray();
        const QJsonArray two =
            written(planned("input x float32[4]\na = Neg(x)\noutput a\noutput a\n"))[QLatin1String("handles")]
                .toArray();

        QCOMPARE(many[0][QLatin1String("together")].toArray().size(), 20'000 / many.size());
        QCOMPARE(many[0][QLatin1String("partners")].toInt(), 899);
        QCOMPARE(two[0][QLatin1String("together")].toArray().size(), 1);
        QVERIFY(two[0][QLatin1String("partners")].isUndefined());
    }

    void elementsOfOutputsAreNumbersWhereTheyCanBe()
    {
        Report report = planned("input x float32[4]\na = Neg(x)\noutput a\n");
        RunResult run;
        run.outputs.push_back({"a", DType::Float32, {3}, {"0.5", "nan", "-inf"}, "00"});
        run.outputs.push_back({"b", DType::UInt64, {1}, {"18446744073709551615"}, "00"});
        run.outputs.push_back({"c", DType::String, {1}, {"17"}, "00"});
        run.mismatches.push_back({"a", "n", 3, std::nan(""), Message("guard")});
        report.run = run;

        const std::string text = writeReportJson(report);
        const QJsonObject json = written(report)[QLatin1String("run")].toObject();

        const QJsonArray outputs = json[QLatin1String("outputs")].toArray();
        QCOMPARE(outputs[0][QLatin1String("data")].toArray(),
                 QJsonArray({0.5, QStringLiteral("nan"), QStringLiteral("-inf")}));
        QCOMPARE(outputs[2][QLatin1String("data")].toArray(), QJsonArray({QStringLiteral("17")}));
        QVERIFY(text.find("18446744073709551615") != std::string::npos);
        QVERIFY(json[QLatin1String("mismatches")].toArray()[0][QLatin1String("maxAbsDiff")].isNull());
    }
};

QTEST_APPLESS_MAIN(tst_ReportJson)
#include "tst_report_json.moc"
