#include "app/models/window_text.h"
#include "core/facts/about.h"
#include "core/pipeline/pipeline.h"
#include "tests/app/support/table_columns.h"
#include "tests/support/catalogue_text.h"
#include "tests/support/graph_text.h"

#include <QAbstractItemModelTester>
#include <QRegularExpression>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

std::shared_ptr<const Report> planned(const char* offers)
{
    PlanRequest request;
    request.catalogue = std::make_shared<const Catalogue>(test::catalogueFromText(offers));
    Graph graph = test::graphFromText("input x float32[1,22,46,34]\n"
                                      "param w float32[22,22,3,3]\n"
                                      "conv: a = Conv(x, w) pads=[1,1,1,1]\n"
                                      "out: y = Sigmoid(a)\n"
                                      "output y\n");
    return std::make_shared<const Report>(analyse(graph, request, {}).value());
}

constexpr const char* TwoOffers =
    "conv tiles jit in=nChw8c out=nChw8c ms=1 scratch=288 inplace= weights=1:ABcd8b8a:20736\n"
    "conv tiles gemm ms=30\n"
    "conv reference loops ms=90\n";

QStringList rowOf(const TableModel& table, int row)
{
    QStringList cells;
    for (int column = 0; column < table.columnCount(); ++column)
        cells << table.index(row, column).data().toString();
    return cells;
}

} // namespace

class LayoutModelsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyOfferIsARow()
    {
        TableModel table(offersTable());
        QAbstractItemModelTester tester(&table);
        QCOMPARE(table.rowCount(), 0);
        const auto report = planned(TwoOffers);
        table.setReport(report);
        QCOMPARE(table.rowCount(), 3 + 2); // and the reorders around what was taken
        const QStringList first = rowOf(table, 0);
        QCOMPARE(first.mid(0, 5), QStringList({QStringLiteral("conv"), QStringLiteral("taken"), QStringLiteral("tiles"),
                                               QStringLiteral("jit"), QStringLiteral("nChw8c → nChw8c")}));
        QCOMPARE(first[test::columnOf(offersTable(), "In place")], QStringLiteral("never"));
        QCOMPARE(first[test::columnOf(offersTable(), "Time")], QStringLiteral("1 ms"));
        QVERIFY(first[test::columnOf(offersTable(), "Why")].contains(QStringLiteral("with the reorders around it")));
        QCOMPARE(table.index(0, test::columnOf(offersTable(), "Output")).data(SortRole).toLongLong(), 150'144);
        QCOMPARE(table.index(0, test::columnOf(offersTable(), "Prepared")).data(SortRole).toLongLong(), 20'736);
        QCOMPARE(table.index(0, test::columnOf(offersTable(), "Scratchpad")).data(SortRole).toLongLong(), 288);
        QCOMPARE(rowOf(table, 1)[test::columnOf(offersTable(), "Taken")], QString());
        QVERIFY(
            rowOf(table, 1)[test::columnOf(offersTable(), "Why")].contains(QStringLiteral("more than what was taken")));
        QCOMPARE(table.index(1, test::columnOf(offersTable(), "Output")).data(SortRole).toLongLong(), 137'632);
        const QStringList last = rowOf(table, 4);
        QCOMPARE(last.mid(1, 4), QStringList({QStringLiteral("taken"), QStringLiteral("tiles"),
                                              QStringLiteral("reorder"), QStringLiteral("nChw8c → plain")}));
        QVERIFY(last[test::columnOf(offersTable(), "Why")].contains(QStringLiteral("different layouts")));
    }

    void aRowLeadsToItsNodeAndBack()
    {
        TableModel table(offersTable());
        const auto report = planned(TwoOffers);
        table.setReport(report);
        QCOMPARE(table.focusOf(1).node, findNode(*report->program.graph, "conv"));
        QCOMPARE(table.rowOf(table.focusOf(1)), 0); // the offer that was taken
        QCOMPARE(table.rowOf(Focus::on(findNode(*report->program.graph, "out"))), -1);
    }

    void anotherReportBringsItsOwnOffers()
    {
        TableModel table(offersTable());
        table.setReport(planned(TwoOffers));
        QCOMPARE(table.rowCount(), 5);
        table.setReport(planned("conv tiles gemm ms=30\n"));
        QCOMPARE(table.rowCount(), 1);
    }

    void valuesShowTheirLayout()
    {
        TableModel table(valuesTable());
        const auto report = planned(TwoOffers);
        table.setReport(report);
        const auto layout = [&](const char* name) {
            const int row = findValue(*report->program.graph, name).number();
            return table.index(row, test::columnOf(valuesTable(), "Layout")).data().toString();
        };
        QCOMPARE(layout("a"), QStringLiteral("nChw8c"));
        QCOMPARE(layout("w:ABcd8b8a"), QStringLiteral("ABcd8b8a"));
        QCOMPARE(layout("y"), QString());
    }

    void stridedViewsAreNotPlain()
    {
        Graph graph = test::graphFromText("input x float32[3,4]\n"
                                          "v = my::Column(x) alias=0:view:0:4\nvalue v float32[3]\n"
                                          "y = Relu(v)\noutput y\n");
        graph[findValue(graph, "v")].at.edit().strides = {4};
        const auto report = std::make_shared<const Report>(analyse(graph, {}, {}).value());
        const ValueId v = findValue(*report->program.graph, "v");
        TableModel table(valuesTable());
        table.setReport(report);
        QCOMPARE(table.index(v.number(), test::columnOf(valuesTable(), "Layout")).data().toString(),
                 QStringLiteral("strides [4], within 36 B"));
        QStringList facts;
        for (const FactSection& section : sectionsAbout(*report, Focus::on(v))) {
            for (const Fact& fact : section.facts)
                facts << toQString(fact.name) + QStringLiteral(": ") + cellText(fact.cell);
        }
        QVERIFY2(facts.contains(QStringLiteral("Strided view: strides [4], within 36 B")),
                 qPrintable(facts.join(u'\n')));
    }
};

QTEST_GUILESS_MAIN(LayoutModelsTest)
#include "tst_layout_models.moc"
