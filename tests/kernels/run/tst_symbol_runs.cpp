#include "core/facts/english/english.h"
#include "core/formats/read_graph.h"
#include "tests/kernels/run/outputs_text.h"
#include "tests/support/symbol_writer.h"

#include <QTest>

using namespace plimsoll;
using test::SymbolWriter;

namespace {

using Entry = SymbolWriter::Entry;

Result<Report> planned(const std::string& text, const std::map<std::string, Shape>& shapes, const char* choice = "")
{
    PLIMSOLL_ASSIGN(graph, readGraph(std::as_bytes(std::span(text)), {}));
    PlanRequest request;
    request.policies.alignment = 1;
    request.policies.backend = BackendPolicy::Reference;
    for (const auto& [name, shape] : shapes)
        if (findValue(graph, name).valid()) request.shapes.shapes[name] = shape;
    const QByteArray policy(choice);
    if (const qsizetype equals = policy.indexOf('='); equals > 0)
        PLIMSOLL_TRY(setPolicy(request.policies, policy.left(equals).constData(), policy.mid(equals + 1).constData()));
    return analyse(graph, request, {});
}

QString errorOf(const auto& result)
{
    return result.ok() ? QString() : QString::fromStdString(describe(result.error()));
}

const SymbolWriter::Attributes Row = {{"__shape__", "(2,)"}};

/// Adds a row to the state at each of T steps and hands out both the sum and its negative: [T, 2] and [2].
std::string foreachText(bool handsBack)
{
    SymbolWriter inner;
    const Entry row = inner.variable("row");
    const Entry state = inner.variable("state");
    const Entry sum = inner.node("elemwise_add", "sum", {row, state});
    const Entry next = handsBack ? inner.node("_copy", "next", {state}) : sum;
    SymbolWriter writer;
    const Entry data = writer.variable("data");
    const Entry start = writer.variable("start", Row);
    const Entry loop = writer.owner("_foreach", "loop", {data, start},
                                    {{"in_data_locs", "(0,)"},
                                     {"in_state_locs", "(1,)"},
                                     {"remain_locs", "()"},
                                     {"num_args", "3"},
                                     {"num_outputs", "2"},
                                     {"num_out_data", "1"}},
                                    {inner.text({inner.node("negative", "minus", {sum}), next})}, 2);
    return writer.text({loop, {loop.node, 1, 0}});
}

/// While the first element of the state is below \p limit: hand it out, and add one to all. At most four times.
std::string whileText(int limit)
{
    SymbolWriter condition;
    const Entry asked = condition.variable("s");
    const Entry first = condition.node("slice_axis", "first", {asked}, {{"axis", "0"}, {"begin", "0"}, {"end", "1"}});
    const Entry below = condition.node("_lesser_scalar", "below", {first}, {{"scalar", std::to_string(limit)}});
    SymbolWriter step;
    const Entry state = step.variable("s");
    const Entry more = step.node("_plus_scalar", "more", {state}, {{"scalar", "1"}});
    const Entry out = step.node("_copy", "out", {state});
    SymbolWriter writer;
    const Entry start = writer.variable("start", Row);
    const Entry loop = writer.owner("_while_loop", "loop", {start},
                                    {{"cond_input_locs", "(0,)"},
                                     {"func_input_locs", "(0,)"},
                                     {"func_var_locs", "(0,)"},
                                     {"max_iterations", "4"},
                                     {"num_args", "3"},
                                     {"num_outputs", "2"},
                                     {"num_out_data", "1"}},
                                    {condition.text({below}), step.text({out, more})}, 2);
    return writer.text({loop, {loop.node, 1, 0}});
}

/// Two branches, one of two large temporaries, one of one.
std::string conditionText()
{
    SymbolWriter condition;
    const Entry asked = condition.variable("c");
    SymbolWriter then;
    const Entry first = then.node("exp", "a", {then.variable("x")});
    SymbolWriter otherwise;
    const Entry second = otherwise.node("negative", "b", {otherwise.variable("x")});
    SymbolWriter writer;
    const Entry flag = writer.variable("flag", {{"__shape__", "(1,)"}});
    const Entry data = writer.variable("start", Row);
    const Entry chosen = writer.owner("_cond", "cond", {flag, data},
                                      {{"cond_input_locs", "(0,)"},
                                       {"then_input_locs", "(1,)"},
                                       {"else_input_locs", "(1,)"},
                                       {"num_args", "5"},
                                       {"num_outputs", "1"}},
                                      {condition.text({asked}), then.text({first}), otherwise.text({second})});
    return writer.text({chosen});
}

/// One outer entry that two inner nodes read, one inner result that two outer nodes read. \p copies: as it was written
/// before the duplicates were taken out, an input for each reader and an output for each.
std::string partitionText(bool copies)
{
    SymbolWriter inner;
    const Entry x = inner.variable("in0");
    const Entry again = copies ? inner.variable("in1") : x;
    const Entry a = inner.node("exp", "a", {x});
    const Entry b = inner.node("negative", "b", {again});
    const Entry sum = inner.node("elemwise_add", "sum", {a, b});
    SymbolWriter writer;
    const Entry start = writer.variable("start", Row);
    const std::vector<Entry> given = copies ? std::vector {start, start} : std::vector {start};
    const std::vector<Entry> heads = copies ? std::vector {sum, sum} : std::vector {sum};
    const Entry part = writer.owner("_CachedOp", "part", given, {}, {inner.text(heads)}, copies ? 2 : 1);
    const Entry left = writer.node("relu", "left", {part});
    const Entry right = writer.node("tanh", "right", {{part.node, copies ? 1 : 0, 0}});
    return writer.text({writer.node("elemwise_mul", "y", {left, right})});
}

std::string withoutPartition()
{
    SymbolWriter writer;
    const Entry start = writer.variable("start", Row);
    const Entry a = writer.node("exp", "a", {start});
    const Entry b = writer.node("negative", "b", {start});
    const Entry sum = writer.node("elemwise_add", "sum", {a, b});
    const Entry left = writer.node("relu", "left", {sum});
    const Entry right = writer.node("tanh", "right", {sum});
    return writer.text({writer.node("elemwise_mul", "y", {left, right})});
}

} // namespace

