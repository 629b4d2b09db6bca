#include "core/lower/types/bind_dims.h"

#include "core/graph/dim_expression.h"
#include "core/graph/sparse_parts.h"
#include "core/ops/op_traits.h"

#include <algorithm>
#include <functional>

namespace plimsoll {
namespace {

Error badUsage(Message message, std::string where)
{
    return {ErrorCode::BadUsage, std::move(message), std::move(where), {}};
}

template <typename Names>
Argument listed(const Names& names)
{
    if (names.empty()) return say("none");
    return allOf(names, std::identity(), word::List::Joint::Comma);
}

/// What the caller hands in: inputs of the graph, and those of bodies that only their vendor knows how to feed.
std::vector<ValueId> freeInputs(const Graph& graph)
{
    std::vector<ValueId> inputs;
    for (std::size_t b = 0; b < graph.bodies.size(); ++b) {
        const NodeId owner = graph.bodies[b].owner;
        if (owner.valid() && bodyRule(graph, owner) != BodyRule::Once) continue;
        for (const ValueId input : graph.bodies[b].inputs) {
            if (graph[input].type.kind == TypeKind::Tensor) inputs.push_back(input);
        }
    }
    return inputs;
}

std::string symbolOf(const Value& value, std::size_t axis)
{
    const Dim& dim = (*value.type.dims)[axis];
    return dim.symbol->empty() ? value.name + "." + std::to_string(axis) : *dim.symbol;
}

/// Symbolic dimensions by name, and their sizes as far as they are known.
struct Symbols
{
    const std::map<std::string, std::int64_t>& assumptions; ///< Other sizes than 1 to assume.
    std::set<std::string> names;
    std::map<std::string, DimExpression> expressions; ///< Symbols that follow from others.
    std::map<std::string, std::int64_t> sizes;
    std::set<std::string> assumed;
};

void addSymbol(Symbols& symbols, const std::string& symbol)
{
    if (symbols.names.contains(symbol) || symbols.expressions.contains(symbol)) return;
    const auto expression = DimExpression::parse(symbol);
    if (!expression) {
        symbols.names.insert(symbol);
        return;
    }
    symbols.names.insert(expression->names().begin(), expression->names().end());
    symbols.expressions.emplace(symbol, *expression);
}

void collectSymbols(const Graph& graph, const std::vector<ValueId>& inputs, Symbols& symbols)
{
    for (const Value& value : graph.values) {
        if (!value.type.dims) continue;
        for (const Dim& dim : *value.type.dims) {
            if (!dim.known() && !dim.symbol->empty()) addSymbol(symbols, *dim.symbol);
        }
    }
    for (const ValueId input : inputs) {
        const Value& value = graph[input];
        for (std::size_t axis = 0; value.type.dims && axis < value.type.dims->size(); ++axis) {
            const Dim& dim = (*value.type.dims)[axis];
            if (!dim.known() && dim.symbol->empty()) symbols.names.insert(symbolOf(value, axis));
        }
    }
}

Status bindSymbol(Symbols& symbols, const std::string& symbol, std::int64_t size)
{
    if (!symbols.names.contains(symbol) && !symbols.expressions.contains(symbol)) {
        return badUsage(say("dims.none-of-that-name", listed(symbols.names)), "dimension '" + symbol + "'");
    }
    if (size < 0) return badUsage(say("dims.negative"), "dimension '" + symbol + "'");
    const auto [place, added] = symbols.sizes.emplace(symbol, size);
    if (!added && place->second != size)
        return badUsage(say("dims.two-sizes", word::Number {place->second}, word::Number {size}),
                        "dimension '" + symbol + "'");
    return {};
}

std::optional<std::int64_t> evaluatedWith(const Symbols& symbols, const DimExpression& expression,
                                          const std::string& name, std::int64_t size)
{
    std::map<std::string, std::int64_t> sizes;
    for (const std::string& other : expression.names()) {
        if (const auto known = symbols.sizes.find(other); known != symbols.sizes.end()) sizes.insert(*known);
    }
    sizes[name] = size;
    return expression.evaluate(sizes);
}

/// Sizes that follow from given ones: batch from batch*2 = 8. Only where the expression is a line in its name.
void solveExpressions(Symbols& symbols)
{
    for (const auto& [symbol, expression] : symbols.expressions) {
        const auto size = symbols.sizes.find(symbol);
        const auto isOpen = [&](const std::string& name) { return !symbols.sizes.contains(name); };
        const std::vector<std::string>& names = expression.names();
        if (size == symbols.sizes.end() || std::ranges::count_if(names, isOpen) != 1) continue;
        const auto name = std::ranges::find_if(names, isOpen);
        const auto atZero = evaluatedWith(symbols, expression, *name, 0);
        const auto atOne = evaluatedWith(symbols, expression, *name, 1);
        const auto slope = atZero && atOne ? *atOne - *atZero : 0;
        if (slope == 0 || (size->second - *atZero) % slope != 0) continue;
        const std::int64_t solution = (size->second - *atZero) / slope;
        if (solution >= 0 && evaluatedWith(symbols, expression, *name, solution) == size->second)
            symbols.sizes[*name] = solution;
    }
}

void assume(Symbols& symbols, const std::string& symbol, std::int64_t size)
{
    const auto other = symbols.assumptions.find(symbol);
    const std::int64_t assumed = other == symbols.assumptions.end() ? size : other->second;
    if (symbols.sizes.emplace(symbol, assumed).second) symbols.assumed.insert(symbol);
}

/// "s0 = 1, s1 = 4"; empty where one of its names has no size.
word::List sizesOf(const Symbols& symbols, const DimExpression& expression)
{
    word::List sizes;
    for (const std::string& name : expression.names()) {
        const auto size = symbols.sizes.find(name);
        if (size == symbols.sizes.end()) return {};
        sizes.items.emplace_back(say("dims.size", name, word::Number {size->second}));
    }
    return sizes;
}

/// Whether it got larger, for the last of its names that was assumed and can do that.
bool raise(Symbols& symbols, const DimExpression& expression)
{
    constexpr std::int64_t Most = 1024;
    const std::vector<std::string>& names = expression.names();
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
        if (!symbols.assumed.contains(*name) || symbols.assumptions.contains(*name)) continue;
        std::int64_t& size = symbols.sizes[*name];
        for (std::int64_t larger = 2 * size; larger <= Most; larger *= 2) {
            if (evaluatedWith(symbols, expression, *name, larger).value_or(0) < 1) continue;
            size = larger;
            return true;
        }
    }
    return false;
}

/// Powers of two where 1 leaves nothing over of an input, or less than nothing of a value inside.
void raiseAssumed(Symbols& symbols, const std::set<std::string>& ofInputs)
{
    for (bool raised = true; raised;) {
        raised = false;
        for (const auto& [symbol, expression] : symbols.expressions) {
            if (symbols.sizes.contains(symbol) || sizesOf(symbols, expression).items.empty()) continue;
            const std::int64_t least = ofInputs.contains(symbol) ? 1 : 0;
            if (expression.evaluate(symbols.sizes).value_or(-1) < least) raised = raise(symbols, expression) || raised;
        }
    }
}

/// What follows from the names. Of values inside, some exporters write what cannot be: that is left open.
Status settleExpressions(Symbols& symbols, BoundDims& bound)
{
    std::map<std::string, std::int64_t> follow;
    for (const auto& [symbol, expression] : symbols.expressions) {
        const auto size = expression.evaluate(symbols.sizes);
        const auto given = symbols.sizes.find(symbol);
        if (!size || *size < 0) {
            if (word::List sizes = sizesOf(symbols, expression); !sizes.items.empty())
                bound.unfit[symbol] = std::move(sizes);
            continue;
        }
        if (given != symbols.sizes.end() && given->second != *size) {
            return badUsage(say("dims.names-make-it", word::Number {given->second}, word::Number {*size}),
                            "dimension '" + symbol + "'");
        }
        follow.emplace(symbol, *size);
    }
    for (const auto& [symbol, size] : symbols.sizes) {
        if (!symbols.assumed.contains(symbol)) bound.given.insert(symbol);
    }
    for (const auto& [symbol, size] : follow) {
        const std::vector<std::string>& names = symbols.expressions.at(symbol).names();
        const auto assumed = [&](const std::string& name) { return symbols.assumed.contains(name); };
        if (std::ranges::none_of(names, assumed)) bound.given.insert(symbol);
    }
    symbols.sizes.merge(follow);
    return {};
}

Status checkStorages(const Graph& graph, const std::vector<TensorType>& declared)
{
    for (std::size_t value = 0; value < declared.size(); ++value) {
        const TensorType& type = declared[value];
        const Message unfit = whyNotSparse(type);
        if (unfit.empty() && (!type.isSparse() || !type.overflows())) continue;
        return Error {ErrorCode::BadInput,
                      unfit.empty() ? say("dims.too-large", describe(type))
                                    : say("dims.not-sparse", describe(type), unfit),
                      "value '" + graph.values[value].name + "'",
                      {}};
    }
    return {};
}

class Binder
{
public:
    Binder(const Graph& graph, const InferenceRequest& request, const std::map<std::string, std::int64_t>& assumptions)
        : m_graph(graph), m_request(request), m_symbols {assumptions, {}, {}, {}, {}}
    {
    }

