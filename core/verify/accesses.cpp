#include "core/verify/accesses.h"

#include "core/graph/value_strides.h"
#include "core/ops/op_traits.h"

#include <algorithm>

namespace plimsoll::verifying {
namespace {

constexpr std::size_t None = static_cast<std::size_t>(-1);

std::size_t addRead(Accesses& accesses, ValueId value)
{
    if (!value.valid()) return None;
    accesses.reads.push_back({value, {0, -1}, false});
    return accesses.reads.size() - 1;
}

/// A copy from a read; with \p identity it may also stay where it is.
void addTransfer(Accesses& accesses, ValueId target, std::size_t source, bool identity)
{
    if (!target.valid()) return;
    Write write {target, {}};
    if (identity && source != None) write.joins.push_back({source, AliasKind::Identity, 0});
    accesses.writes.push_back(std::move(write));
}

/// Reads of all inputs whose content is looked at; \p index says where each stands, or None.
std::vector<std::size_t> readInputs(const Graph& graph, NodeId node, Accesses& accesses)
{
    const auto& inputs = graph[node].inputs;
    std::vector<std::size_t> index(inputs.size(), None);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (readsContent(graph, node, static_cast<int>(i))) index[i] = addRead(accesses, inputs[i]);
    }
    return index;
}

std::vector<Interval> strided(const PlanFacts& facts, ValueId id, Interval place)
{
    const Value& value = facts.graph()[id];
    if (value.at->strides.empty() || spanBytes(value) != place.length()) return {place};
    std::vector<Interval> pieces = piecesOf(value);
    for (Interval& piece : pieces)
        piece = {place.begin + piece.begin, place.begin + piece.end};
    return pieces;
}

Accesses ofNode(const PlanFacts& facts, NodeId id)
{
    const Graph& graph = facts.graph();
    const Implementation& implementation = facts.program.implementations[id];
    Accesses accesses;
    accesses.scratchOf = id;
    const Node& node = graph[id];
    const std::vector<std::size_t> reads = readInputs(graph, id, accesses);
    std::vector<std::size_t> writeOf(node.outputs.size(), None);
    for (std::size_t o = 0; o < node.outputs.size(); ++o) {
        if (!node.outputs[o].valid()) continue;
        writeOf[o] = accesses.writes.size();
        accesses.writes.push_back({node.outputs[o], {}});
    }
    for (const AliasTrait& trait : facts.traits[id]) {
        const std::size_t write = writeOf[static_cast<std::size_t>(trait.output)];
        const std::size_t read = reads[static_cast<std::size_t>(trait.input)];
        if (trait.kind == AliasKind::Fresh || write == None || read == None) continue;
        // Bytes in one layout are not those of another, whatever the operator says.
        if (inputLayout(implementation, trait.input) != outputLayout(implementation, trait.output)) continue;
        const Implementation::InPlacePair pair {trait.output, trait.input};
        const bool refused = implementation.inPlaceKnown &&
                             std::ranges::find(implementation.inPlace, pair) == implementation.inPlace.end();
        const bool moves = facts.moved.contains({id, node.inputs[static_cast<std::size_t>(trait.input)]});
        if (trait.kind == AliasKind::MayBeInPlace && (refused || moves)) continue;
        accesses.writes[write].joins.push_back(
            {read, trait.kind, trait.kind == AliasKind::View ? trait.offsetBytes : 0});
    }
    for (const SubBuffer& part : facts.traits.parts(id)) {
        const std::size_t write = writeOf[static_cast<std::size_t>(part.output)];
        const std::size_t read = reads[static_cast<std::size_t>(part.input)];
        if (write == None || read == None) continue;
        const ValueId inner = part.inputIsPart ? accesses.reads[read].value : accesses.writes[write].value;
        if (facts[inner].read.length() != part.bytes) continue; // what it takes beyond is not in the other one
        if (part.inputIsPart)
            accesses.writes[write].insets.push_back({read, part.offsetBytes});
        else
            accesses.writes[write].joins.push_back({read, AliasKind::Identity, part.offsetBytes, true});
    }
    return accesses;
}

/// An owner hands its inputs to its bodies.
Accesses ofEnter(const Graph& graph, NodeId owner)
{
    using Kind = BodyLink::Kind;
    Accesses accesses;
    accesses.scratchOf = owner;
    const std::vector<std::size_t> reads = readInputs(graph, owner, accesses);
    for (const BodyId body : graph[owner].bodies) {
        for (const BodyLink& link : bodyLinks(graph, owner, body)) {
            if (link.kind == Kind::Branch || link.kind == Kind::ScanOutput) continue;
            const auto input = static_cast<std::size_t>(link.ownerInput);
            const std::size_t source = link.ownerInput >= 0 && input < reads.size() ? reads[input] : None;
            const bool identity = link.kind == Kind::Carried || link.kind == Kind::Condition;
            addTransfer(accesses, valueAt(graph[body].inputs, link.bodyInput), source, identity);
        }
    }
    return accesses;
}

void addLeaveLink(const Graph& graph, const Step& step, const BodyLink& link, Accesses& accesses)
{
    const Node& owner = graph[step.node];
    const Body& body = graph[step.body];
    const ValueId made = valueAt(body.outputs, link.bodyOutput);
    const ValueId input = valueAt(body.inputs, link.bodyInput);
    const ValueId output = valueAt(owner.outputs, link.ownerOutput);
    switch (link.kind) {
    case BodyLink::Kind::Branch:
        addTransfer(accesses, output, addRead(accesses, made), true);
        break;
    case BodyLink::Kind::Carried:
    case BodyLink::Kind::Condition:
        addTransfer(accesses, input, addRead(accesses, made), true);
        break;
    case BodyLink::Kind::Iteration:
        addTransfer(accesses, input, None, false);
        break;
    case BodyLink::Kind::ScanInput:
        addTransfer(accesses, input, addRead(accesses, valueAt(owner.inputs, link.ownerInput)), false);
        break;
    case BodyLink::Kind::ScanOutput:
        addRead(accesses, made);
        if (output.valid()) accesses.reads.push_back({output, {0, -1}, true});
        addTransfer(accesses, output, None, false);
        break;
    case BodyLink::Kind::Opaque:
        break;
    }
}

/// What no Leave has written: final loop state, and everything of a vendor operator, which may have looked at its own
/// inputs all the time.
Accesses ofExit(const Graph& graph, NodeId owner)
{
    using Kind = BodyLink::Kind;
    Accesses accesses;
    if (bodyRule(graph, owner) == BodyRule::Once) (void)readInputs(graph, owner, accesses);
    std::vector<bool> written(graph[owner].outputs.size());
    const auto claim = [&](int output) {
        if (output >= 0 && static_cast<std::size_t>(output) < written.size())
            written[static_cast<std::size_t>(output)] = true;
    };
    for (const BodyId body : graph[owner].bodies) {
        for (const BodyLink& link : bodyLinks(graph, owner, body)) {
            if (link.kind == Kind::Opaque) addRead(accesses, valueAt(graph[body].outputs, link.bodyOutput));
            if (link.kind == Kind::Opaque || link.kind == Kind::Condition || link.kind == Kind::Iteration) continue;
            if (link.kind == Kind::ScanInput) continue;
            claim(link.ownerOutput);
            const ValueId output = valueAt(graph[owner].outputs, link.ownerOutput);
            if (link.kind != Kind::Carried || !output.valid()) continue;
            addTransfer(accesses, output, addRead(accesses, valueAt(graph[body].inputs, link.bodyInput)), true);
        }
    }
    for (std::size_t o = 0; o < written.size(); ++o) {
        if (!written[o]) addTransfer(accesses, graph[owner].outputs[o], None, false);
    }
    return accesses;
}

} // namespace

