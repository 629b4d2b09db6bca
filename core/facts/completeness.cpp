#include "core/facts/completeness.h"

#include "core/base/bytes.h"
#include "core/base/plural.h"
#include "core/formats/formats.h"
#include "core/ops/op_schema.h"

#include <algorithm>
#include <map>

namespace plimsoll {
namespace {

constexpr std::size_t MostReasons = 3;

Gap::Kind kindOf(const Value& value)
{
    if (value.type.isSparse() && value.type.asDense().bytes()) return Gap::Kind::StoredBound;
    const bool brought =
        value.body == TopBody && (value.role == ValueRole::Input || value.role == ValueRole::Parameter);
    const bool shaped = value.type.shape() && value.type.dtype == DType::Unknown;
    return brought && !shaped ? Gap::Kind::InputShape : Gap::Kind::ResultType;
}

/// Values that hold bytes at some time, and whose number is not known.
bool isUnsized(const Graph& graph, ValueId value)
{
    const TensorType& type = graph[value].type;
    return type.kind == TypeKind::Tensor && type.dtype != DType::String && !type.bytes() &&
           !graph.decided[value].fusedInto.valid();
}

/// Weights and constants are the caller's: no plan has a place for them, so that only externalBytes lacks their size.
bool isCallersWeight(const Value& value)
{
    return value.body == TopBody && (value.role == ValueRole::Parameter || value.role == ValueRole::Constant);
}

/// Whether other sizes of the inputs would tell its type: by its operator, or by what the file says of it.
bool followsFromSizes(const Graph& graph, ValueId value)
{
    const auto& dims = graph[value].type.dims;
    if (dims && std::ranges::any_of(*dims, [](const Dim& dim) { return !dim.known() && !dim.symbol->empty(); }))
        return true;
    const NodeId producer = graph[value].producer;
    const OpSchema* schema = producer.valid() ? findSchema(graph[producer].domain, graph[producer].op) : nullptr;
    return schema && schema->infer;
}

} // namespace

Completeness findGaps(const Graph& graph, const std::vector<ValueId>& lacking, const std::vector<Message>& because)
{
    Completeness found;
    if (graph.nodes.empty() && graph.top().outputs.empty()) {
        const Format* format = findFormat(graph.file.format);
        const bool table = format && format->readTable;
        found.gaps.push_back({Gap::Kind::NoNodes, {}, say(table ? "gap.no-rows" : "gap.no-node"), 0});
        return found;
    }
    std::map<ValueId, std::size_t> counts;
    std::size_t later = 0;
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        if (!isUnsized(graph, ValueId(i))) continue;
        if (i >= lacking.size())
            ++later;
        else if (lacking[i].valid())
            ++counts[lacking[i]];
    }
    for (const auto& [value, count] : counts) {
        if (count == 1 && isCallersWeight(graph[value]) && isUnsized(graph, value)) continue;
        found.gaps.push_back({kindOf(graph[value]), value, say("clause", because[value.index()]), count});
        found.unsized += count;
    }
    if (!found.complete()) found.unsized += later;
    std::stable_partition(found.gaps.begin(), found.gaps.end(),
                          [&](const Gap& gap) { return graph[gap.value].role == ValueRole::Input; });
    return found;
}

Message incompleteText(const Report& report)
{
    const Completeness& completeness = report.verdict.completeness;
    if (completeness.complete()) return {};
    const std::vector<Gap>& gaps = completeness.gaps;
    if (gaps.front().kind == Gap::Kind::NoNodes) return say("gap.nothing", gaps.front().reason);
    word::List reasons = listOf(
        gaps, [](const Gap& gap) { return gap.reason; }, MostReasons);
    reasons.joint = word::List::Joint::Semicolon;
    return say("gap.values", completeness.unsized, report.program.graph->values.size(), std::move(reasons));
}

Message remedyFor(const Graph& graph, const Gap& gap)
{
    const auto sized = [&] { return graph[gap.value].name + "=…"; };
    switch (gap.kind) {
    case Gap::Kind::InputShape:
        return say("remedy.shape", Remedy::option("shape", sized()));
    case Gap::Kind::StoredBound:
        return say("remedy.max-stored", Remedy::option("max-stored", sized()));
    case Gap::Kind::ResultType: {
        if (followsFromSizes(graph, gap.value))
            return say("remedy.sizes", Remedy::option("dim"), Remedy::option("shape"));
        const Format* format = findFormat(graph.file.format);
        return say(!format || format->typesValues ? "remedy.type" : "remedy.type-converted",
                   word::Name {graph[gap.value].name});
    }
    case Gap::Kind::NoNodes:
        break;
    }
    return {};
}

Message incompleteLine(const Report& report)
{
    if (report.verdict.completeness.complete()) return {};
    const Message remedy = remedyFor(*report.program.graph, report.verdict.completeness.gaps.front());
    return remedy.empty() ? say("incomplete.line", incompleteText(report))
                          : say("incomplete.line-remedy", incompleteText(report), remedy);
}

std::vector<std::string> unsizedWeights(const Report& report)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < report.program.graph->values.size(); ++i) {
        const Value& value = report.program.graph->values[i];
        if (isCallersWeight(value) && isUnsized(*report.program.graph, ValueId(i)) && !gapOf(report, ValueId(i)))
            names.push_back(value.name);
    }
    return names;
}

const Gap* gapOf(const Report& report, ValueId value)
{
    const auto& gaps = report.verdict.completeness.gaps;
    const auto found =
        std::find_if(gaps.begin(), gaps.end(), [&](const Gap& gap) { return value.valid() && gap.value == value; });
    return found == gaps.end() ? nullptr : &*found;
}

void addIncompleteFinding(Report& report)
{
    if (report.verdict.completeness.complete()) return;
    Finding finding;
    finding.rule = Rule::Incomplete;
    finding.message = say("incomplete", incompleteText(report));
    word::List remedies {.joint = word::List::Joint::Semicolon};
    for (const Gap& gap : report.verdict.completeness.gaps) {
        if (gap.value.valid()) finding.values.push_back(gap.value);
        Message remedy = remedyFor(*report.program.graph, gap);
        if (!remedy.empty() && finding.values.size() <= MostReasons) remedies.items.emplace_back(std::move(remedy));
    }
    if (!remedies.items.empty()) finding.fix = say("remedies", std::move(remedies));
    report.verdict.findings.insert(report.verdict.findings.begin(), std::move(finding));
}

} // namespace plimsoll
