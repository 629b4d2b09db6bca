#include "app/models/window_text.h"
#include "core/facts/about.h"
#include "core/picture/graph_picture.h"
#include "core/pipeline/pipeline.h"
#include "tests/app/support/table_columns.h"
#include "tests/support/catalogue_text.h"
#include "tests/support/graph_text.h"

#include <QRegularExpression>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

std::shared_ptr<const Report> planned(const char* offers = "")
{
    Graph graph = test::graphFromText("input x float32[4,100]@csr:40\n"
                                      "input open float32[4,100]@row_sparse\n"
                                      "param w float32[100,2]\n"
                                      "dot: a = MatMul(x, w)\n"
                                      "wave: r = Cos(x)\n"
                                      "keep: k = Identity(open)\n"
                                      "output a r k\n");
    PlanRequest request;
    request.catalogue = std::make_shared<const Catalogue>(test::catalogueFromText(offers));
    return std::make_shared<const Report>(analyse(graph, request, {}).value());
}

/// "Kept as: csr" for every fact, those of all sections.
QStringList linesOf(const Report& report, const Focus& focus)
{
    QStringList lines;
    for (const FactSection& section : sectionsAbout(report, focus)) {
        for (const Fact& fact : section.facts)
            lines << toQString(fact.name) + QStringLiteral(": ") + cellText(fact.cell);
    }
    return lines;
}

} // namespace

/// What tables, the inspector and the graph say of sparse tensors.
class SparseModelsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void theBackendsSayNativeOrFallback()
    {
        TableModel table(offersTable());
        const auto report = planned();
        table.setReport(report);
        QStringList rows;
        for (int row = 0; row < table.rowCount(); ++row)
            rows << table.index(row, test::columnOf(offersTable(), "Node")).data().toString() + u' ' +
                        table.index(row, test::columnOf(offersTable(), "Sparse")).data().toString() + u' ' +
                        table.index(row, test::columnOf(offersTable(), "Implementation")).data().toString();
        QCOMPARE(rows, (QStringList {"dot native csr + dense", "wave fallback ", "keep native row_sparse"}));
        QVERIFY(table.index(1, test::columnOf(offersTable(), "Why"))
                    .data()
                    .toString()
                    .contains("Dense temporaries of 1,600 B"));
    }

    void whatTakesDenseTensorsIsNotNative()
    {
        TableModel table(offersTable());
        const auto report = planned("dot fast gemm ms=1\ndot fast spmm takes=csr,dense leaves=dense ms=9\n");
        table.setReport(report);
        const auto cell = [&](int row, int column) { return table.index(row, column).data().toString(); };
        QCOMPARE(cell(0, test::columnOf(offersTable(), "Implementation")) + u' ' +
                     cell(0, test::columnOf(offersTable(), "Sparse")),
                 QStringLiteral("gemm "));
        QCOMPARE(cell(1, test::columnOf(offersTable(), "Sparse")), QStringLiteral("native"));
        QVERIFY(cell(0, test::columnOf(offersTable(), "Why"))
                    .contains("It takes dense tensors, and the node has csr + dense."));
    }

    void valuesSayHowTheyAreKept()
    {
        const auto report = planned();
        TableModel table(valuesTable());
        table.setReport(report);
        const int row = findValue(*report->program.graph, "x").number();
        QCOMPARE(table.index(row, test::columnOf(valuesTable(), "Type")).data().toString(),
                 QStringLiteral("csr(float32[4,100], at most 40)"));
        const QStringList facts = linesOf(*report, Focus::on(findValue(*report->program.graph, "x")));
        QVERIFY2(facts.contains(QStringLiteral("Kept as: csr")), qPrintable(facts.join(u'\n')));
        QVERIFY(facts.contains(QStringLiteral("Keeps at most: 40 elements")));
        QVERIFY(linesOf(*report, Focus::on(findValue(*report->program.graph, "open")))
                    .contains(QStringLiteral("Keeps at most: no bound given")));
    }

    void nodesSayWhyTheyFallBack()
    {
        const auto report = planned();
        const QStringList wave = linesOf(*report, Focus::on(findNode(*report->program.graph, "wave")));
        QVERIFY2(
            wave.contains(QStringLiteral("Dense fallback: nothing computes Cos for csr(float32[4,100], at most 40)")),
            qPrintable(wave.join(u'\n')));
        const QStringList dot = linesOf(*report, Focus::on(findNode(*report->program.graph, "dot")));
        QVERIFY(dot.contains(QStringLiteral("Kept as: csr + dense → dense")));
    }

    void theGraphShowsConversionsApart()
    {
        const auto report = planned();
        const GroupTree tree = groupNodes(*report->program.graph);
        const GraphPicture picture = makeGraphPicture(*report, StorageColours(report->program.storages.size(), 0), tree,
                                                      Expansion(tree.groups.size(), 1));
        QStringList boxes;
        for (const GraphBox& box : picture.boxes) {
            if (box.kind != BoxKind::Node) continue;
            boxes << QString::fromStdString(box.title + (box.reorder ? " (ours): " : ": ") + box.count);
        }
        boxes.sort();
        QCOMPARE(boxes, (QStringList {"CastStorage (ours): csr → dense", "Cos: ", "Identity: row_sparse",
                                      "MatMul: csr + dense → dense"}));
    }
};

QTEST_GUILESS_MAIN(SparseModelsTest)
#include "tst_sparse_models.moc"