Accesses accessesOf(const PlanFacts& facts, const Step& step)
{
    const Graph& graph = facts.graph();
    Accesses left;
    switch (step.kind) {
    case StepKind::Node:
        return ofNode(facts, step.node);
    case StepKind::Enter:
        return ofEnter(graph, step.node);
    case StepKind::Leave:
        for (const BodyLink& link : bodyLinks(graph, step.node, step.body))
            addLeaveLink(graph, step, link, left);
        return left;
    case StepKind::Exit:
        return ofExit(graph, step.node);
    }
    return {};
}

const Join* joinOf(const PlanFacts& facts, const Accesses& accesses, const Write& write)
{
    const PlaceFacts& target = facts[write.value];
    const Join* found = nullptr;
    for (const Join& join : write.joins) {
        const PlaceFacts& source = facts[accesses.reads[join.read].value];
        if (!target.walkable || !source.walkable || target.arena != source.arena) continue;
        const bool inside = join.offsetBytes >= 0 && join.offsetBytes <= source.read.length() - target.read.length();
        if ((join.kind == AliasKind::View || join.part) && !inside) continue;
        if (target.read.begin != source.read.begin + join.offsetBytes) continue;
        if (!found || relabels(&join)) found = &join;
    }
    return found;
}

std::vector<Kept> keptParts(const PlanFacts& facts, const Accesses& accesses, const Write& write)
{
    std::vector<Kept> kept;
    const PlaceFacts& target = facts[write.value];
    for (const Inset& inset : write.insets) {
        const PlaceFacts& source = facts[accesses.reads[inset.read].value];
        if (!target.walkable || !source.walkable || target.arena != source.arena) continue;
        if (source.read.begin == target.read.begin + inset.offsetBytes) kept.push_back({inset.read, source.read});
    }
    return kept;
}

