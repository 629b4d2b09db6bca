#include "core/facts/english/english.h"
#include "core/facts/holes.h"
#include "core/facts/tables.h"
#include "core/facts/words/placement_text.h"
#include "core/formats/read_graph.h"
#include "core/pipeline/pipeline.h"
#include "core/report/report_json.h"
#include "core/report/writers.h"
#include "tests/support/random_table.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <span>

using namespace plimsoll;

namespace {

Report planned(const std::string& text, std::int64_t work = 3'000'000, const char* placement = "best")
{
    PlanRequest request;
    request.policies.alignment = 1;
    request.policies.placement = placement;
    request.search.workLimit = work;
    return analyse(readGraph(std::as_bytes(std::span(text)), {}).value(), request, {}).value();
}

std::string allText(const Report& report)
{
    return writeHtml(report) + writeMarkdown(report);
}

} // namespace

class TestPlacementReport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void jsonSaysHowThePlanWasFound();
    void aGivenPlanHasNoSearchInJson();
    void writersSayWhyItEnded_data();
    void writersSayWhyItEnded();
    void aPlanAtItsBoundHasNoGap();
    void aGapNamesItsStepAndWhatLiesFree();
    void thePagePlotsTheSearch();
    void holesStandInTheReportLargestFirst();
};

void TestPlacementReport::jsonSaysHowThePlanWasFound()
{
    const Report report = planned(test::randomTable(160, 1));

    const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(writeReportJson(report))).object();
    const QJsonObject search = json[QLatin1String("search")].toObject();
    const QJsonArray history = search[QLatin1String("history")].toArray();

    QCOMPARE(search[QLatin1String("algorithm")].toString(), QStringLiteral("best"));
    QCOMPARE(search[QLatin1String("end")].toString(), QString::fromUtf8(searchEndId(report.planning.search->end)));
    QCOMPARE(search[QLatin1String("optimal")].toBool(), report.planning.search->optimal());
    QCOMPARE(search[QLatin1String("workLimit")].toInteger(), 3'000'000);
    QVERIFY(search[QLatin1String("secondsLimit")].isNull());
    QCOMPARE(history.size(), qsizetype(report.planning.search->history.size()));
    QCOMPARE(history.last()[QLatin1String("peakBytes")].toInteger(), report.memory.peakBytes);
    QVERIFY(!history.last()[QLatin1String("member")].toString().isEmpty());
    QVERIFY(!json[QLatin1String("peakCauses")].toArray().isEmpty());
    QVERIFY(!json[QLatin1String("holes")].toArray().isEmpty());
}

void TestPlacementReport::aGivenPlanHasNoSearchInJson()
{
    const std::string text = "id,lower,upper,size\na,0,4,8\n";
    const Graph graph = readGraph(std::as_bytes(std::span(text)), {}).value();
    PlanRequest request;
    request.givenPlan = sharedPlan(planOf(analyse(graph, {}, {}).value()));
    const Report report = analyse(graph, request, {}).value();

    const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(writeReportJson(report))).object();

    QVERIFY(json[QLatin1String("search")].isNull());
    QVERIFY(searchSentence(report).empty());
    QVERIFY(documentTable(searchTable(), report, 9).empty() && documentTable(searchHistoryTable(), report, 9).empty());
}

void TestPlacementReport::writersSayWhyItEnded_data()
{
    QTest::addColumn<QByteArray>("table");
    QTest::addColumn<qint64>("work");
    QTest::addColumn<QByteArray>("placement");
    QTest::addColumn<QByteArray>("words");
    const QByteArray hard = QByteArray::fromStdString(test::randomTable(160, 1));
    QTest::newRow("a proof") << QByteArray("id,lower,upper,size\na,0,4,8\n") << qint64(1000) << QByteArray("best")
                             << QByteArray("proved lowest");
    QTest::newRow("a limit") << hard << qint64(0) << QByteArray("best") << QByteArray("the limit came before a proof");
    QTest::newRow("no search") << hard << qint64(0) << QByteArray("first-fit-by-size")
                               << QByteArray("makes one plan and does not search");
}

void TestPlacementReport::writersSayWhyItEnded()
{
    QFETCH(QByteArray, table);
    QFETCH(qint64, work);
    QFETCH(QByteArray, placement);
    QFETCH(QByteArray, words);

    const std::string text = allText(planned(table.toStdString(), work, placement.constData()));

    QCOMPARE(QByteArray::fromStdString(text).count(words), 2); // once a writer
}

void TestPlacementReport::aPlanAtItsBoundHasNoGap()
{
    const Report report = planned("id,lower,upper,size\na,0,4,8\nb,2,6,8\n");

    QCOMPARE(report.memory.peakBytes, report.memory.lowerBoundBytes);
    QVERIFY(gapSentence(report, explainPeak(report).front()).empty());
}

void TestPlacementReport::aGapNamesItsStepAndWhatLiesFree()
{
    const Report report = planned(test::randomTable(160, 1), 0);
    const PeakCauses causes = explainPeak(report).front();

    const QString gap = QString::fromStdString(english(gapSentence(report, causes)));

    QVERIFY(report.memory.peakBytes > report.memory.lowerBoundBytes);
    QVERIFY2(gap.contains(QStringLiteral("at step %1").arg(causes.highestStep)), qPrintable(gap));
    QVERIFY2(gap.contains(QStringLiteral("lie free beneath")), qPrintable(gap));
    QVERIFY2(gap.contains(QStringLiteral("is open")), qPrintable(gap));
    QVERIFY(QString::fromStdString(writeMarkdown(report)).contains(QStringLiteral("lie free beneath")));
}

void TestPlacementReport::thePagePlotsTheSearch()
{
    const Report report = planned(test::randomTable(160, 1));
    const QString page = QString::fromStdString(writeHtml(report));

    QVERIFY(report.planning.search->history.size() > 2);
    QCOMPARE(page.count(QStringLiteral("<circle ")), qsizetype(report.planning.search->history.size()));
    QVERIFY(page.contains(QStringLiteral("found by ") + QLatin1String(report.planning.search->member().data())));
    const Report onePlan = planned(test::randomTable(160, 1), 0, "first-fit-by-size");
    QVERIFY(!QString::fromStdString(writeHtml(onePlan)).contains(QStringLiteral("search-frame")));
}

void TestPlacementReport::holesStandInTheReportLargestFirst()
{
    const Report report = planned(test::randomTable(160, 1), 0);
    const std::vector<Hole>& holes = report.memory.holes;

    const DocumentTable table = documentTable(holesTable(), report, 3);

    QCOMPARE(table.rows.size(), std::size_t {3});
    QCOMPARE(table.total, holes.size());
    QVERIFY(holes[0].area() >= holes[1].area() && holes[1].area() >= holes[2].area());
    QCOMPARE(holes.size(), findHoles(report.program).size());
}

QTEST_APPLESS_MAIN(TestPlacementReport)
#include "tst_placement_report.moc"
