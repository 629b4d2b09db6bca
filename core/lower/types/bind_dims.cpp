#include "core/lower/types/bind_dims.h"

#include "core/graph/dim_expression.h"
#include "core/graph/sparse_parts.h"
#include "core/ops/op_traits.h"

#include <algorithm>

namespace plimsoll {
namespace {

Error badUsage(Message message, std::string where)
{
    return {ErrorCode::BadUsage, std::move(message), std::move(where), {}};
}

std::string namesOf(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "none" : text;
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
    return dim.symbol.empty() ? value.name + "." + std::to_string(axis) : dim.symbol;
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
            if (!dim.known() && !dim.symbol.empty()) addSymbol(symbols, dim.symbol);
        }
    }
    for (const ValueId input : inputs) {
        const Value& value = graph[input];
        for (std::size_t axis = 0; value.type.dims && axis < value.type.dims->size(); ++axis) {
            const Dim& dim = (*value.type.dims)[axis];
            if (!dim.known() && dim.symbol.empty()) symbols.names.insert(symbolOf(value, axis));
        }
    }
}

/// Inputs, and parameters that the file gives no type (MXNet's).
std::vector<ValueId> shapeable(const Graph& graph)
{
    std::vector<ValueId> values = graph[TopBody].inputs;
    for (std::size_t v = 0; v < graph.values.size(); ++v) {
        const Value& value = graph.values[v];
        if (value.role == ValueRole::Parameter && !value.data.present() && !value.type.bytes()) values.emplace_back(v);
    }
    return values;
}

/// In order of first appearance.
std::vector<std::string> openSymbols(const Graph& graph, const std::vector<ValueId>& inputs)
{
    std::vector<std::string> symbols;
    for (const ValueId input : inputs) {
        const Value& value = graph[input];
        for (std::size_t axis = 0; value.type.dims && axis < value.type.dims->size(); ++axis) {
            if (!(*value.type.dims)[axis].known()) symbols.push_back(symbolOf(value, axis));
        }
    }
    return symbols;
}

Status bindSymbol(Symbols& symbols, const std::string& symbol, std::int64_t size)
{
    if (!symbols.names.contains(symbol) && !symbols.expressions.contains(symbol)) {
        return badUsage("The graph has no dimension of that name. Its dimensions: " +
                            namesOf({symbols.names.begin(), symbols.names.end()}) + ".",
                        "dimension '" + symbol + "'");
    }
    if (size < 0) return badUsage("A size cannot be negative.", "dimension '" + symbol + "'");
    const auto [place, added] = symbols.sizes.emplace(symbol, size);
    if (!added && place->second != size) {
        return badUsage("It is given two sizes, " + std::to_string(place->second) + " and " + std::to_string(size) +
                            ".",
                        "dimension '" + symbol + "'");
    }
    return {};
}

