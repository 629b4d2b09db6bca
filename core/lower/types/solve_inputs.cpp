#include "core/lower/types/solve_inputs.h"

#include "core/ops/literal_elements.h"
#include "core/ops/op_schema.h"
#include "core/ops/op_traits.h"
#include "core/ops/reorder_node.h"
#include "core/ops/rules/shape_search.h"
#include "core/ops/safe_int.h"
#include "core/ops/standard_domain.h"

#include <algorithm>
#include <array>
#include <deque>
#include <string_view>

namespace plimsoll {
namespace {

using Elements = std::vector<std::optional<Scalar>>;

/// Operators whose first input holds the same elements as their output, as far as shapes go.
constexpr std::array<std::string_view, 6> Arithmetic = {"Add", "Sub", "Mul", "Div", "Max", "Min"};
constexpr std::array Copying = {
    std::string_view("Abs"),       std::string_view("Cast"),     std::string_view("CastLike"),
    std::string_view("Ceil"),      std::string_view("Clip"),     std::string_view("Flatten"),
    std::string_view("Floor"),     std::string_view("Identity"), std::string_view("Relu"),
    std::string_view("Reshape"),   std::string_view("Round"),    std::string_view("Squeeze"),
    std::string_view("Unsqueeze"),
};

std::optional<std::size_t> elementsOf(const Graph& graph, ValueId id)
{
    const auto shape = id.valid() ? graph[id].type.shape() : std::nullopt;
    const auto count = shape ? elementCount(*shape) : std::nullopt;
    return count && *count <= PartialTensor::Limit ? std::optional(static_cast<std::size_t>(*count)) : std::nullopt;
}

bool isRow(const Graph& graph, ValueId id)
{
    const auto shape = id.valid() ? graph[id].type.shape() : std::nullopt;
    return shape && shape->size() == 1;
}

std::optional<Scalar> ofInteger(const SafeInt& number)
{
    const auto whole = number.get();
    return whole ? std::optional(Scalar::ofInteger(*whole)) : std::nullopt;
}

/// The operand that gives \p result together with \p other, which is the second one, or the first.
std::optional<Scalar> operand(std::string_view op, const Scalar& result, const Scalar& other, bool otherIsSecond)
{
    const double r = result.asReal();
    const double o = other.asReal();
    const bool real = result.isFloat || other.isFloat;
    if (op == "Max" || op == "Min") return result;
    if (op == "Add") return real ? Scalar::ofReal(r - o) : ofInteger(SafeInt(result.integer) - other.integer);
    if (op == "Sub" && otherIsSecond)
        return real ? Scalar::ofReal(r + o) : ofInteger(SafeInt(result.integer) + other.integer);
    if (op == "Sub") return real ? Scalar::ofReal(o - r) : ofInteger(SafeInt(other.integer) - result.integer);
    if (op == "Div" && otherIsSecond)
        return real ? Scalar::ofReal(r * o) : ofInteger(SafeInt(result.integer) * other.integer);
    if (op == "Div") return real ? Scalar::ofReal(o / r) : ofInteger(SafeInt(other.integer).floorDiv(result.integer));
    return real ? Scalar::ofReal(r / o) : ofInteger(SafeInt(result.integer).floorDiv(other.integer)); // Mul
}

/// The unknown sizes of what an operator works on element by element are taken to be those of its result; one that is
/// broadcast may be smaller, and need not be.
void takeSizes(Graph& graph, const Node& node)
{
    const OpSchema* const schema = findSchema(node.domain, node.op);
    const auto result =
        node.outputs.empty() || !node.outputs[0].valid() ? std::nullopt : graph[node.outputs[0]].type.dims;
    for (std::size_t i = 0; schema && result && i < node.inputs.size() && i < 32; ++i) {
        const bool cast = i == 0 && (node.op == "Cast" || node.op == "CastLike"); // changes the bytes alone
        const bool same = schema->inPlace.has(static_cast<int>(i)) || cast;
        if (!same || !node.inputs[i].valid()) continue;
        auto& dims = graph[node.inputs[i]].type.dims;
        if (!dims && (cast || node.inputs.size() == 1)) dims = result;
        for (std::size_t axis = 0; dims && dims->size() == result->size() && axis < dims->size(); ++axis) {
            if (!(*dims)[axis].known()) (*dims)[axis] = (*result)[axis];
        }
    }
}

/// What is asked of values, and which of them are to be followed to what they are made from.
struct Wanted
{
    const Graph& graph;
    std::vector<Elements> elements = std::vector<Elements>(graph.values.size()); ///< By ValueId; empty: nothing.
    std::deque<ValueId> open {};

