#include "core/facts/tables.h"
#include "core/report/writers.h"

#include "core/base/bytes.h"
#include "core/formats/packing/packing_csv.h"
#include "core/formats/read_graph.h"
#include "core/pipeline/pipeline.h"

#include "tests/core/picture/picture_samples.h"
#include "tests/support/planned.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>
#include <QXmlStreamReader>

using namespace plimsoll;
using plimsoll::test::planned;

namespace {

constexpr std::string_view Nested = R"(
    graph nested
    input k bool[]
    input x float32[16]
    param w float32[16]
    p: h = Add(x, w)
    i: y = If(k)
    body then_branch
      a: t = Relu(h)
      output t
    end
    body else_branch
      b: e = Neg(h)
      output e
    end
    q: z = Mul(y, h)
    output z
)";

/// A report in which every name of the graph attacks some format.
Report hostile()
{
    Report report = planned(Nested);
    auto graph = std::make_shared<Graph>(*report.program.graph);
    const std::string name = "</script><b>\"'&]]>\\ |`*\n=1,2;\x01\xFF\xC0\xAF end";
    graph->name = name;
    for (Value& value : graph->values)
        value.name = name + value.name;
    for (Node& node : graph->nodes)
        node.name = name + node.name;
    report.program.graph = graph;
    report.planning.environment[name] = Message(name);
    report.verdict.findings.push_back({Rule::Overlap,
                                       Severity::Error,
                                       Message(name),
                                       {ValueId(3)},
                                       {NodeId(0)},
                                       ArenaId(0),
                                       {0, 2},
                                       {0, 64},
                                       Message(name)});
    report.decisions.push_back({DecisionKind::InPlace, name, name, true, "rule", Message(name), 64});
    report.captured.bindings.push_back({name, 2, true});
    report.memory.unplanned.push_back({ValueId(3), Message(name), -1});
    report.run.emplace();
    report.run->mode = "numeric";
    report.run->mismatches.push_back({name, name, 1, 0.5, Message(name)});
    return report;
}

/// "" or what is wrong with it.
QString xmlError(const QByteArray& text)
{
    QXmlStreamReader reader(text);
    while (!reader.atEnd())
        reader.readNext();
    return reader.hasError() ? reader.errorString() : QString();
}

/// Elements that draw something.
int shapesIn(const QByteArray& svg)
{
    int shapes = 0;
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() != QStringLiteral("title")) ++shapes;
    }
    return shapes;
}

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

/// Rows and cells after RFC 4180.
std::vector<std::vector<std::string>> parseCsv(const std::string& text)
{
    std::vector<std::vector<std::string>> rows = {{std::string()}};
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string& cell = rows.back().back();
        if (quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"')
            cell += text[i++];
        else if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted && text[i] == ',')
            rows.back().emplace_back();
        else if (!quoted && text[i] == '\r' && text[i + 1] == '\n')
            rows.push_back({std::string()}), ++i;
        else
            cell += text[i];
    }
    rows.pop_back();
    return rows;
}

bool dotAccepts(const QByteArray& text, QString* why)
{
    QProcess dot;
    dot.start(QStringLiteral("dot"), {QStringLiteral("-Tplain")});
    dot.write(text);
    dot.closeWriteChannel();
    const bool done = dot.waitForFinished(60000);
    *why = QString::fromUtf8(dot.readAllStandardError());
    return done && dot.exitCode() == 0 && why->isEmpty();
}

} // namespace

class TestWriters : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void svgIsWellFormed();
    void namesInSvgLieBesideOneAnother();
    void thePictureHasALegendAndOperators();
    void htmlIsWellFormedAndLoadsNothing();
    void htmlAndMarkdownCarryTheNumbersOfTheReport();
    void htmlEscapesHostileNames();
    void marksThatTurnTextRoundAreWrittenOut();
    void markdownTablesKeepTheirColumns();
    void csvHasOneRowForEachValueAndReadsBack();
    void csvNeverStartsAFormula();
    void buffersAreReadByThePacker();
    void rowsOfATableAreWrittenAsTheyStand();
    void rangesHaveSeparatorsForPeopleAlone();
    void whatWasNotedIsWritten();
    void onlyPlannedStoragesAreCounted();
    void dotIsAcceptedByGraphviz();
    void theVerdictSaysWhatIsWrong();
    void longTablesSayHowMuchTheyLeaveOut();
    void aPictureOfAHundredThousandBarsIsBounded();
    void anEmptyGraphHasAReport();
    void hugeSizesDoNotHang();
};

