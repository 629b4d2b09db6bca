#include "core/transform/bind_dims.h"

#include "core/graph/sparse_parts.h"
#include "core/ops/op_traits.h"

#include <algorithm>
#include <set>

namespace plimsoll {

namespace {

Error badUsage(std::string message, std::string where)
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

class Binder
{
public:
    Binder(const Graph& graph, const InferenceRequest& request, const std::map<std::string, std::int64_t>& assumptions)
        : m_graph(graph), m_request(request), m_assumptions(assumptions)
    {
    }

    Result<BoundDims> run()
    {
        m_inputs = freeInputs(m_graph);
        collectSymbols();
        for (const auto& [name, shape] : m_request.shapes)
            PLIMSOLL_TRY(bindShape(name, shape));
        for (const auto& [symbol, size] : m_request.dims)
            PLIMSOLL_TRY(bindSymbol(symbol, size));
        assumeTheRest();
        m_bound.declared.reserve(m_graph.values.size());
        for (const Value& value : m_graph.values)
            m_bound.declared.push_back(resolved(value));
        for (const ValueId input : m_inputs)
            nameAndResolve(input);
        for (const auto& [value, shape] : m_shapes)
            m_bound.declared[value.index()].dims = TensorType::dense(DType::Unknown, shape).dims;
        for (const auto& [name, most] : m_request.maxStored)
            PLIMSOLL_TRY(bindStored(name, most));
        PLIMSOLL_TRY(checkStorages());
        return std::move(m_bound);
    }

private:
    void collectSymbols()
    {
        for (const Value& value : m_graph.values) {
            if (!value.type.dims) continue;
            for (const Dim& dim : *value.type.dims) {
                if (!dim.known() && !dim.symbol.empty()) m_symbols.insert(dim.symbol);
            }
        }
        for (const ValueId input : m_inputs) {
            const Value& value = m_graph[input];
            for (std::size_t axis = 0; value.type.dims && axis < value.type.dims->size(); ++axis) {
                if (!(*value.type.dims)[axis].known()) m_symbols.insert(symbolOf(value, axis));
            }
        }
    }

    /// Inputs, and parameters that the file gives no type (MXNet's).
    std::vector<ValueId> shapeable() const
    {
        std::vector<ValueId> values = m_graph[TopBody].inputs;
        for (std::size_t v = 0; v < m_graph.values.size(); ++v) {
            const Value& value = m_graph.values[v];
            if (value.role == ValueRole::Parameter && !value.data.present() && !value.type.bytes())
                values.emplace_back(v);
        }
        return values;
    }

    Status bindShape(const std::string& name, const Shape& shape)
    {
        const std::vector<ValueId> inputs = shapeable();
        const auto found =
            std::find_if(inputs.begin(), inputs.end(), [&](ValueId id) { return m_graph[id].name == name; });
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
                PLIMSOLL_TRY(bindSymbol(symbolOf(value, axis), shape[axis]));
            }
        }
        return {};
    }

    Status bindSymbol(const std::string& symbol, std::int64_t size)
    {
        if (!m_symbols.contains(symbol)) {
            return badUsage("The graph has no dimension of that name. Its dimensions: " +
                                namesOf({m_symbols.begin(), m_symbols.end()}) + ".",
                            "dimension '" + symbol + "'");
        }
        if (size < 0) return badUsage("A size cannot be negative.", "dimension '" + symbol + "'");
        const auto [place, added] = m_sizes.emplace(symbol, size);
        if (!added && place->second != size) {
            return badUsage("It is given two sizes, " + std::to_string(place->second) + " and " + std::to_string(size) +
                                ".",
                            "dimension '" + symbol + "'");
        }
        return {};
    }

    Status bindStored(const std::string& name, std::int64_t most)
    {
        const ValueId value = findValue(m_graph, name);
        if (!value.valid()) return badUsage("The graph has no value of that name.", "bound of '" + name + "'");
        if (most < 0) return badUsage("A bound is not negative.", "bound of '" + name + "'");
        m_bound.declared[value.index()].maxStored = most;
        return {};
    }

    Status checkStorages() const
    {
        for (std::size_t value = 0; value < m_bound.declared.size(); ++value) {
            const TensorType& type = m_bound.declared[value];
            const std::string unfit = whyNotSparse(type);
            const std::string message = !unfit.empty() ? "It cannot be " + describe(type) + ": " + unfit + "."
                                        : type.isSparse() && type.overflows()
                                            ? "The size of " + describe(type) + " does not fit in 63 bits."
                                            : "";
            if (!message.empty())
                return Error {ErrorCode::BadInput, message, "value '" + m_graph.values[value].name + "'", {}};
        }
        return {};
    }

    void assumeTheRest()
    {
        std::set<std::string> listed;
        for (const ValueId input : m_inputs) {
            const Value& value = m_graph[input];
            for (std::size_t axis = 0; value.type.dims && axis < value.type.dims->size(); ++axis) {
                if ((*value.type.dims)[axis].known()) continue;
                const std::string symbol = symbolOf(value, axis);
                const auto other = m_assumptions.find(symbol);
                const bool assumed = m_sizes.emplace(symbol, other == m_assumptions.end() ? 1 : other->second).second;
                if (assumed) m_bound.certain = false;
                if (listed.insert(symbol).second) m_bound.bindings.push_back({symbol, m_sizes[symbol], assumed});
            }
        }
        for (const auto& [symbol, size] : m_sizes) {
            if (listed.insert(symbol).second) m_bound.bindings.push_back({symbol, size, false});
        }
    }

    TensorType resolved(const Value& value) const
    {
        TensorType type = value.type;
        if (!type.dims) return type;
        for (Dim& dim : *type.dims) {
            if (const auto found = m_sizes.find(dim.symbol); !dim.known() && found != m_sizes.end())
                dim = {found->second, {}};
        }
        return type;
    }

    void nameAndResolve(ValueId input)
    {
        TensorType& type = m_bound.declared[input.index()];
        if (const auto given = m_shapes.find(input); given != m_shapes.end()) {
            type.dims = TensorType::dense(type.dtype, given->second).dims;
        } else if (type.dims) {
            for (std::size_t axis = 0; axis < type.dims->size(); ++axis) {
                Dim& dim = (*type.dims)[axis];
                if (!dim.known()) dim = {m_sizes[symbolOf(m_graph[input], axis)], {}};
            }
        }
    }

    const Graph& m_graph;
    const InferenceRequest& m_request;
    const std::map<std::string, std::int64_t>& m_assumptions;
    std::vector<ValueId> m_inputs;
    std::set<std::string> m_symbols;
    std::map<std::string, std::int64_t> m_sizes;
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
    std::set<std::string> given;
    for (const Binding& binding : bound.bindings) {
        if (!binding.assumed) given.insert(binding.dim);
    }
    for (std::size_t v = 0; v < graph.values.size(); ++v) {
        const Value& value = graph.values[v];
        TensorType type = bound.declared[v];
        const bool replaced = request.shapes.contains(value.name) && value.role == ValueRole::Input;
        for (std::size_t axis = 0; type.dims && value.type.dims && axis < type.dims->size(); ++axis) {
            const Dim& dim = (*value.type.dims)[axis];
            const bool assumed = !dim.known() && !given.contains(symbolOf(value, axis));
            const bool changed = replaced && dim.known() && dim.size != (*type.dims)[axis].size;
            if (assumed || changed) (*type.dims)[axis] = Dim {};
        }
        open.declared.push_back(std::move(type));
    }
    return open;
}

} // namespace plimsoll