/// Symbol files of MXNet, executed.
class tst_SymbolRuns : public QObject
{
    Q_OBJECT

private slots:
    void controlFlowIsWhatMxnetComputes_data();
    void controlFlowIsWhatMxnetComputes();
    void aPartitionIsAsGoodAsNone_data();
    void aPartitionIsAsGoodAsNone();
    void networksRunUnderTheirPlan_data();
    void networksRunUnderTheirPlan();
};

void tst_SymbolRuns::controlFlowIsWhatMxnetComputes_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<int>("steps");
    QTest::addColumn<std::vector<float>>("start");
    QTest::addColumn<QString>("outputs");
    const auto row = [](const char* name, const std::string& text, int steps, const std::vector<float>& start,
                        const char* outputs) {
        QTest::newRow(name) << text << steps << start << QString::fromLatin1(outputs);
    };
    row("B37 foreach, 1 step", foreachText(false), 1, {10, 20}, "-11 -21 | 11 21");
    row("B37 foreach, 2 steps", foreachText(false), 2, {10, 20}, "-11 -21 -12 -22 | 12 22");
    row("B37 foreach, 3 steps", foreachText(false), 3, {10, 20}, "-11 -21 -12 -22 -13 -23 | 13 23");
    row("B37 the state is handed back", foreachText(true), 3, {10, 20}, "-11 -21 -11 -21 -11 -21 | 10 20");
    row("B38 while, no step", whileText(0), 1, {1, 5}, "0 0 0 0 0 0 0 0 | 1 5");
    row("B38 while, 2 steps", whileText(3), 1, {1, 5}, "1 5 2 6 0 0 0 0 | 3 7");
    row("B38 while, as often as it may", whileText(99), 1, {1, 5}, "1 5 2 6 3 7 4 8 | 5 9");
    row("B38 a branch", conditionText(), 1, {0, 0}, "1 1");
    row("B38 the other", conditionText(), 0, {3, 4}, "-3 -4");
}