/// Short bars that go on in the same bytes have one name.
void TestWriters::namesInSvgLieBesideOneAnother()
{
    std::string text = "input x float32[64]\nfirst = Sin(x)\n";
    std::string last = "first";
    for (int i = 1; i < 40; ++i) {
        const std::string next = "v" + std::to_string(i);
        text += next + " = Exp(" + last + ")\n";
        last = next;
    }
    const QByteArray svg = bytes(writeSvg(planned(text + "y = ReduceSum(" + last + ")\noutput y\n")));
    QVERIFY(svg.contains(">first<"));
    QVERIFY(!svg.contains(">v1<"));
}

void TestWriters::svgIsWellFormed()
{
    for (const Report& report : {planned(Nested), hostile()}) {
        const QByteArray svg = bytes(writeSvg(report));
        QCOMPARE(xmlError(svg), QString());
        QVERIFY(!svg.contains("class="));
        QVERIFY2(!svg.contains("url("), "not every viewer resolves references");
    }
}

void TestWriters::thePictureHasALegendAndOperators()
{
    const QByteArray svg = bytes(writeSvg(planned("input x float32[64]\na = Sin(x)\nb = Relu(a)\noutput b\n")));
    for (const char* word : {">Sin<", ">Relu<", ">written in place<", ">output<"})
        QVERIFY2(svg.contains(word), word);
    QVERIFY2(!svg.contains(">scratchpad<") && !svg.contains(">broken rule<"), "nothing of it is seen");
}

void TestWriters::htmlIsWellFormedAndLoadsNothing()
{
    for (const Report& report : {planned(Nested), hostile()}) {
        QByteArray html = bytes(writeHtml(report));
        QCOMPARE(html.count("http"), html.count("<meta http-equiv="));
        QVERIFY(!html.contains("<script"));
        QVERIFY(!html.contains("src="));
        QVERIFY(!html.contains("href="));
        QVERIFY(!html.contains("@import"));
        QVERIFY(html.contains("prefers-color-scheme:dark"));
        // Void elements and bare attributes aside it is XML, so that every tag closes where it should.
        QString text = QString::fromUtf8(html.replace("<!DOCTYPE html>", "").replace(" open>", ">"));
        text.replace(QRegularExpression(QStringLiteral("<meta ([^>]*)>")), QStringLiteral("<meta \\1/>"));
        QCOMPARE(xmlError(text.toUtf8()), QString());
    }
}

void TestWriters::htmlAndMarkdownCarryTheNumbersOfTheReport()
{
    const Report report = planned(Nested);
    QVERIFY(report.memory.peakBytes > 0);

    for (const std::string& text : {writeHtml(report), writeMarkdown(report)}) {
        for (const std::int64_t number :
             {report.memory.peakBytes, report.memory.lowerBoundBytes, report.memory.noReuseBytes,
              report.memory.externalBytes, report.memory.parameterBytes}) {
            QVERIFY2(text.find(formatCount(number)) != std::string::npos, formatCount(number).c_str());
        }
        for (const char* name : {"alignment", "i/then_branch/t", "placement"}) {
            QVERIFY2(bytes(text).replace("\\_", "_").contains(name), name);
        }
    }
}

void TestWriters::htmlEscapesHostileNames()
{
    const QByteArray html = bytes(writeHtml(hostile()));

    QVERIFY(html.contains("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"));
    QVERIFY(!html.contains("</script>"));
    QVERIFY(!html.contains("<b>"));
    QVERIFY(!html.contains('\x01'));
    QVERIFY(QString::fromUtf8(html).toUtf8() == html);
    QVERIFY(html.contains("&lt;/script&gt;&lt;b&gt;&quot;&#39;&amp;"));
    QVERIFY(html.contains("td class=\"error\""));
}

void TestWriters::marksThatTurnTextRoundAreWrittenOut()
{
    Report report = planned(Nested);
    auto graph = std::make_shared<Graph>(*report.program.graph);
    graph->name = "\xE2\x80\xAEgraph";
    for (Value& value : graph->values)
        value.name = "\xE2\x80\xAE" + value.name + "\xE2\x81\xA9";
    report.program.graph = graph;

    for (const std::string& text :
         {writeHtml(report), writeSvg(report), writeMarkdown(report), writeGraphDot(report)}) {
        QVERIFY(text.find("\xE2\x80\xAE") == std::string::npos);
        QVERIFY(text.find("\xE2\x81\xA9") == std::string::npos);
        QVERIFY(text.find("u202e") != std::string::npos);
    }
}

void TestWriters::markdownTablesKeepTheirColumns()
{
    const QStringList lines = QString::fromStdString(writeMarkdown(hostile())).split(QLatin1Char('\n'));
    qsizetype columns = 0;
    int tables = 0;
    for (QString line : lines) {
        if (!line.startsWith(QLatin1Char('|'))) {
            columns = 0;
            continue;
        }
        const qsizetype borders =
            line.remove(QStringLiteral("\\\\")).remove(QStringLiteral("\\|")).count(QLatin1Char('|'));
        if (columns == 0) ++tables;
        if (columns == 0) columns = borders;
        QVERIFY2(borders == columns, qPrintable(line));
    }
    QVERIFY(tables >= 9);
}

