#include "tests/core/facts/table_lines.h"

#include <QTest>

using namespace plimsoll;
using test::compare;
using test::linesOf;

namespace {

struct Place
{
    std::string_view node;
    std::string_view source;
    std::string_view module;
};

Report plannedFrom(std::string_view text, std::initializer_list<Place> places)
{
    Graph graph = test::graphFromText(text);
    for (const Place& place : places) {
        for (Node& node : graph.nodes) {
            if (node.name != place.node) continue;
            node.from.edit().source = place.source;
            node.from.edit().module = place.module;
        }
    }
    Report report = analyse(std::move(graph), {}, {}).value();
    return report;
}

} // namespace

class SourceTableTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Most is alive at step 1, where b is made of a, which d reads later on; c is written over b.
    void bytesAreSummedByLineAndByModule()
    {
        const Report report = plannedFrom(
            "input x float32[64]\nn0: a = Relu(x)\nn1: b = Neg(a)\nn2: c = Exp(b)\n"
            "n3: d = Add(a, c)\noutput d\n",
            {{"n0", "m.py:1", "b.0"}, {"n1", "m.py:2", "b.0.f"}, {"n2", "m.py:3", "b.1"}, {"n3", "m.py:3", "b.1"}});
        compare(linesOf(sourcesTable(), report), R"(
m.py:1 | line | 256 | 50.0 % | 256 | 1 | 1 | a
m.py:2 | line | 256 | 50.0 % | 256 | 1 | 1 | b
m.py:3 | line | 0 | 0.0 % | 512 | 2 | 2 | c
b | module | 512 | 100.0 % | 1,024 (1.00 KiB) | 4 | 4 | a
b.0 | module | 512 | 100.0 % | 512 | 2 | 2 | a
b.0.f | module | 256 | 50.0 % | 256 | 1 | 1 | b
b.1 | module | 0 | 0.0 % | 512 | 2 | 2 | c
)");
    }

    void aRowLeadsToTheLargestThatIsThere()
    {
        const Report report =
            plannedFrom("input x float32[64]\nn0: a = Concat(x, x) axis=0\nn1: b = Relu(x)\nn2: c = Add(a, a)\n"
                        "output b c\n",
                        {{"n0", "m.py:1", ""}, {"n1", "m.py:1", ""}});
        const auto open = sourcesTable().open(report);
        QCOMPARE(open->size(), std::size_t {1});
        QVERIFY(open->focus(0).value == findValue(*report.program.graph, "a"));
    }

    void theTipOfAFindingSaysWhereItWasWritten()
    {
        Report report = plannedFrom("input x float32[64]\nn0: a = Relu(x)\noutput a\n", {{"n0", "m.py:1", "b.0"}});
        report.verdict.findings = {{.rule = Rule::DeadOutput, .nodes = {NodeId(std::size_t {0})}}};
        const auto open = findingsTable().open(report);
        QCOMPARE(open->cell(0, findingsTable().column("What is wrong")).tip, std::string("m.py:1, module b.0"));
    }

    void aFileThatDoesNotSayHasNoRows()
    {
        const Report report = test::planned("input x float32[64]\nn0: a = Relu(x)\noutput a\n");
        compare(linesOf(sourcesTable(), report), "\n");
    }
};

QTEST_GUILESS_MAIN(SourceTableTest)
#include "tst_source_table.moc"
