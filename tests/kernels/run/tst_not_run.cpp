#include "kernels/run/control/not_run.h"

#include "core/facts/english/english.h"

#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

const char* const Nested = "input c bool[]\ninput x float32[4]\na: y = If(c)\n"
                           "body then_branch\n"
                           "  t: u = If(c)\n"
                           "  body then_branch\n    p: v = Neg(x)\n    output v\n  end\n"
                           "  body else_branch\n    q: w = Abs(x)\n    output w\n  end\n"
                           "  output u\n"
                           "end\n"
                           "body else_branch\n  e: z = Exp(x)\n  output z\nend\n"
                           "output y\n";

/// \p ran: the first nodes of the bodies that ran.
QStringList notesOf(const Graph& graph, std::initializer_list<const char*> ran)
{
    std::map<BodyId, std::int64_t> runs;
    for (const char* node : ran)
        runs[graph[findNode(graph, node)].body] = 1;
    QStringList notes;
    for (const std::string& note : english(kernels::notRunNotes(graph, runs)))
        notes << QString::fromStdString(note);
    return notes;
}

} // namespace

/// Which nested graphs a run left out.
class tst_NotRun : public QObject
{
    Q_OBJECT

private slots:
    void graphsInsideCountWithThoseAround()
    {
        QCOMPARE(notesOf(test::graphFromText(Nested), {"a/else_branch/e"}),
                 QStringList {QStringLiteral("If 'a' ran else_branch: 3 nodes of then_branch were not run.")});
    }

    void whoRanInsideIsToldOf()
    {
        QCOMPARE(notesOf(test::graphFromText(Nested), {"a/then_branch/t", "a/then_branch/t/else_branch/q"}),
                 (QStringList {QStringLiteral("If 'a' ran then_branch: 1 node of else_branch was not run."),
                               QStringLiteral("If 'a/then_branch/t' ran else_branch: 1 node of then_branch was not "
                                              "run.")}));
    }

    void whatIsComputedAheadIsNoNews()
    {
        Graph graph = test::graphFromText(Nested);
        graph.decided.at(findNode(graph, "a")).ahead = true;
        QCOMPARE(notesOf(graph, {}), QStringList());
    }

    void theFirstEightAreListed()
    {
        std::string text = "input c bool[]\ninput x float32[4]\n";
        for (int i = 0; i < 10; ++i)
            text += "y" + std::to_string(i) + " = If(c)\nbody then_branch\n  v = Neg(x)\n  output v\nend\n" +
                    "body else_branch\n  w = Abs(x)\n  output w\nend\noutput y" + std::to_string(i) + "\n";
        const Graph graph = test::graphFromText(text);
        std::map<BodyId, std::int64_t> runs;
        for (const Node& node : graph.nodes)
            if (!node.bodies.empty()) runs[node.bodies.front()] = 1;
        const std::vector<std::string> notes = english(kernels::notRunNotes(graph, runs));
        QCOMPARE(notes.size(), std::size_t {9});
        QCOMPARE(notes.back(), std::string("2 more nodes left nested graphs out."));
    }
};

QTEST_APPLESS_MAIN(tst_NotRun)
#include "tst_not_run.moc"
