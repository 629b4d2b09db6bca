#include "core/facts/about.h"
#include "core/facts/tables.h"
#include "core/pipeline/pipeline.h"
#include "tests/support/document_cells.h"
#include "tests/support/graph_text.h"

#include <QTest>

#include <set>

using namespace plimsoll;

namespace {

/// b is written over a, and c beside it.
Report planned()
{
    return analyse(test::graphFromText("graph g\ninput x float32[4,256]\nparam w float32[4,256]\n"
                                       "first: a = Add(x, w)\nsecond: b = Relu(a)\nthird: c = Mul(b, x)\noutput c\n"),
                   {}, {})
        .value();
}

QString text(const Cell& cell)
{
    return QString::fromStdString(fullText(cell) + "|" + briefText(cell) + "|" + tipText(cell) + "|" + plainText(cell));
}

} // namespace

/// Cells, tables and sections, as every face reads them.
class tst_Tables : public QObject
{
    Q_OBJECT

private slots:
    void cellsAreRendered_data()
    {
        QTest::addColumn<QString>("cell");
        QTest::addColumn<QString>("texts"); ///< In full, in brief, as a tip, for programs.
        const auto row = [](const char* name, const Cell& cell, const char* texts) {
            QTest::newRow(name) << text(cell) << QString::fromUtf8(texts);
        };
        row("text", cell::text("cpu").withTip("memory"), "cpu|cpu|memory|cpu");
        row("bytes", cell::bytes(4096), "4,096 (4.00 KiB)|4.00 KiB|4,096 bytes|4096");
        row("bytes before the run", cell::bytes(-1), "unknown|unknown|not known before the run|");
        row("no bytes", cell::bytesOrBlank(0), "||0 bytes|");
        row("an offset", cell::offset(4096), "4,096|0x1000|4,096 bytes|4096");
        row("a change", cell::change(-2048), "−2,048 (−2.00 KiB)|−2.00 KiB|−2,048 (−2.00 KiB)|-2048");
        row("a small change", cell::change(512), "+512 B|+512 B|+512 B|512");
        row("an area", cell::area(2048), "2,048|2.00 Ki|2,048|2,048");
        row("a small area", cell::area(512), "512|512|512|512");
        row("a share", cell::percent(0.127), "12.7 %|12.7 %|12.7 %|12.7 %");
        row("a time", cell::seconds(0.0123), "12.3 ms|12.3 ms|12.3 ms|12.3 ms");
        row("steps", cell::steps(LiveRanges({0, 1234})), "[0, 1,234)|[0, 1,234)|[0, 1,234)|[0, 1234)");
        row("a severity", cell::level(Severity::Warning), "warning|warning|warning|warning");
        row("a choice", cell::choice("fold", "all"), "fold=all|fold=all|fold=all|fold=all");
    }
    void cellsAreRendered()
    {
        QFETCH(QString, cell);
        QTEST(cell, "texts");
    }

    void aSentenceSortsByItsWords()
    {
        const Cell cell = cell::sentence(Message("plain text"));
        QCOMPARE(fullText(cell), std::string("plain text"));
        QVERIFY(std::get<std::string>(sortKey(cell)) == "plain text");
    }

    void idsAndColumnsAreDistinct()
    {
        std::set<std::string_view> ids;
        for (const TableUse& use : TableUses) {
            const FactTable& table = use.table();
            QVERIFY2(ids.insert(table.id).second, table.id.data());
            QVERIFY2(table.sortedBy < static_cast<int>(table.columns.size()), table.id.data());
            std::set<std::string_view> titles;
            for (const ColumnInfo& column : table.columns) {
                QVERIFY2(titles.insert(column.title).second, table.id.data());
                QVERIFY2(use.pane.label.empty() || !column.tip.empty(), column.title.data());
            }
            QVERIFY2(use.pane.label.empty() || !table.empty.empty(), table.id.data());
        }
    }

    void everyRowOfEveryTableHasCells()
    {
        const Report report = planned();
        for (const TableUse& use : TableUses) {
            const auto open = use.table().open({report, &report});
            for (std::size_t row = 0; row < open->size(); ++row) {
                for (std::size_t column = 0; column < use.table().columns.size(); ++column)
                    QVERIFY2(!fullText(open->cell(row, column)).empty() || open->cell(row, column).order ||
                                 open->cell(row, column).kind == Cell::Kind::Text ||
                                 open->cell(row, column).kind == Cell::Kind::Sentence,
                             use.table().id.data());
            }
        }
    }

    void implementationsInUseAreCounted()
    {
        const DocumentTable table = documentTable(implementationsTable(), planned(), AllRows);
        QCOMPARE(table.rows.size(), std::size_t {1});
        QCOMPARE(test::firstUnder(table, "Nodes"), std::string("3"));
        QCOMPARE(test::firstUnder(table, "First node"), std::string("first"));
    }

    void aRowIsFoundByWhatItShows()
    {
        const Report report = planned();
        const ValueId b = findValue(*report.program.graph, "b");
        const auto values = valuesTable().open({report});
        const auto storages = storagesTable().open({report});
        QCOMPARE(values->rowOf(Focus::on(b)), std::optional(b.index()));
        QCOMPARE(storages->rowOf(Focus::on(b)), std::optional(report.program.values[b.index()].storage.index()));
        QVERIFY(!values->rowOf(Focus::atStep(1)));
        QVERIFY(!arenasTable().open({report})->rowOf(Focus::on(b)));
    }

    void aDocumentShowsTheFirstRowsAndCountsTheRest()
    {
        const Report report = planned();
        const DocumentTable cut = documentTable(valuesTable(), report, 2);
        QCOMPARE(cut.rows.size(), std::size_t {2});
        QCOMPARE(cut.total, report.program.values.size());
        QCOMPARE(english(cut.note), std::string("Showing 2 of 5."));
        // What lies in an arena goes before what does not.
        QVERIFY(fullText(cut.rows.front().front()) != "x");
        QVERIFY(documentTable(savedTable(), report, 9).empty());
        QVERIFY(documentTable(whatIfTable(), report, 9).empty());
        QVERIFY(documentTable(notesTable(), report, 9).empty());
    }

    void sectionsSayEverythingOfAValue()
    {
        const Report report = planned();
        const Focus focus = Focus::on(findValue(*report.program.graph, "b"));
        const std::string text =
            sectionsText(std::string(focusKind(focus)) + " " + focusTitle(report, focus), sectionsAbout(report, focus),
                         [](const Cell& cell) { return fullText(cell); });
        for (const char* said :
             {"value b\n\nWhat it is\n  Type: float32[4,256]\n", "  Written by: second (Relu, step 1)\n",
              "  Read by: third (Mul, step 2)\n", "  Shares as: in-place\n", "Decisions\n"})
            QVERIFY2(text.find(said) != std::string::npos, text.c_str());
    }

    void longListsEnd()
    {
        const Report report = planned();
        const auto sections = sectionsAbout(report, Focus::on(findNode(*report.program.graph, "first")), 1);
        const auto reads = std::ranges::find(sections, std::string("Reads"), &FactSection::title);
        QVERIFY(reads != sections.end());
        QCOMPARE(reads->facts.size(), std::size_t {2});
        QCOMPARE(fullText(reads->facts.back().cell), std::string("and 1 more"));
    }
};

QTEST_APPLESS_MAIN(tst_Tables)
#include "tst_tables.moc"