    void want(ValueId id, const Elements& asked)
    {
        if (!id.valid() || asked.empty() || graph[id].data->present() || !isTracked(graph[id].type.dtype)) return;
        if (elementsOf(graph, id) != asked.size()) return;
        Elements& so = elements[id.index()];
        so.resize(asked.size());
        bool news = false;
        for (std::size_t i = 0; i < asked.size(); ++i) {
            if (so[i] || !asked[i]) continue;
            so[i] = asked[i];
            news = true;
        }
        if (news && graph[id].producer.valid()) open.push_back(id);
    }

    /// From a position on, every so many elements.
    void wantAt(ValueId input, const Elements& asked, std::int64_t start, std::int64_t step)
    {
        Elements whole(elementsOf(graph, input).value_or(0));
        for (std::size_t i = 0; i < asked.size(); ++i) {
            const auto at = (SafeInt(start) + SafeInt(static_cast<std::int64_t>(i)) * step).get();
            if (at && *at >= 0 && *at < static_cast<std::int64_t>(whole.size()))
                whole[static_cast<std::size_t>(*at)] = asked[i];
        }
        want(input, whole);
    }

    /// All elements, of a constant or of what others have asked for.
    std::optional<Elements> known(ValueId id) const
    {
        if (!id.valid()) return std::nullopt;
        const Value& value = graph[id];
        if (value.data->present()) {
            const PartialTensor read =
                readElements(value.type.dtype, value.type.shape().value_or(Shape {}), *value.data);
            return read.complete() ? std::optional(read.elements) : std::nullopt;
        }
        const Elements& wanted = elements[id.index()];
        const bool whole = !wanted.empty() && std::ranges::all_of(wanted, [](const auto& e) { return e.has_value(); });
        return whole ? std::optional(wanted) : std::nullopt;
    }