    Result<BoundDims> run()
    {
        m_inputs = freeInputs(m_graph);
        collectSymbols(m_graph, m_inputs, m_symbols);
        for (const auto& [name, shape] : m_request.shapes)
            PLIMSOLL_TRY(bindShape(name, shape));
        for (const auto& [symbol, size] : m_request.dims)
            PLIMSOLL_TRY(bindSymbol(m_symbols, symbol, size));
        solveExpressions(m_symbols);
        PLIMSOLL_TRY(assumeTheRest());
        PLIMSOLL_TRY(settleExpressions(m_symbols, m_bound));
        declareAll();
        for (const auto& [name, most] : m_request.maxStored) {
            const ValueId value = findValue(m_graph, name);
            if (!value.valid()) return badUsage(say("dims.no-such-value"), "bound of '" + name + "'");
            if (most < 0) return badUsage(say("dims.negative-bound"), "bound of '" + name + "'");
            m_bound.declared[value.index()].maxStored = most;
        }
        PLIMSOLL_TRY(checkStorages(m_graph, m_bound.declared));
        m_bound.certain = m_bound.certain && m_symbols.assumed.empty();
        return std::move(m_bound);
    }

private:
    Status bindShape(const std::string& name, const Shape& shape)
    {
        std::vector<ValueId> inputs = m_graph[TopBody].inputs;
        for (std::size_t v = 0; v < m_graph.values.size(); ++v) {
            const Value& value = m_graph.values[v]; // MXNet's parameters have no type in the file.
            const bool open = value.role == ValueRole::Parameter && !value.data->present() && !value.type.bytes();
            if (open) inputs.emplace_back(v);
        }
        const auto found = std::ranges::find_if(inputs, [&](ValueId id) { return m_graph[id].name == name; });
        if (found == inputs.end()) {
            std::vector<std::string> names;
            for (const ValueId id : inputs)
                names.push_back(m_graph[id].name);
            return badUsage(say("dims.no-such-input", listed(names)), "shape of '" + name + "'");
        }
        const Value& value = m_graph[*found];
        if (!elementCount(shape)) return badUsage(say("dims.impossible-shape"), "shape of '" + name + "'");
        m_shapes[*found] = shape;
        if (!value.type.dims) return {};
        if (value.type.dims->size() != shape.size())
            return badUsage(say("dims.another-rank", describe(value.type), describe(shape)), "shape of '" + name + "'");
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            const Dim& dim = (*value.type.dims)[axis];
            if (dim.known()) {
                if (dim.size != shape[axis]) m_bound.certain = false;
            } else if (value.role == ValueRole::Input) {
                PLIMSOLL_TRY(bindSymbol(m_symbols, symbolOf(value, axis), shape[axis]));
            }
        }
        return {};
    }

