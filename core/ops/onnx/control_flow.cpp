#include "core/base/narrow.h"
#include "core/ops/onnx/op_families.h"
#include "core/ops/rules/shape_search.h"

#include <algorithm>
#include <span>

namespace plimsoll {

namespace {

using Kind = BodyLink::Kind;

int lengthOf(std::span<const ValueId> values)
{
    return narrow<int>(values.size());
}

/// \p index where the list is that long and names a value there, else -1.
int existing(std::span<const ValueId> values, int index)
{
    return index >= 0 && index < lengthOf(values) && values[static_cast<std::size_t>(index)].valid() ? index : -1;
}

std::optional<Dims> without(std::optional<Dims> dims, std::int64_t axis)
{
    if (!dims) return dims;
    const auto at = normalAxis(axis, dims->size());
    if (!at) return std::nullopt;
    dims->erase(dims->begin() + static_cast<std::ptrdiff_t>(*at));
    return dims;
}

std::optional<Dims> with(std::optional<Dims> dims, std::int64_t axis, std::int64_t size)
{
    if (!dims) return dims;
    const auto at = normalAxis(axis, dims->size() + 1);
    if (!at) return std::nullopt;
    dims->insert(dims->begin() + static_cast<std::ptrdiff_t>(*at), size);
    return dims;
}

std::vector<BodyLink> branchLinks(const Graph& graph, NodeId owner, BodyId body)
{
    std::vector<BodyLink> links;
    const int count = std::min(lengthOf(graph[body].outputs), lengthOf(graph[owner].outputs));
    for (int i = 0; i < count; ++i)
        links.push_back({Kind::Branch, -1, -1, i, existing(graph[owner].outputs, i)});
    return links;
}

TensorType branchOuter(const NodeFacts&, const BodyLink&, const TensorType& bodyOutput, std::int64_t)
{
    return bodyOutput;
}

/// Owner: M, condition, state… → state…, stacked…   Body: iteration, condition, state… → condition, state…, slices…
std::vector<BodyLink> loopLinks(const Graph& graph, NodeId owner, BodyId body)
{
    const Node& node = graph[owner];
    const Body& inner = graph[body];
    std::vector<BodyLink> links;
    if (lengthOf(inner.inputs) > 0) links.push_back({Kind::Iteration, existing(node.inputs, 0), 0, -1, -1});
    const int conditionIn = lengthOf(inner.inputs) > 1 ? 1 : -1;
    if (lengthOf(inner.outputs) > 0) links.push_back({Kind::Condition, existing(node.inputs, 1), conditionIn, 0, -1});
    const int states = std::max(0, lengthOf(inner.inputs) - 2);
    for (int i = 0; i < states; ++i) {
        const int bodyOutput = i + 1 < lengthOf(inner.outputs) ? i + 1 : -1;
        links.push_back({Kind::Carried, existing(node.inputs, i + 2), i + 2, bodyOutput, existing(node.outputs, i)});
    }
    for (int i = states + 1; i < lengthOf(inner.outputs); ++i) {
        links.push_back({Kind::ScanOutput, -1, -1, i, existing(node.outputs, i - 1)});
    }
    return links;
}

TensorType loopInner(const NodeFacts& facts, const BodyLink& link)
{
    if (link.kind == Kind::Carried)
        return link.ownerInput < 0 ? TensorType {} : facts.type(static_cast<std::size_t>(link.ownerInput));
    return TensorType::dense(link.kind == Kind::Iteration ? DType::Int64 : DType::Bool, {});
}

TensorType loopOuter(const NodeFacts&, const BodyLink& link, const TensorType& bodyOutput, std::int64_t trips)
{
    if (link.kind != Kind::ScanOutput) return bodyOutput;
    return tensorOf(bodyOutput.dtype, with(dimsOf(bodyOutput), 0, trips));
}

std::int64_t loopTrips(NodeFacts& facts)
{
    const auto trips = facts.integer(0);
    return trips ? std::max<std::int64_t>(*trips, 0) : UnknownSize;
}

bool hasBatchAxis(const Graph& graph, const Node& node)
{
    return opsetOf(graph, node) < 9;
}

/// Where states begin among the owner's inputs: Scan-8 has sequence_lens in front.
int firstState(const Graph& graph, const Node& node)
{
    return hasBatchAxis(graph, node) ? 1 : 0;
}

int scanCount(const Node& node)
{
    const auto count = attributeOr<std::int64_t>(node, "num_scan_inputs", 0);
    return narrow<int>(std::clamp<std::int64_t>(count, 0, lengthOf(node.inputs)));
}

int stateCount(const Graph& graph, const Node& node)
{
    return std::max(0, lengthOf(node.inputs) - firstState(graph, node) - scanCount(node));
}

/// Owner: [lengths,] state…, sequences… → state…, stacked…   Body: state…, slices… → state…, slices…
std::vector<BodyLink> scanLinks(const Graph& graph, NodeId owner, BodyId body)
{
    const Node& node = graph[owner];
    const Body& inner = graph[body];
    const int first = firstState(graph, node);
    const int states = stateCount(graph, node);
    std::vector<BodyLink> links;
    for (int i = 0; i < lengthOf(inner.inputs) && first + i < lengthOf(node.inputs); ++i) {
        const int from = existing(node.inputs, first + i);
        if (i >= states) {
            links.push_back({Kind::ScanInput, from, i, -1, -1});
        } else {
            links.push_back({Kind::Carried, from, i, i < lengthOf(inner.outputs) ? i : -1, existing(node.outputs, i)});
        }
    }
    for (int i = states; i < lengthOf(inner.outputs); ++i) {
        links.push_back({Kind::ScanOutput, -1, -1, i, existing(node.outputs, i)});
    }
    return links;
}

std::int64_t axisOf(const Node& node, std::string_view attribute, int index)
{
    const auto* axes = findAttribute<std::vector<std::int64_t>>(node, attribute);
    const auto at = static_cast<std::size_t>(index);
    return axes && at < axes->size() ? (*axes)[at] : 0;
}

TensorType scanInner(const NodeFacts& facts, const BodyLink& link)
{
    if (link.ownerInput < 0) return {};
    const TensorType& outer = facts.type(static_cast<std::size_t>(link.ownerInput));
    const bool batched = hasBatchAxis(facts.graph(), facts.node());
    auto dims = dimsOf(outer);
    if (batched) dims = without(dims, 0);
    if (link.kind == Kind::Carried) return batched ? tensorOf(outer.dtype, dims) : outer;
    const int scan = link.bodyInput - stateCount(facts.graph(), facts.node());
    const std::int64_t axis = batched ? 0 : axisOf(facts.node(), "scan_input_axes", scan);
    return tensorOf(outer.dtype, without(dims, axis));
}

/// Scan-8 runs its body for every element of a batch, which every input but the lengths has in front.
std::int64_t batchSize(const NodeFacts& facts)
{
    for (std::size_t i = 1; i < facts.inputCount(); ++i) {
        const auto dims = facts.dims(i);
        if (dims && !dims->empty() && dims->front() >= 0) return dims->front();
    }
    return UnknownSize;
}

TensorType scanOuter(const NodeFacts& facts, const BodyLink& link, const TensorType& bodyOutput, std::int64_t trips)
{
    const bool batched = hasBatchAxis(facts.graph(), facts.node());
    if (link.kind == Kind::Carried && !batched) return bodyOutput;
    auto dims = dimsOf(bodyOutput);
    if (link.kind == Kind::ScanOutput) {
        const int scan = link.bodyOutput - stateCount(facts.graph(), facts.node());
        dims = with(dims, batched ? 0 : axisOf(facts.node(), "scan_output_axes", scan), trips);
    }
    return tensorOf(bodyOutput.dtype, batched ? with(dims, 0, batchSize(facts)) : dims);
}

std::int64_t scanTrips(NodeFacts& facts)
{
    const Graph& graph = facts.graph();
    const bool batched = hasBatchAxis(graph, facts.node());
    const int first = firstState(graph, facts.node()) + stateCount(graph, facts.node());
    for (int i = 0; i < scanCount(facts.node()); ++i) {
        const auto dims = facts.dims(static_cast<std::size_t>(first + i));
        if (!dims) continue;
        const auto axis = normalAxis(batched ? 1 : axisOf(facts.node(), "scan_input_axes", i), dims->size());
        if (axis && (*dims)[*axis] >= 0) return (*dims)[*axis];
    }
    return UnknownSize;
}

/// Sequences are handed over element by element; other inputs whole, again on each iteration.
std::vector<BodyLink> sequenceMapLinks(const Graph& graph, NodeId owner, BodyId body)
{
    const Node& node = graph[owner];
    std::vector<BodyLink> links;
    for (int i = 0; i < std::min(lengthOf(graph[body].inputs), lengthOf(node.inputs)); ++i) {
        links.push_back({Kind::ScanInput, existing(node.inputs, i), i, -1, -1});
    }
    for (int i = 0; i < lengthOf(graph[body].outputs); ++i) {
        links.push_back({Kind::ScanOutput, -1, -1, i, existing(node.outputs, i)});
    }
    return links;
}

TensorType sequenceMapInner(const NodeFacts& facts, const BodyLink& link)
{
    if (link.ownerInput < 0) return {};
    TensorType type = facts.type(static_cast<std::size_t>(link.ownerInput));
    if (type.kind == TypeKind::Sequence) type.kind = TypeKind::Tensor;
    return type;
}

TensorType sequenceMapOuter(const NodeFacts&, const BodyLink&, const TensorType& bodyOutput, std::int64_t)
{
    TensorType type = bodyOutput;
    type.kind = TypeKind::Sequence;
    return type;
}

std::int64_t unknownTrips(NodeFacts&)
{
    return UnknownSize;
}

std::vector<BodyLink> opaqueLinks(const Graph& graph, NodeId, BodyId body)
{
    std::vector<BodyLink> links;
    for (int i = 0; i < lengthOf(graph[body].inputs); ++i)
        links.push_back({Kind::Opaque, -1, i, -1, -1});
    for (int i = 0; i < lengthOf(graph[body].outputs); ++i)
        links.push_back({Kind::Opaque, -1, -1, i, -1});
    return links;
}

const BodyTraits If {.rule = BodyRule::Branch, .links = branchLinks, .outer = branchOuter};
const BodyTraits Loop {.rule = BodyRule::Loop,
                       .links = loopLinks,
                       .inner = loopInner,
                       .outer = loopOuter,
                       .trips = loopTrips,
                       .endless = true};
const BodyTraits Scan {.rule = BodyRule::Loop,
                       .links = scanLinks,
                       .inner = scanInner,
                       .outer = scanOuter,
                       .trips = scanTrips,
                       .batched = hasBatchAxis};
const BodyTraits SequenceMap {.rule = BodyRule::Loop,
                              .links = sequenceMapLinks,
                              .inner = sequenceMapInner,
                              .outer = sequenceMapOuter,
                              .trips = unknownTrips,
                              .sequences = true};
const BodyTraits Opaque {.rule = BodyRule::Once, .links = opaqueLinks};

/// The number of iterations follows from what is stacked; else there is one, so that the body is run.
void loopContents(ShapeSearch& search)
{
    std::int64_t trips = 1;
    const std::size_t states = search.node().inputs.size() < 2 ? 0 : search.node().inputs.size() - 2;
    for (std::size_t i = states; i < search.node().outputs.size(); ++i)
        trips = search.outSize(0, trips, i);
    search.want(0, {trips});
    search.wantAll(1, 1);
}

constexpr OpSchema Schemas[] = {
    {.op = "If", .signature = "bool -> *", .bodies = &If},
    {.op = "Loop", .signature = "int? bool? any* -> *", .contents = loopContents, .bodies = &Loop},
    {.op = "Scan", .signature = "any* -> *", .bodies = &Scan},
    {.op = "SequenceMap", .signature = "any any* -> *", .bodies = &SequenceMap},
};

} // namespace

constinit const OpFamily ops::controlFlowOperators {"", Schemas};

const BodyTraits& bodyTraits(const Graph& graph, NodeId owner)
{
    const OpSchema* schema = findSchema(graph[owner].domain, graph[owner].op);
    return schema && schema->bodies ? *schema->bodies : Opaque;
}

} // namespace plimsoll