    PartialTensor content(ValueId id) const
    {
        const TensorType& type = graph[id].type;
        PartialTensor tensor {type.dtype, type.shape().value_or(Shape {}), {}, true};
        for (const auto& element : elements[id.index()])
            tensor.elements.push_back(element ? asType(type.dtype, *element) : std::nullopt);
        return tensor;
    }
};

void intoBranches(Wanted& wanted, NodeId owner, ValueId result, const Elements& elements)
{
    for (const BodyId body : wanted.graph[owner].bodies) {
        for (const BodyLink& link : bodyLinks(wanted.graph, owner, body)) {
            const bool here = link.kind == BodyLink::Kind::Branch && link.ownerOutput >= 0 &&
                              wanted.graph[owner].outputs[static_cast<std::size_t>(link.ownerOutput)] == result;
            if (here) wanted.want(wanted.graph[body].outputs[static_cast<std::size_t>(link.bodyOutput)], elements);
        }
    }
}

/// What of one operand is not known follows from the other; of two the second becomes one that changes nothing.
void throughArithmetic(Wanted& wanted, const Node& node, const Elements& elements)
{
    const bool first = wanted.known(node.inputs[0]).has_value();
    if (!first && !wanted.known(node.inputs[1])) {
        const std::int64_t neutral = node.op == "Mul" || node.op == "Div" ? 1 : 0;
        wanted.want(node.inputs[1],
                    Elements(elementsOf(wanted.graph, node.inputs[1]).value_or(0), Scalar::ofInteger(neutral)));
    }
    const std::size_t other = first ? 0 : 1;
    const auto given = wanted.known(node.inputs[other]);
    const ValueId target = node.inputs[1 - other];
    const std::size_t count = elementsOf(wanted.graph, target).value_or(0);
    if (!given || (given->size() != elements.size() && given->size() != 1) || count > elements.size()) return;
    Elements operands(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Scalar& beside = *(*given)[given->size() == 1 ? 0 : i];
        if (elements[i]) operands[i] = operand(node.op, *elements[i], beside, other == 1);
    }
    wanted.want(target, operands);
}

void throughConcat(Wanted& wanted, const Node& node, const Elements& elements)
{
    std::size_t at = 0;
    for (const ValueId input : node.inputs) {
        const auto count = elementsOf(wanted.graph, input);
        if (!count || at + *count > elements.size()) return;
        const auto begin = elements.begin() + static_cast<std::ptrdiff_t>(at);
        wanted.want(input, Elements(begin, begin + static_cast<std::ptrdiff_t>(*count)));
        at += *count;
    }
}

void throughSlice(Wanted& wanted, const Node& node, const Elements& elements)
{
    const auto number = [&](std::size_t input, std::int64_t otherwise) {
        const auto given = input < node.inputs.size() ? wanted.known(node.inputs[input]) : std::nullopt;
        return given && given->size() == 1 ? given->front()->integer : otherwise;
    };
    const auto* starts = findAttribute<std::vector<std::int64_t>>(node, "starts");
    const std::int64_t start = starts && starts->size() == 1 ? starts->front() : number(1, 0);
    const auto count = static_cast<std::int64_t>(elementsOf(wanted.graph, node.inputs[0]).value_or(0));
    wanted.wantAt(node.inputs[0], elements, start < 0 ? start + count : start, number(4, 1));
}

void throughGather(Wanted& wanted, const Node& node, const Elements& elements)
{
    const auto indices = node.inputs.size() > 1 ? wanted.known(node.inputs[1]) : std::nullopt;
    Elements whole(elementsOf(wanted.graph, node.inputs[0]).value_or(0));
    const auto count = static_cast<std::int64_t>(whole.size());
    for (std::size_t i = 0; indices && i < std::min(indices->size(), elements.size()); ++i) {
        const std::int64_t index = (*indices)[i]->integer < 0 ? (*indices)[i]->integer + count : (*indices)[i]->integer;
        if (index >= 0 && index < count) whole[static_cast<std::size_t>(index)] = elements[i];
    }
    wanted.want(node.inputs[0], whole);
}

void through(Wanted& wanted, const Node& node, NodeId id, ValueId result)
{
    Elements elements = wanted.elements[result.index()];
    if (!node.bodies.empty()) return intoBranches(wanted, id, result, elements);
    if (node.inputs.empty()) return;
    if (std::ranges::find(Copying, *node.op) != Copying.end()) return wanted.want(node.inputs[0], elements);
    const bool arithmetic = std::ranges::find(Arithmetic, *node.op) != Arithmetic.end();
    if (arithmetic && node.inputs.size() == 2) return throughArithmetic(wanted, node, elements);
    if (node.op == "Concat" && isRow(wanted.graph, result)) return throughConcat(wanted, node, elements);
    if (node.op == "Split" && isRow(wanted.graph, result)) {
        std::int64_t at = 0;
        for (std::size_t output = 0; node.outputs[output] != result; ++output)
            at += static_cast<std::int64_t>(elementsOf(wanted.graph, node.outputs[output]).value_or(0));
        return wanted.wantAt(node.inputs[0], elements, at, 1);
    }
    if (node.op == "Gather" && isRow(wanted.graph, node.inputs[0])) return throughGather(wanted, node, elements);
    if (node.op == "Slice" && isRow(wanted.graph, node.inputs[0])) return throughSlice(wanted, node, elements);
    if (node.op == "Neg" || node.op == "Not") {
        for (auto& element : elements) {
            if (!element) continue;
            element = node.op == "Not" ? Scalar::ofInteger(element->integer == 0 ? 1 : 0)
                                       : operand("Sub", *element, Scalar::ofInteger(0), false);
        }
        return wanted.want(node.inputs[0], elements);
    }
    if (node.op == "Where" && node.inputs.size() == 3) {
        wanted.want(node.inputs[1], elements);
        wanted.want(node.inputs[2], elements);
    }
    const bool reduces = node.op == "ReduceProd" || node.op == "ReduceSum" || node.op == "ReduceMax";
    if (!reduces || elements.size() != 1) return;
    // All elements become one: the first has it, the others change nothing.
    const std::int64_t neutral = node.op == "ReduceProd" ? 1 : 0;
    Elements whole(elementsOf(wanted.graph, node.inputs[0]).value_or(0), Scalar::ofInteger(neutral));
    if (!whole.empty()) whole.front() = elements.front();
    wanted.want(node.inputs[0], whole);
}

} // namespace

std::map<ValueId, PartialTensor> solveInputs(const Graph& captured)
{
    Graph graph = captured;
    for (std::size_t i = graph.nodes.size(); i-- > 0;) { // sizes that follow from declared ones behind them
        const Node node = graph.nodes[i];
        if (isStandard(node) && node.bodies.empty()) takeSizes(graph, node);
    }
    // What is asked of values is followed to those from outside.
    Wanted wanted {graph};
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        for (InputContent& content : shapeInputs(graph, NodeId(i)))
            wanted.want(graph.nodes[i].inputs[content.input], content.elements);
        for (; !wanted.open.empty(); wanted.open.pop_front()) {
            const ValueId made = wanted.open.front();
            const NodeId maker = graph[made].producer;
            if (isReorder(graph[maker]) || isSpaceCopy(graph[maker])) // the same elements
                wanted.want(graph[maker].inputs[0], Elements(wanted.elements[made.index()]));
            else if (isStandard(graph[maker]))
                through(wanted, graph[maker], maker, made);
        }
    }
    std::map<ValueId, PartialTensor> solved;
    for (std::size_t i = 0; i < wanted.elements.size(); ++i) {
        const ValueRole role = graph.values[i].role;
        const bool outside = role == ValueRole::Input || role == ValueRole::Parameter;
        if (outside && !wanted.elements[i].empty()) solved.emplace(ValueId(i), wanted.content(ValueId(i)));
    }
    return solved;
}

} // namespace plimsoll
