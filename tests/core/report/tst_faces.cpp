#include "core/facts/english/english.h"
#include "core/facts/tables.h"
#include "core/pipeline/pipeline.h"
#include "core/report/escape.h"
#include "core/report/placement_json.h"
#include "core/report/writers.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace plimsoll;

namespace {

/// A plan with findings, holes, notes, a backward graph and a run.
Report planned()
{
    PlanRequest request;
    test::chooseFromText(request.policies, "placement=no-reuse inplace=off capacity=cpu=512");
    Report report = analyse(test::graphFromText("graph g\ninput x float32[n,4]\nparam w float32[4,16]\n"
                                                "n0: h = MatMul(x, w)\nn1: r = Exp(h)\nn2: s = Relu(r)\n"
                                                "n3: l = ReduceSum(s) keepdims=0\noutput l\ngrad w\nloss l\n"),
                            request, {})
                        .value();
    report.run.emplace();
    report.run->mode = "numeric";
    report.run->mismatches = {{"r", "n1", 1, 0.5, Message("4 of 4 elements differ"), Rule::WrongValue}};
    report.run->outputs = {{"l", DType::Float32, {}, {"1.5"}, "c0ffee"}};
    ProbeWrite write {.handle = {true, 0, "l"}};
    write.changed = {{{false, 0, "x"}, 16, false}};
    report.run->probe.emplace().writes = {write};
    return report;
}

/// "| a | b |" of a row of Markdown.
std::string markdownRow(const std::vector<Cell>& row)
{
    std::string text = "|";
    for (const Cell& cell : row)
        text += " " + escapeMarkdown(fullText(cell)) + " |";
    return text + "\n";
}

/// So many times \p part stands in \p text.
int countOf(const std::string& text, const std::string& part)
{
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++count;
    return count;
}

/// One sentence in other words, as long as it lives.
class OneReworded
{
public:
    OneReworded(std::string_view id, std::string_view text)
    {
        std::vector<Sentence> sentences = englishSentences();
        for (Sentence& sentence : sentences)
            if (sentence.id == id) sentence.text = text;
        speak(std::move(sentences));
    }
    OneReworded(const OneReworded&) = delete;
    OneReworded& operator=(const OneReworded&) = delete;
    ~OneReworded() { speak({}); }
};

} // namespace

/// A table is declared once, and each kind of file shows the same of it.
class FacesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyTableStandsInBothDocuments();
    void everyCellOfAPageIsThatOfItsTable();
    void csvIsTheTableForPrograms();
    void aRewordedSentenceChangesNothingElse();
    void aSearchIsListedFromItsFirstPlan();
};

void FacesTest::everyTableStandsInBothDocuments()
{
    const Report report = planned();
    const std::string page = writeHtml(report);
    const std::string markdown = writeMarkdown(report);
    int shown = 0;
    for (const TableUse& use : TableUses) {
        const FactTable& table = use.table();
        const bool onPage = use.onPage > 0 && !documentTable(table, report, use.onPage).empty();
        const bool inMarkdown = use.inMarkdown > 0 && !documentTable(table, report, use.inMarkdown).empty();
        shown += onPage ? 1 : 0;
        QCOMPARE(countOf(page, "<details id=\"" + std::string(table.id) + "\""), onPage ? 1 : 0);
        QCOMPARE(countOf(page, "<details id=\"" + std::string(table.id) + "\" open>"), onPage && !use.folded ? 1 : 0);
        QCOMPARE(countOf(markdown, "\n## " + escapeMarkdown(std::string(table.title)) + "\n"), inMarkdown ? 1 : 0);
    }
    QVERIFY(shown > 12);
}

void FacesTest::everyCellOfAPageIsThatOfItsTable()
{
    const Report report = planned();
    const std::string page = writeHtml(report);
    const std::string markdown = writeMarkdown(report);
    for (const TableUse& use : TableUses) {
        const FactTable& table = use.table();
        for (const auto& row : documentTable(table, report, use.inMarkdown).rows)
            QVERIFY2(markdown.find(markdownRow(row)) != std::string::npos, markdownRow(row).c_str());
        for (const auto& row : documentTable(table, report, use.onPage).rows) {
            for (const Cell& cell : row) {
                const std::string end = ">" + escapeXml(fullText(cell)) + "</td>";
                QVERIFY2(page.find(end) != std::string::npos, end.c_str());
            }
        }
    }
    QVERIFY(page.find("<td class=\"error\">error</td>") != std::string::npos);
}

void FacesTest::csvIsTheTableForPrograms()
{
    const Report report = planned();
    const std::string csv = writeCsv(report);
    const auto open = valuesFile().open({report});
    QCOMPARE(countOf(csv, "\r\n"), static_cast<int>(open->size()) + 1);
    QVERIFY(csv.starts_with("name,role,dtype,shape,producer,storage,arena,space,offset,logicalBytes,"));
    const std::size_t h = findValue(*report.program.graph, "h").index();
    std::string line = "\r\n";
    for (std::size_t column = 0; column < valuesFile().columns.size(); ++column)
        line += (column == 0 ? "" : ",") + escapeCsv(plainText(open->cell(h, column)));
    QVERIFY2(csv.find(line + "\r\n") != std::string::npos, line.c_str());
    QVERIFY2(line.starts_with("\r\nh,intermediate,float32,\"[1,16]\",n0,"), line.c_str());
}

void FacesTest::aRewordedSentenceChangesNothingElse()
{
    const Report report = planned();
    const std::string page = writeHtml(report);
    const std::string markdown = writeMarkdown(report);
    const std::string before = "placement=no-reuse makes one plan; best would search for a lower one.";
    QVERIFY(page.find(before) != std::string::npos);
    {
        const OneReworded other("gap.one-plan", "Nothing but {0} was tried.");
        std::string said = writeHtml(report);
        const std::string after = "Nothing but placement=no-reuse was tried.";
        QCOMPARE(countOf(said, after), countOf(page, before));
        for (std::size_t at = said.find(after); at != std::string::npos; at = said.find(after))
            said.replace(at, after.size(), before);
        QVERIFY(said == page);
        QVERIFY(writeMarkdown(report) != markdown);
    }
    QVERIFY(writeHtml(report) == page);
}

void FacesTest::aSearchIsListedFromItsFirstPlan()
{
    const auto history = historyJson({{0.5, 10, 4096, 1024, "sweep"}, {1.5, 20, 2048, 1024, "windows"}});
    QCOMPARE(history.dump(),
             std::string(R"([{"seconds":0.5,"work":10,"peakBytes":4096,"lowerBoundBytes":1024,"member":"sweep"},)"
                         R"({"seconds":1.5,"work":20,"peakBytes":2048,"lowerBoundBytes":1024,"member":"windows"}])"));
    QCOMPARE(historyJson({}).dump(), std::string("[]"));
}

QTEST_GUILESS_MAIN(FacesTest)
#include "tst_faces.moc"