/// The one name of an expression that has no size yet; nothing where there are none or several.
std::optional<std::string> openName(const Symbols& symbols, const DimExpression& expression)
{
    std::optional<std::string> open;
    for (const std::string& name : expression.names()) {
        if (symbols.sizes.contains(name)) continue;
        if (open) return std::nullopt;
        open = name;
    }
    return open;
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
        const auto name = openName(symbols, expression);
        if (size == symbols.sizes.end() || !name) continue;
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
std::string sizesOf(const Symbols& symbols, const DimExpression& expression)
{
    std::string sizes;
    for (const std::string& name : expression.names()) {
        const auto size = symbols.sizes.find(name);
        if (size == symbols.sizes.end()) return {};
        sizes += (sizes.empty() ? "" : ", ") + name + " = " + std::to_string(size->second);
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
            if (symbols.sizes.contains(symbol) || sizesOf(symbols, expression).empty()) continue;
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
            if (const std::string sizes = sizesOf(symbols, expression); !sizes.empty()) bound.unfit[symbol] = sizes;
            continue;
        }
        if (given != symbols.sizes.end() && given->second != *size) {
            return badUsage("It is given the size " + std::to_string(given->second) + ", but the sizes of its names " +
                                "make it " + std::to_string(*size) + ".",
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

TensorType resolved(const Symbols& symbols, const Value& value)
{
    TensorType type = value.type;
    if (!type.dims) return type;
    for (Dim& dim : *type.dims) {
        if (const auto found = symbols.sizes.find(dim.symbol); !dim.known() && found != symbols.sizes.end())
            dim = {found->second, {}};
    }
    return type;
}

Status checkStorages(const Graph& graph, const std::vector<TensorType>& declared)
{
    for (std::size_t value = 0; value < declared.size(); ++value) {
        const TensorType& type = declared[value];
        const std::string unfit = whyNotSparse(type);
        const std::string message = !unfit.empty() ? "It cannot be " + describe(type) + ": " + unfit + "."
                                    : type.isSparse() && type.overflows()
                                        ? "The size of " + describe(type) + " does not fit in 63 bits."
                                        : "";
        if (!message.empty())
            return Error {ErrorCode::BadInput, message, "value '" + graph.values[value].name + "'", {}};
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
        m_bound.declared.reserve(m_graph.values.size());
        for (const Value& value : m_graph.values)
            m_bound.declared.push_back(resolved(m_symbols, value));
        for (const ValueId input : m_inputs)
            nameAndResolve(input);
        for (const auto& [value, shape] : m_shapes)
            m_bound.declared[value.index()].dims = TensorType::dense(DType::Unknown, shape).dims;
        for (const auto& [name, most] : m_request.maxStored) {
            const ValueId value = findValue(m_graph, name);
            if (!value.valid()) return badUsage("The graph has no value of that name.", "bound of '" + name + "'");
            if (most < 0) return badUsage("A bound is not negative.", "bound of '" + name + "'");
            m_bound.declared[value.index()].maxStored = most;
        }
        PLIMSOLL_TRY(checkStorages(m_graph, m_bound.declared));
        m_bound.certain = m_bound.certain && m_symbols.assumed.empty();
        return std::move(m_bound);
    }

private:
    Status bindShape(const std::string& name, const Shape& shape)
    {
        const std::vector<ValueId> inputs = shapeable(m_graph);
        const auto found = std::ranges::find_if(inputs, [&](ValueId id) { return m_graph[id].name == name; });
        if (found == inputs.end()) {
            std::vector<std::string> names;
            for (const ValueId id : inputs)
                names.push_back(m_graph[id].name);
            return badUsage("The graph has no input of that name. Its inputs: " + namesOf(names) + ".",
                            "shape of '" + name + "'");
        }
        const Value& value = m_graph[*found];
        if (!elementCount(shape))
            return badUsage("A size is negative, or all together are too large.", "shape of '" + name + "'");
        m_shapes[*found] = shape;
        if (!value.type.dims) return {};
        if (value.type.dims->size() != shape.size()) {
            return badUsage("The input is " + describe(value.type) + ", which has another number of dimensions than " +
                                describe(shape) + ".",
                            "shape of '" + name + "'");
        }
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
        std::set<std::string> follow;
        const std::vector<std::string> open = openSymbols(m_graph, m_inputs);
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
        for (const std::string& symbol : open)
            PLIMSOLL_TRY(listOpen(symbol, follow.contains(symbol)));
        const std::map<std::string, std::int64_t> rest = m_symbols.sizes;
        for (const auto& [symbol, size] : rest)
            list(symbol);
        return {};
    }

    Status listOpen(const std::string& symbol, bool follows)
    {
        if (!follows) {
            list(symbol);
            return {};
        }
        const DimExpression& expression = m_symbols.expressions.at(symbol);
        if (expression.evaluate(m_symbols.sizes).value_or(-1) < 0)
            return badUsage("With " + sizesOf(m_symbols, expression) + " it is no size.", "dimension '" + symbol + "'");
        for (const std::string& name : expression.names())
            list(name);
        return {};
    }

    void nameAndResolve(ValueId input)
    {
        TensorType& type = m_bound.declared[input.index()];
        if (const auto given = m_shapes.find(input); given != m_shapes.end()) {
            type.dims = TensorType::dense(type.dtype, given->second).dims;
        } else if (type.dims) {
            for (std::size_t axis = 0; axis < type.dims->size(); ++axis) {
                Dim& dim = (*type.dims)[axis];
                if (!dim.known()) dim = {m_symbols.sizes[symbolOf(m_graph[input], axis)], {}};
            }
        }
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