    void list(const std::string& symbol)
    {
        if (m_listed.insert(symbol).second)
            m_bound.bindings.push_back({symbol, m_symbols.sizes[symbol], m_symbols.assumed.contains(symbol)});
    }

    Status assumeTheRest()
    {
        std::vector<std::string> open; // in order of first appearance
        for (const ValueId input : m_inputs) {
            const Value& value = m_graph[input];
            for (std::size_t axis = 0; value.type.dims && axis < value.type.dims->size(); ++axis) {
                if (!(*value.type.dims)[axis].known()) open.push_back(symbolOf(value, axis));
            }
        }
        std::set<std::string> follow;
        for (const std::string& symbol : open) {
            const auto expression = m_symbols.expressions.find(symbol);
            if (expression == m_symbols.expressions.end()) {
                assume(m_symbols, symbol, 1);
            } else if (!m_symbols.sizes.contains(symbol)) {
                follow.insert(symbol);
                for (const std::string& name : expression->second.names())
                    assume(m_symbols, name, 1);
            }
        }
        raiseAssumed(m_symbols, follow);
        for (const std::string& symbol : open) {
            if (!follow.contains(symbol)) {
                list(symbol);
                continue;
            }
            const DimExpression& expression = m_symbols.expressions.at(symbol);
            if (expression.evaluate(m_symbols.sizes).value_or(-1) < 0)
                return badUsage(say("dims.no-size", sizesOf(m_symbols, expression)), "dimension '" + symbol + "'");
            for (const std::string& name : expression.names())
                list(name);
        }
        const std::map<std::string, std::int64_t> rest = m_symbols.sizes;
        for (const auto& [symbol, size] : rest)
            list(symbol);
        return {};
    }

