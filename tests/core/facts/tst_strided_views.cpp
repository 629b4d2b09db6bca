#include "core/facts/english/english.h"
#include "core/facts/words/strided_view.h"
#include "core/formats/plimsoll/graph_json.h"
#include "core/formats/read_graph.h"
#include "core/pipeline/pipeline.h"
#include "core/report/report_json.h"
#include "core/report/writers.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <span>

using namespace plimsoll;

namespace {

Graph readText(const std::string& text)
{
    Result<Graph> graph = readGraph(std::as_bytes(std::span(text)), {});
    if (!graph.ok()) qFatal("%s", describe(graph.error()).c_str());
    return std::move(graph).value();
}

/// A function of w (f32[5, 5]), t (f32[3, 4]) and v (f32[5]), as PyTorch prints it with and without strides.
Graph captured(const QByteArray& body)
{
    return readText("class GraphModule(torch.nn.Module):\n"
                    "    def forward(self, w: \"f32[5, 5]\", t: \"f32[3, 4]\", v: \"f32[5]\"):\n        " +
                    body.toStdString() + "\n        return (r,)\n");
}

Report planned(const Graph& graph)
{
    Result<Report> report = analyse(graph, {}, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

constexpr const char* Column = R"(r: "f32[5]" = torch.ops.aten.select.int(w, 1, 1))";

} // namespace

class StridedViews : public QObject
{
    Q_OBJECT

private slots:
    void viewsThatAreNotOnePieceSayHowTheyLie_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const char* body, const char* expected) {
            QTest::newRow(name) << QByteArray(body) << QByteArray(expected);
        };
        row("a column", Column, "strides [5], within 84 B");
        row("a row", R"(r: "f32[5]" = torch.ops.aten.select.int(w, 0, 1))", "");
        row("transposed", R"(r: "f32[4, 3]" = torch.ops.aten.permute.default(t, [1, 0]))",
            "strides [1,4], within 48 B");
        row("every second column", R"(r: "f32[5, 3]" = torch.ops.aten.slice.Tensor(w, 1, 0, 5, 2))",
            "strides [5,2], within 100 B");
        row("half of a split",
            "split = torch.ops.aten.split.Tensor(t, 2, 1);\n        s: \"f32[3, 2]\" = split[0];\n"
            "        r: \"f32[3, 2]\" = split[1]",
            "strides [4,1], within 40 B");
        row("one of an unbind",
            "u = torch.ops.aten.unbind.int(t, 1);\n        a: \"f32[3]\" = u[0];\n        b: \"f32[3]\" = u[1]\n"
            "        c: \"f32[3]\" = u[2];\n        r: \"f32[3]\" = u[3]",
            "strides [4], within 36 B");
        row("as_strided", R"(r: "f32[2, 2]" = torch.ops.aten.as_strided.default(w, [2, 2], [5, 1], 6))",
            "strides [5,1], within 28 B");
        row("as_strided beyond its argument",
            R"(r: "f32[2, 2]" = torch.ops.aten.as_strided.default(w, [2, 2], [5, 1], 20))", "");
        row("an alias of a column",
            "c: \"f32[5]\" = torch.ops.aten.select.int(w, 1, 1)\n        r: \"f32[5]\" = "
            "torch.ops.aten.alias.default(c)",
            "strides [5], within 84 B");
        row("as printed", R"(r: "f32[5][6]cpu" = torch.ops.aten.diagonal.default(w))", "strides [6], within 100 B");
        row("not printed, and not known", R"(r: "f32[5]" = torch.ops.aten.diagonal.default(w))", "");
        row("repeated, of which the graph has one",
            R"(r: "f32[2, 5][0, 1]cpu" = torch.ops.aten.expand.default(v, [2, 5]))", "");
        row("not a view", R"(r: "f32[5, 5][1, 5]cpu" = torch.ops.aten.exp.default(w))", "");
        row("written",
            "c: \"f32[5]\" = torch.ops.aten.select.int(w, 1, 1)\n        r: \"f32[5]\" = "
            "torch.ops.aten.relu_.default(c)",
            "strides [5], within 84 B");
    }

    void viewsThatAreNotOnePieceSayHowTheyLie()
    {
        QFETCH(QByteArray, body);
        const Graph graph = captured(body);
        QTEST(QByteArray::fromStdString(english(stridesText(graph[findValue(graph, "r")]))), "expected");
    }

    void whatAsStridedLeavesOutIsInTheOffset()
    {
        const Graph graph = captured(R"(r: "f32[2, 2]" = torch.ops.aten.as_strided.default(w, [2, 2], [5, 1], 6))");
        const Node& node = graph[graph[findValue(graph, "r")].producer];
        QVERIFY(node.declared->traits.has_value());
        QCOMPARE(node.declared->traits->at(0).offsetBytes, std::int64_t {24});
    }

    /// Of each dimension one number; what a file says otherwise is not believed.
    void wrongStridesAreNone()
    {
        Graph graph = captured(Column);
        const ValueId r = findValue(graph, "r");
        for (const auto& strides : {Shape {5, 1}, Shape {-5}, Shape {4611686018427387904}, Shape {}}) {
            graph[r].at.edit().strides = strides;
            QVERIFY(stridesText(graph[r]).empty());
        }
    }

    void everyFaceSaysSo()
    {
        const Report report = planned(captured(Column));
        const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(writeReportJson(report)));
        for (const QJsonValue& item : json[QLatin1String("values")].toArray()) {
            const QJsonObject value = item.toObject();
            const bool column = value[QLatin1String("name")] == QLatin1String("r");
            QCOMPARE(value[QLatin1String("strides")], column ? QJsonValue(QJsonArray {5}) : QJsonValue::Undefined);
            QCOMPARE(value[QLatin1String("spanBytes")], column ? QJsonValue(84) : QJsonValue::Undefined);
        }
        QVERIFY(writeHtml(report).find("strides [5], within 84 B") != std::string::npos);
        QVERIFY(writeCsv(report).find(",[5],84,\r\n") != std::string::npos);
    }

    void stridesOutliveTheGraphFile()
    {
        const Graph graph = readText(graphJsonText(captured(Column)).value());
        QCOMPARE(english(stridesText(graph[findValue(graph, "r")])), std::string("strides [5], within 84 B"));
    }
};

QTEST_APPLESS_MAIN(StridedViews)
#include "tst_strided_views.moc"
