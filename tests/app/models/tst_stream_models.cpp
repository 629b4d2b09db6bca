#include "app/models/window_text.h"
#include "core/facts/about.h"
#include "core/picture/plan_picture.h"
#include "core/pipeline/pipeline.h"
#include "tests/app/support/table_columns.h"
#include "tests/support/graph_text.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// l and m are the branch of stream 1; j waits for it.
std::shared_ptr<const Report> planned(std::int64_t streams)
{
    const Graph graph = test::graphFromText("input x float32[64]\np: vp = Exp(x)\na: va = Sin(vp)\nb: vb = Cos(va)\n"
                                            "l: vl = Sin(vp)\nm: vm = Cos(vl)\nj: vj = Add(vb, vm)\noutput vj\n");
    PlanRequest request;
    request.policies.streams = streams;
    request.policies.inplace = InplacePolicy::Off;
    return std::make_shared<const Report>(analyse(graph, request, {}).value());
}

QStringList linesOf(const Report& report, const Focus& focus)
{
    QStringList lines;
    for (const FactSection& section : sectionsAbout(report, focus)) {
        for (const Fact& fact : section.facts)
            lines << toQString(fact.name) + QStringLiteral(": ") + cellText(fact.cell);
    }
    return lines;
}

QString columnOf(const std::shared_ptr<const Report>& report)
{
    TableModel table(nodesTable());
    table.setReport(report);
    QStringList cells;
    for (int row = 0; row < table.rowCount(); ++row)
        cells << table.index(row, test::columnOf(nodesTable(), "Stream")).data().toString();
    return cells.join(u' ').trimmed();
}

} // namespace

/// What tables, the inspector and the plan say of several streams.
class StreamModelsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void nodesSayWhereTheyRun()
    {
        QCOMPARE(columnOf(planned(2)), QStringLiteral("0 0 0 1 1 0"));
        QCOMPARE(columnOf(planned(1)), QString());
    }

    void theInspectorSaysWhoWaits()
    {
        const auto report = planned(2);
        const QStringList lines = linesOf(*report, Focus::on(findNode(*report->program.graph, "j")));
        QVERIFY2(lines.contains(QStringLiteral("Runs on: stream 0")), qPrintable(lines.join(u'\n')));
        QVERIFY2(lines.filter(QStringLiteral("Waits for: m")).size() == 1, qPrintable(lines.join(u'\n')));
        QVERIFY(linesOf(*planned(1), Focus::on(findNode(*report->program.graph, "j")))
                    .filter(QStringLiteral("stream"))
                    .isEmpty());
    }

    void theWholeGraphSaysHowManyThereAre()
    {
        const QString fact = QStringLiteral("Streams: 2 streams of 4 and 2 nodes, 2 events");
        QVERIFY(linesOf(*planned(2), {}).contains(fact));
        QVERIFY(linesOf(*planned(1), {}).filter(QStringLiteral("Streams: ")).isEmpty());
    }

    void aStorageSaysWhoMayWriteLate()
    {
        const auto report = planned(2);
        const StorageId storage = report->program.values[findValue(*report->program.graph, "va").index()].storage;
        const QString all = linesOf(*report, Focus::on(storage)).join(u'\n');
        QVERIFY2(all.contains(QStringLiteral("Stream 1 may write here from step 5 on: until then it does not wait for "
                                             "'b' of stream 0.")),
                 qPrintable(all));
    }

    void thePlanShowsHowLongBytesAreHeld()
    {
        const auto report = planned(2);
        const PlanPicture picture = makePlanPicture(*report, colourStorages(report->program));
        const StorageId storage = report->program.values[findValue(*report->program.graph, "va").index()].storage;
        const auto mark = std::find_if(picture.waits.begin(), picture.waits.end(),
                                       [&](const WaitMark& one) { return one.storage == storage; });
        QVERIFY(mark != picture.waits.end());
        QCOMPARE(mark->steps, (Interval {3, 5}));
        const auto plain = planned(1);
        QVERIFY(makePlanPicture(*plain, colourStorages(plain->program)).waits.empty());
    }
};

QTEST_APPLESS_MAIN(StreamModelsTest)
#include "tst_stream_models.moc"