bool relabels(const Join* join)
{
    return join && (join->kind == AliasKind::Identity || join->kind == AliasKind::View);
}

std::vector<std::size_t> sameWrites(const PlanFacts& facts, const Accesses& accesses,
                                    const std::vector<GenerationId>& current)
{
    const auto contentOf = [&](const Write& write) {
        const auto whole = [](const Join& one) { return one.kind == AliasKind::Identity && !one.part; };
        const auto join = std::ranges::find_if(write.joins, whole);
        const bool copies = join != write.joins.end() && facts[write.value].walkable;
        return copies ? current[accesses.reads[join->read].value.index()] : GenerationId {0};
    };
    std::vector<std::size_t> same;
    for (const Write& write : accesses.writes) {
        const PlaceFacts& place = facts[write.value];
        const GenerationId content = contentOf(write);
        const auto isSame = [&](const Write& earlier) {
            const PlaceFacts& other = facts[earlier.value];
            return contentOf(earlier) == content && other.arena == place.arena && other.write == place.write &&
                   other.read == place.read;
        };
        const auto self = accesses.writes.begin() + static_cast<std::ptrdiff_t>(same.size());
        const auto found = content == 0 ? self : std::find_if(accesses.writes.begin(), self, isSame);
        same.push_back(static_cast<std::size_t>(found - accesses.writes.begin()));
    }
    return same;
}

Interval readRange(const PlanFacts& facts, const Read& read)
{
    const Interval whole = facts[read.value].read;
    if (read.part.end < 0) return whole;
    return {whole.begin + read.part.begin, whole.begin + read.part.end};
}

std::vector<Interval> readPieces(const PlanFacts& facts, const Read& read)
{
    const bool whole = read.part.end < 0 && facts[read.value].plain;
    return whole ? strided(facts, read.value, facts[read.value].read) : std::vector {readRange(facts, read)};
}

std::vector<Interval> writtenPieces(const PlanFacts& facts, ValueId value)
{
    return strided(facts, value, facts[value].write);
}

Interval contested(const PlanFacts& facts, const Read& read, ValueId written)
{
    const Interval common = intersection(readRange(facts, read), facts[written].write);
    const Graph& graph = facts.graph();
    if (common.empty() || (graph[read.value].at->strides.empty() && graph[written].at->strides.empty())) return common;
    const std::vector<Interval> reads = readPieces(facts, read);
    const std::vector<Interval> writes = writtenPieces(facts, written);
    for (std::size_t r = 0, w = 0; r < reads.size() && w < writes.size();) { // both in the order of their bytes
        if (overlaps(reads[r], writes[w])) return intersection(reads[r], writes[w]);
        reads[r].end <= writes[w].begin ? ++r : ++w;
    }
    return {};
}

} // namespace plimsoll::verifying