void TestWriters::csvHasOneRowForEachValueAndReadsBack()
{
    const Report report = hostile();

    const auto rows = parseCsv(writeCsv(report));

    QCOMPARE(rows.size(), report.program.graph->values.size() + 1);
    const auto column = [&](const std::string& title) {
        return static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), title) - rows[0].begin());
    };
    for (std::size_t i = 0; i < report.program.values.size(); ++i) {
        const auto& row = rows[i + 1];
        QCOMPARE(row.size(), rows[0].size());
        QCOMPARE(row[column("requiredBytes")], std::to_string(report.program.values[i].requiredBytes));
        QCOMPARE(row[column("storage")], std::to_string(report.program.values[i].storage.number()));
        QVERIFY(row[0].starts_with("</script><b>\"'&]]>\\ |`*\n=1,2;"));
    }
}

void TestWriters::buffersAreReadByThePacker()
{
    const Report report = planned("input x float32[64]\na: p, q = Split(x)\nb: r = Exp(p)\nc: p2 = Neg(q)\n"
                                  "d: y = Concat(r, p2) axis=0\noutput y\n");
    std::istringstream text(writeBuffersCsv(report));
    const auto read = readPackingCsv(text);
    QVERIFY2(read.ok(), read.ok() ? "" : describe(read.error()).c_str());
    std::size_t rows = 0;
    for (const Storage& storage : report.program.storages) {
        if (!storage.arena.valid() || storage.bytes == 0) continue;
        const Buffer& buffer = read.value().problem.buffers[rows++];
        QCOMPARE(buffer.bytes, storage.bytes);
        QCOMPARE(buffer.live, storage.live);
        QCOMPARE(read.value().offsets[rows - 1], storage.offset);
    }
    QCOMPARE(rows, read.value().ids.size());
}

void TestWriters::csvNeverStartsAFormula()
{
    Report report = planned(Nested);
    auto graph = std::make_shared<Graph>(*report.program.graph);
    graph->values[0].name = "=cmd|'/c calc'!A0";
    report.program.graph = graph;

    QCOMPARE(parseCsv(writeCsv(report))[1][0], std::string("'=cmd|'/c calc'!A0"));
}

void TestWriters::rowsOfATableAreWrittenAsTheyStand()
{
    const Report report = planned("input x float32[64]\na = Sin(x)\nb = Relu(a)\noutput b\n");
    const FactTable& table = nodesTable();
    const auto open = table.open({report});
    QCOMPARE(open->size(), std::size_t(2));
    const std::vector<std::uint32_t> rows = {1, 0};
    const auto csv = parseCsv(writeCsv(table, *open, rows));
    QCOMPARE(csv.size(), std::size_t(3));
    QCOMPARE(csv[0].size(), table.columns.size());
    QCOMPARE(csv[0][0], std::string(table.columns[0].title));
    QCOMPARE(csv[1][0], plainText(open->cell(1, 0)));
    QCOMPARE(csv[2][0], plainText(open->cell(0, 0)));
    const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(writeJson(table, *open, rows))).array();
    QCOMPARE(json.size(), 2);
    QCOMPARE(json[1].toObject()[QStringLiteral("Step")], QJsonValue(0));
    QCOMPARE(json[1].toObject()[QStringLiteral("Operator")], QJsonValue(QStringLiteral("Sin")));
    const QStringList lines = QString::fromStdString(writeMarkdown(table, *open, rows)).split(u'\n');
    QCOMPARE(lines.size(), 5); // titles, rule, two rows, an end
    QVERIFY(lines[2].startsWith(QString::fromStdString("| " + fullText(open->cell(1, 0)) + " |")));
}

void TestWriters::rangesHaveSeparatorsForPeopleAlone()
{
    Report report = planned(Nested);
    report.program.values[0].live = LiveRanges({0, 1234});
    report.program.values[0].live.add({2000, 2001});
    report.verdict.findings.push_back(
        {Rule::Overlap, Severity::Error, Message("m"), {}, {}, ArenaId(0), {1200, 1300}, {4096, 8192}, {}});

    const auto rows = parseCsv(writeCsv(report));
    const auto column = std::find(rows[0].begin(), rows[0].end(), "liveSteps") - rows[0].begin();
    const std::string markdown = writeMarkdown(report);

    QCOMPARE(rows[1][static_cast<std::size_t>(column)], std::string("[0, 1234) [2000, 2001)"));
    QVERIFY(markdown.find("[1,200, 1,300)") != std::string::npos);
    QVERIFY(markdown.find("[4,096, 8,192)") != std::string::npos);
}