void tst_SymbolRuns::controlFlowIsWhatMxnetComputes()
{
    QFETCH(std::string, text);
    QFETCH(int, steps);
    QFETCH(std::vector<float>, start);
    for (const char* policy : {"", "outputs=shared", "inputs=donate", "inplace=off", "placement=storage-reuse"}) {
        const Result<Report> report = planned(text, {{"data", {steps, 2}}}, policy);
        QVERIFY2(report.ok(), qPrintable(errorOf(report)));
        QCOMPARE(countFindings(report.value(), Severity::Error), std::size_t(0));
        test::Numbers inputs = {{"start", start}};
        const Graph& graph = *report.value().program.graph;
        if (findValue(graph, "data").valid())
            inputs["data"] = std::vector<float>(static_cast<std::size_t>(2 * steps), 1.0F);
        if (findValue(graph, "flag").valid()) inputs["flag"] = {static_cast<float>(steps)};

        const auto outcome = test::executed(report.value(), inputs);

        QVERIFY2(outcome.ok(), qPrintable(errorOf(outcome)));
        QVERIFY2(outcome.value().result.mismatches.empty(), policy);
        QTEST(test::outputsText(outcome.value()), "outputs");
    }
}

void tst_SymbolRuns::aPartitionIsAsGoodAsNone_data()
{
    QTest::addColumn<std::string>("text");
    QTest::newRow("B39 an entry once") << partitionText(false);
    QTest::newRow("B39 an entry for each reader") << partitionText(true);
}

void tst_SymbolRuns::aPartitionIsAsGoodAsNone()
{
    QFETCH(std::string, text);
    const Result<Report> report = planned(text, {});
    const Report plain = planned(withoutPartition(), {}).value();
    QVERIFY2(report.ok(), qPrintable(errorOf(report)));
    QCOMPARE(report.value().memory.peakBytes, plain.memory.peakBytes);
    QCOMPARE(report.value().program.graph->nodes.size(), plain.program.graph->nodes.size());
    QCOMPARE(report.value().program.graph->values.size(), plain.program.graph->values.size());

    const auto outcome = test::executed(report.value(), {{"start", {1, -2}}});
    const auto wanted = test::executed(plain, {{"start", {1, -2}}});

    QVERIFY2(outcome.ok() && wanted.ok(), qPrintable(errorOf(outcome)));
    QCOMPARE(test::outputsText(outcome.value()), test::outputsText(wanted.value()));
    QVERIFY(outcome.value().result.mismatches.empty());
}

void tst_SymbolRuns::networksRunUnderTheirPlan_data()
{
    QTest::addColumn<std::string>("text");
    const auto row = [](const char* name, const std::string& text) { QTest::newRow(name) << text; };
    row("resnet18", test::symbols::resnet18());
    row("resnet18 of 0.8", test::symbols::resnet18(SymbolWriter::Dialect::Param));
    row("mobilenet", test::symbols::mobilenet());
    row("densenet", test::symbols::densenet(2, 4));
    row("inception", test::symbols::inception(4));
    row("se-resnet", test::symbols::squeezeExcite({1, 1}));
    row("detector", test::symbols::detector(3));
    row("recurrent", test::symbols::recurrent(5));
}

void tst_SymbolRuns::networksRunUnderTheirPlan()
{
    QFETCH(std::string, text);
    for (const char* policy : {"placement=storage-reuse", "outputs=shared"}) {
        const bool pictures = text.find("Convolution") != std::string::npos;
        const Shape shape = pictures ? Shape {1, 3, 32, 32} : Shape {6, 8};
        const Result<Report> report = planned(text, {{"data", shape}}, policy);
        QVERIFY2(report.ok(), qPrintable(errorOf(report)));
        kernels::RunRequest request;
        request.mode = kernels::RunMode::Fingerprint;

        const auto outcome = test::executed(report.value(), {}, std::move(request));

        QVERIFY2(outcome.ok(), qPrintable(errorOf(outcome)));
        const auto& mismatches = outcome.value().result.mismatches;
        QVERIFY2(mismatches.empty(), mismatches.empty() ? "" : english(mismatches.front().note).c_str());
        QCOMPARE(outcome.value().result.fingerprintedNodes, std::int64_t(0));
    }
}

QTEST_APPLESS_MAIN(tst_SymbolRuns)
#include "tst_symbol_runs.moc"
