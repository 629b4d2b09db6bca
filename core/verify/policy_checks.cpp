#include "core/verify/checks.h"

#include "core/base/bytes.h"
#include "core/verify/joins.h"
#include "core/verify/wording.h"

#include <algorithm>
#include <limits>

namespace plimsoll::verifying {
namespace {

/// More of one kind help no reader.
constexpr std::size_t MostInPlace = 1'000;

/// The policy that forbids it; empty: none does. \p inside: one lies in a part of the other.
std::string_view forbiddenBy(const Policies& policies, AliasKind kind, bool inside)
{
    const bool writes = kind == AliasKind::MayBeInPlace && policies.inplace != InplacePolicy::On;
    const bool same = kind == AliasKind::Identity && policies.inplace == InplacePolicy::Off;
    if (writes || same) return "inplace";
    return inside && policies.subbuffers == SubbuffersPolicy::Off ? "subbuffers" : "";
}

/// A plan may not choose that two values share, be it that the one is written over the other or that they are the same.
Finding writtenInPlace(const PlanFacts& facts, NodeId node, ValueId written, ValueId over, AliasKind kind,
                       std::string_view policy)
{
    const Graph& graph = facts.graph();
    Finding finding = overwriting(facts, Rule::WrittenInPlace, node, written, over, facts[written].write);
    finding.message = say(kind == AliasKind::Identity ? "written-in-place.identity" : "written-in-place",
                          word::Number {finding.steps.begin}, nameOf(graph, node), nameOf(graph, written),
                          nameOf(graph, over), place(facts.map, finding.arena, finding.bytes),
                          Remedy::policy(std::string(policy), policyValue(facts.program.policies, policy)));
    finding.fix = say("fix.own-bytes", nameOf(graph, written));
    return finding;
}

void checkInPlace(const PlanFacts& facts, std::vector<Finding>& findings)
{
    const Policies& policies = facts.program.policies;
    if (policies.inplace == InplacePolicy::On && policies.subbuffers == SubbuffersPolicy::On) return;
    const std::size_t most = findings.size() + MostInPlace;
    for (const Step& step : facts.program.schedule.steps) {
        const Accesses accesses = accessesOf(facts, step);
        for (const Write& write : accesses.writes) {
            const auto check = [&](std::size_t read, AliasKind kind, bool inside) {
                const std::string_view policy = forbiddenBy(policies, kind, inside);
                const ValueId over = accesses.reads[read].value;
                if (policy.empty() || findings.size() >= most || over == write.value) return;
                if (facts[write.value].write.empty()) return;
                findings.push_back(writtenInPlace(facts, step.node, write.value, over, kind, policy));
            };
            if (const Join* join = joinOf(facts, accesses, write)) check(join->read, join->kind, join->part);
            for (const Kept& part : keptParts(facts, accesses, write))
                check(part.read, AliasKind::Identity, true);
        }
    }
}

/// How many bytes the value takes that none of its elements needs: because its implementation asks for them, or because
/// the plan reserves them. What rounds it up to the alignment does not count.
std::int64_t paddingOf(const PlanFacts& facts, ValueId value)
{
    const PlaceFacts& own = facts[value];
    if (!own.walkable || own.external || own.logicalBytes < 0) return 0;
    if (own.requiredBytes > own.logicalBytes) return own.requiredBytes - own.logicalBytes;
    const ValuePlacement& where = facts.map.values[value.index()];
    if (!where.placed()) return 0;
    const std::int64_t grid =
        std::max({std::int64_t {1}, facts.map.arenas[where.arena.index()].alignment, facts.program.policies.alignment});
    const std::int64_t needed = checkedAlignUp(own.logicalBytes, grid).value_or(where.bytes);
    return std::max<std::int64_t>(0, where.bytes - needed);
}

/// One finding for all: one policy mends them.
void checkPadding(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings)
{
    if (facts.program.policies.padding == PaddingPolicy::On) return;
    Finding finding;
    finding.rule = Rule::Padded;
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < facts.values.size(); ++i) {
        const ValueId value(i);
        const std::int64_t padding = paddingOf(facts, value);
        if (padding <= 0) continue;
        bytes = checkedAdd(bytes, padding).value_or(std::numeric_limits<std::int64_t>::max());
        const Interval steps = stepsInUse(facts, walk, value);
        finding.steps = finding.values.empty() ? steps
                                               : Interval {std::min(finding.steps.begin, steps.begin),
                                                           std::max(finding.steps.end, steps.end)};
        if (finding.values.empty()) finding.arena = facts[value].arena;
        if (finding.values.empty()) finding.bytes = facts[value].write;
        finding.values.push_back(value);
        const NodeId producer = facts.graph()[value].producer;
        if (producer.valid()) finding.nodes.push_back(producer);
    }
    if (finding.values.empty()) return;
    finding.message = say("padded", finding.values.size(), bytes, Remedy::policy("padding", "off"),
                          listOf(finding.values, [&](ValueId value) { return nameOf(facts.graph(), value); }));
    finding.fix = say("fix.no-padding");
    findings.push_back(std::move(finding));
}

/// The caller brings a buffer for each output, and waits for it to be filled.
void checkBrought(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings)
{
    if (facts.program.policies.outputs != OutputsPolicy::External) return;
    std::vector<ValueId> outputs = facts.graph().top().outputs;
    std::ranges::sort(outputs);
    outputs.erase(std::unique(outputs.begin(), outputs.end()), outputs.end());
    for (const ValueId output : outputs) {
        const PlaceFacts& own = facts[output];
        const bool inArena = own.walkable && own.arena.index() < facts.map.arenas.size() && !own.read.empty();
        if (!inArena) continue;
        Finding finding;
        finding.rule = Rule::OutputInArena;
        finding.values = {output};
        if (const NodeId producer = facts.graph()[output].producer; producer.valid()) finding.nodes = {producer};
        finding.arena = own.arena;
        finding.bytes = own.read;
        finding.steps = stepsInUse(facts, walk, output);
        finding.message = say("output-in-arena", nameOf(facts.graph(), output), place(facts.map, own.arena, own.read),
                              Remedy::policy("outputs", "external"));
        finding.fix = say("fix.leave-to-caller", nameOf(facts.graph(), output));
        findings.push_back(std::move(finding));
    }
}

} // namespace

void checkPolicies(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings)
{
    checkInPlace(facts, findings);
    checkPadding(facts, walk, findings);
    checkBrought(facts, walk, findings);
}

} // namespace plimsoll::verifying