    /// Types with all sizes that are known now; of what the caller hands in, unnamed ones have sizes too.
    void declareAll()
    {
        std::vector<bool> free(m_graph.values.size(), false);
        for (const ValueId input : m_inputs)
            free[input.index()] = true;
        for (std::size_t v = 0; v < m_graph.values.size(); ++v) {
            const Value& value = m_graph.values[v];
            m_bound.declared.push_back(value.type);
            auto& dims = m_bound.declared.back().dims;
            for (std::size_t axis = 0; dims && axis < dims->size(); ++axis) {
                Dim& dim = (*dims)[axis];
                if (dim.known()) continue;
                const auto size = m_symbols.sizes.find(free[v] ? symbolOf(value, axis) : *dim.symbol);
                if (size != m_symbols.sizes.end()) dim = {size->second, {}};
            }
        }
        for (const auto& [value, shape] : m_shapes)
            m_bound.declared[value.index()].dims = TensorType::dense(DType::Unknown, shape).dims;
    }

    const Graph& m_graph;
    const InferenceRequest& m_request;
    std::vector<ValueId> m_inputs;
    Symbols m_symbols;
    std::set<std::string> m_listed;
    std::map<ValueId, Shape> m_shapes;
    BoundDims m_bound;
};

} // namespace

Result<BoundDims> bindDims(const Graph& graph, const InferenceRequest& request,
                           const std::map<std::string, std::int64_t>& assumptions)
{
    return Binder(graph, request, assumptions).run();
}

BoundDims leaveOpen(const Graph& graph, const InferenceRequest& request, const BoundDims& bound)
{
    BoundDims open;
    for (std::size_t v = 0; v < graph.values.size(); ++v) {
        const Value& value = graph.values[v];
        TensorType type = bound.declared[v];
        const bool replaced = request.shapes.contains(value.name) && value.role == ValueRole::Input;
        for (std::size_t axis = 0; type.dims && value.type.dims && axis < type.dims->size(); ++axis) {
            const Dim& dim = (*value.type.dims)[axis];
            const bool assumed = !dim.known() && !bound.given.contains(symbolOf(value, axis));
            const bool changed = replaced && dim.known() && dim.size != (*type.dims)[axis].size;
            if (assumed || changed) (*type.dims)[axis] = Dim {};
        }
        open.declared.push_back(std::move(type));
    }
    return open;
}

} // namespace plimsoll