void TestWriters::whatWasNotedIsWritten()
{
    Report report = planned(Nested);
    QVERIFY(writeMarkdown(report).find("## Notes") == std::string::npos);
    report.notes = {Message("The file is missing.")};

    QVERIFY(writeMarkdown(report).find("The file is missing.") != std::string::npos);
    QVERIFY(writeHtml(report).find("The file is missing.") != std::string::npos);
}

void TestWriters::onlyPlannedStoragesAreCounted()
{
    const Report report = planned(Nested);
    const auto planned = std::count_if(report.program.storages.begin(), report.program.storages.end(),
                                       [](const auto& s) { return s.arena.valid(); });
    QVERIFY(static_cast<std::size_t>(planned) < report.program.storages.size());

    const std::string text = ", " + std::to_string(planned) + " storages, ";
    QVERIFY2(writeMarkdown(report).find(text) != std::string::npos, text.c_str());
}

void TestWriters::dotIsAcceptedByGraphviz()
{
    const QByteArray text = bytes(writeGraphDot(planned(Nested)));
    QVERIFY(text.contains("subgraph cluster_1"));
    QVERIFY(text.contains("label=\"i/else_branch\""));
    if (QStandardPaths::findExecutable(QStringLiteral("dot")).isEmpty()) QSKIP("dot is not installed");
    QString why;
    QVERIFY2(dotAccepts(text, &why), qPrintable(why));
    QVERIFY2(dotAccepts(bytes(writeGraphDot(hostile())), &why), qPrintable(why));
}

void TestWriters::theVerdictSaysWhatIsWrong()
{
    const Report good = planned(Nested);
    Report bad = good;
    bad.verdict.findings.push_back(
        {Rule::Overlap, Severity::Error, Message("x over y"), {}, {}, ArenaId(0), {0, 1}, {0, 64}, Message("move x")});

    QVERIFY(bytes(writeMarkdown(good)).contains("Legal. Peak "));
    QVERIFY(bytes(writeMarkdown(bad)).contains("Not legal: 1 error (overlap)."));
    Report worse = bad;
    worse.verdict.findings.push_back(bad.verdict.findings.back());
    QVERIFY(bytes(writeMarkdown(worse)).contains("Not legal: 2 errors (overlap)."));
    QVERIFY(bytes(writeHtml(bad)).contains("class=\"verdict bad\""));
    QVERIFY(bytes(writeSvg(bad)).contains("x over y"));
}

void TestWriters::longTablesSayHowMuchTheyLeaveOut()
{
    Report report = planned(Nested);
    for (int i = 0; i < 5000; ++i)
        report.decisions.push_back(
            {DecisionKind::Alias, "value" + std::to_string(i), "", false, "rule", Message("reason"), i});

    const QByteArray html = bytes(writeHtml(report));

    QVERIFY(html.contains("Showing 300 of " +
                          QByteArray::fromStdString(formatCount(static_cast<std::int64_t>(report.decisions.size())))));
    QVERIFY(html.contains("value4999"));
    QVERIFY(!html.contains("value1000<"));
}

void TestWriters::aPictureOfAHundredThousandBarsIsBounded()
{
    const Report report = test::randomReport(100'000, 7);

    const QByteArray svg = bytes(writeSvg(report));

    QCOMPARE(xmlError(svg), QString());
    const int shapes = shapesIn(svg);
    QVERIFY2(shapes > 1'000 && shapes <= 20'000, qPrintable(QString::number(shapes)));
    QVERIFY(svg.contains("too small to tell apart"));
}

void TestWriters::anEmptyGraphHasAReport()
{
    Report report;
    report.program.graph = std::make_shared<Graph>();

    QCOMPARE(xmlError(bytes(writeSvg(report))), QString());
    QVERIFY(writeHtml(report).size() > 1000);
    QVERIFY(writeMarkdown(report).find("an unnamed graph") != std::string::npos);
    QCOMPARE(parseCsv(writeCsv(report)).size(), std::size_t {1});
    QVERIFY(!writeGraphDot(report).empty());
}

void TestWriters::hugeSizesDoNotHang()
{
    Report report = test::reportOf({{.name = "a", .steps = {0, 2}, .bytes = std::int64_t {1} << 61, .offset = 0}});
    report.memory.peakBytes = report.memory.noReuseBytes = std::int64_t {1} << 61;

    QCOMPARE(xmlError(bytes(writeSvg(report))), QString());
}

QTEST_APPLESS_MAIN(TestWriters)
#include "tst_writers.moc"
