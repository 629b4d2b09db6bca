#include "core/facts/english/english.h"
#include "core/facts/words/verdict.h"
#include "core/formats/plimsoll/graph_json.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/formats/read_graph.h"
#include "core/graph/graph_builder.h"
#include "core/pipeline/pipeline.h"
#include "core/report/report_json.h"
#include "kernels/run/executor.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>

/// Bytes choose a graph, its policies and a damage to its plan. What holds of each: our own plan is legal, its run
/// equals the oracle, graph and plan read back as they were written, the report is JSON, and a damaged plan is found
/// out or does no harm.
namespace {

using namespace plimsoll;

[[noreturn]] void refute(const char* what, const std::string& details)
{
    std::fprintf(stderr, "%s: %s\n", what, details.c_str());
    std::abort();
}

/// Numbers below a limit, each from the next byte; 0 behind the last one.
struct Choices
{
    const std::uint8_t* next;
    const std::uint8_t* end;

    std::size_t below(std::size_t limit) { return next == end ? 0 : *next++ % limit; }
    template <typename List>
    const auto& of(const List& list)
    {
        return list[below(list.size())];
    }
};

struct Operator
{
    const char* name;
    std::size_t inputs;
    bool reduces = false; ///< To one number.
};
constexpr std::array<Operator, 10> Operators = {{{"Relu", 1},
                                                 {"Neg", 1},
                                                 {"Identity", 1},
                                                 {"Softmax", 1},
                                                 {"Add", 2},
                                                 {"Mul", 2},
                                                 {"Max", 3},
                                                 {"Concat", 2},
                                                 {"Flatten", 1},
                                                 {"ReduceSum", 1, true}}};

/// Shapes follow from the operators; those that do not fit are an Error of the plan, which is fine.
Graph chosenGraph(Choices& choices)
{
    GraphBuilder builder("structured");
    const auto type = [&] {
        const Shape shape {static_cast<std::int64_t>(1 + choices.below(4)),
                           static_cast<std::int64_t>(1 + choices.below(40))};
        return TensorType::dense(DType::Float32, shape);
    };
    const TensorType first = type();
    std::vector<ValueId> values = {builder.addInput("x", first), builder.addParameter("w", first)};
    if (choices.below(3) == 0) values.push_back(builder.addInput("other", type()));
    const std::size_t nodes = 1 + choices.below(24);
    for (std::size_t i = 0; i < nodes; ++i) {
        const Operator& chosen = choices.of(Operators);
        ValueIds inputs;
        for (std::size_t k = 0; k < chosen.inputs; ++k)
            inputs.push_back(values[values.size() - 1 - choices.below(std::min<std::size_t>(values.size(), 6))]);
        Node node {.op = chosen.name};
        if (node.op == "Concat") node.attributes["axis"] = std::int64_t {1};
        if (chosen.reduces) node.attributes["keepdims"] = std::int64_t {1};
        const NodeId id = builder.addNode(std::move(node), inputs, {"v" + std::to_string(i)});
        values.push_back(builder.output(id, 0));
    }
    const std::size_t outputs = 1 + choices.below(4);
    for (std::size_t i = 0; i < outputs; ++i)
        builder.addOutput(values[values.size() - 1 - choices.below(values.size())]);
    auto graph = std::move(builder).build();
    if (!graph.ok()) refute("a graph that the builder made", describe(graph.error()));
    return std::move(graph).value();
}

/// Any but those that leave the host's memory, or ask a library.
Policies chosenPolicies(Choices& choices)
{
    Policies policies;
    for (std::size_t i = choices.below(4); i > 0; --i) {
        const PolicyInfo& policy = choices.of(policyTable());
        if (policy.id == "backend" || policy.values.empty()) continue;
        if (const Status set = setPolicy(policies, policy.id, choices.of(policy.values)); !set.ok())
            refute("a value of the table", describe(set.error()));
    }
    return policies;
}

std::size_t errorsOf(const Report& report)
{
    return countFindings(report, Severity::Error);
}

/// Empty where the run equals its oracle, or cannot be.
std::string difference(const Report& report)
{
    kernels::RunRequest request;
    request.cover = kernels::RunRequest::Cover::Never;
    kernels::RunObserver observer;
    const auto outcome = kernels::execute(report.program, request, observer, {});
    if (!outcome.ok() || outcome.value().result.mismatches.empty()) return {};
    const RunResult::Mismatch& mismatch = outcome.value().result.mismatches.front();
    return mismatch.value + " of " + mismatch.node + ": " + english(mismatch.note);
}

Result<Report> judged(const Graph& graph, PlanRequest request, const PlanFile& plan)
{
    request.givenPlan = sharedPlan(plan);
    return analyse(graph, request, {});
}

void checkDamage(const Graph& graph, const PlanRequest& request, PlanFile plan, Choices& choices)
{
    if (plan.entries.empty()) return;
    PlanFile::Entry& moved = plan.entries[choices.below(plan.entries.size())];
    moved.offset =
        plan.entries[choices.below(plan.entries.size())].offset + 64 * static_cast<std::int64_t>(choices.below(4));
    const auto report = judged(graph, request, plan);
    if (!report.ok() || errorsOf(report.value()) > 0) return;
    if (const std::string wrong = difference(report.value()); !wrong.empty())
        refute("a damaged plan is called legal", wrong + "\n" + planJsonText(plan));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Choices choices {data, data + size};
    const Graph graph = chosenGraph(choices);
    PlanRequest request;
    request.policies = chosenPolicies(choices);
    const auto report = analyse(graph, request, {});
    if (!report.ok()) {
        if (report.error().code == ErrorCode::Internal) refute("planning", describe(report.error()));
        return 0;
    }
    const auto text = graphJsonText(graph);
    if (!text.ok()) refute("the graph cannot be written", describe(text.error()));
    const auto again = readGraphJson(text.value(), {});
    if (!again.ok() || graphDigest(again.value()) != graphDigest(graph))
        refute("the graph reads back otherwise", text.value());
    if (errorsOf(report.value()) > 0)
        refute("our own plan is not legal", english(legalityText(report.value())) + "\n" + text.value());
    if (!nlohmann::json::accept(writeReportJson(report.value()))) refute("the report is no JSON", text.value());
    if (const std::string wrong = difference(report.value()); !wrong.empty())
        refute("our own plan differs from the oracle", wrong + "\n" + text.value());
    const PlanFile plan = planOf(report.value());
    const auto back = readPlanJson(planJsonText(plan), {});
    if (!back.ok()) refute("the plan reads back otherwise", describe(back.error()));
    const auto rejudged = judged(graph, request, back.value());
    if (!rejudged.ok()) refute("our own plan is refused", describe(rejudged.error()) + "\n" + text.value());
    if (errorsOf(rejudged.value()) > 0)
        refute("our own plan is judged otherwise when it is given",
               english(legalityText(rejudged.value())) + "\n" + text.value());
    checkDamage(graph, request, plan, choices);
    return 0;
}
