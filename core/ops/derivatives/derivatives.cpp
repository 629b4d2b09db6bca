#include "core/ops/derivatives/derivatives.h"

#include "core/ops/derivatives/derivative_reader.h"
#include "core/ops/op_schema.h"

#include <algorithm>

namespace plimsoll {
namespace {

std::string keyOf(std::string_view domain, std::string_view op)
{
    return std::string(domain) + "::" + std::string(op);
}

/// Known before the run; what is computed ahead of it may depend on a parameter. One element in a list is a tensor.
bool isNumber(const Graph& graph, ValueId id)
{
    return id.valid() && graph[id].role == ValueRole::Constant && graph[id].data->present() &&
           graph[id].type.shape() == Shape {};
}

bool hasRanks(const Graph& graph, const Node& node, const std::vector<std::size_t>& ranks)
{
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (i >= node.inputs.size() || !node.inputs[i].valid()) return false;
        const auto& dims = graph[node.inputs[i]].type.dims;
        if (!dims || dims->size() != ranks[i]) return false;
    }
    return true;
}

bool hasAttribute(const Node& node, const DerivativeCondition& condition)
{
    if (const auto* text = findAttribute<std::string>(node, condition.name)) return *text == condition.value;
    if (const auto* number = findAttribute<std::int64_t>(node, condition.name))
        return std::to_string(*number) == condition.value;
    return false;
}

bool holds(const Graph& graph, NodeId id, const Derivative& derivative, const DerivativeCondition& condition)
{
    const Node& node = graph[id];
    const auto input = [&] {
        const auto position = derivative.argumentNamed(condition.name);
        return position && *position < node.inputs.size() ? node.inputs[*position] : ValueId();
    };
    switch (condition.kind) {
    case DerivativeCondition::Kind::Ranks:
        return hasRanks(graph, node, condition.ranks);
    case DerivativeCondition::Kind::Number:
        return isNumber(graph, input());
    case DerivativeCondition::Kind::Absent:
        return !input().valid();
    case DerivativeCondition::Kind::Given:
        return hasAttribute(node, condition);
    case DerivativeCondition::Kind::Random:
        return !isPure(graph, id);
    }
    return false;
}

bool fits(const Graph& graph, NodeId id, const Derivative& derivative)
{
    const std::size_t inputs = graph[id].inputs.size();
    if (inputs > 0 && !derivative.argumentAt(inputs - 1)) return false;
    return std::ranges::all_of(derivative.conditions,
                               [&](const auto& condition) { return holds(graph, id, derivative, condition); });
}

template <typename Items, typename Test>
std::optional<std::size_t> positionOf(const Items& items, const Test& test)
{
    const auto found = std::ranges::find_if(items, test);
    if (found == items.end()) return std::nullopt;
    return static_cast<std::size_t>(found - items.begin());
}

/// The text of a row as a file has it: its heads with the name, a line instead of each semicolon.
std::string asFile(std::string_view domain, std::string_view op, std::string_view text)
{
    std::string file;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(";\n"), text.size());
        std::string_view line = text.substr(0, end);
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        if (line.starts_with('(')) file += "op " + (domain.empty() ? std::string(op) : keyOf(domain, op));
        file += std::string(line) + '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return file;
}

/// Those that the rows of all operators hold in the same place.
DerivativeSet shipped(std::string_view OpSchema::*text)
{
    std::string file;
    for (const OpFamily& family : opFamilies())
        for (const OpSchema& row : family.rows)
            file += asFile(family.domain, row.op, row.*text);
    return DerivativeSet().with(file).value();
}

} // namespace

const GradientEntry* Derivative::entryOf(std::size_t argument) const
{
    const auto found =
        std::ranges::find_if(entries, [argument](const GradientEntry& entry) { return entry.variable == argument; });
    return found == entries.end() ? nullptr : &*found;
}

std::optional<std::size_t> Derivative::argumentNamed(std::string_view name) const
{
    return positionOf(arguments, [name](const DerivativeArgument& argument) { return argument.name == name; });
}

std::optional<std::size_t> Derivative::outputNamed(std::string_view name) const
{
    return positionOf(outputs, [name](const std::string& output) { return output == name; });
}

std::optional<std::size_t> Derivative::argumentAt(std::size_t input) const
{
    if (input < arguments.size()) return input;
    if (arguments.empty() || !arguments.back().list) return std::nullopt;
    return arguments.size() - 1;
}

Result<DerivativeSet> DerivativeSet::with(std::string_view text) const
{
    PLIMSOLL_ASSIGN(derivatives, readDerivatives(text));
    return with(derivatives);
}

DerivativeSet DerivativeSet::with(const std::vector<Derivative>& derivatives) const
{
    DerivativeSet joined = *this;
    for (const Derivative& derivative : derivatives)
        joined.add(derivative);
    return joined;
}

void DerivativeSet::add(Derivative derivative)
{
    const std::string key = keyOf(derivative.domain, derivative.op);
    const auto [begin, end] = m_byOperator.equal_range(key);
    for (auto entry = begin; entry != end; ++entry) {
        Derivative& old = m_derivatives[entry->second];
        if (old.conditions != derivative.conditions) continue;
        old = std::move(derivative);
        return;
    }
    m_byOperator.emplace(key, m_derivatives.size());
    m_derivatives.push_back(std::move(derivative));
}

const Derivative* DerivativeSet::find(const Graph& graph, NodeId node) const
{
    const std::string& domain = graph[node].domain;
    const auto [begin, end] = m_byOperator.equal_range(keyOf(domain == "ai.onnx" ? "" : domain, graph[node].op));
    const Derivative* unconditional = nullptr;
    for (auto entry = begin; entry != end; ++entry) {
        const Derivative& derivative = m_derivatives[entry->second];
        if (!fits(graph, node, derivative)) continue;
        if (!derivative.conditions.empty()) return &derivative;
        unconditional = &derivative;
    }
    return unconditional;
}

const Derivative* DerivativeSet::find(std::string_view name) const
{
    const auto named = [name](const Derivative& derivative) {
        const std::string own = derivative.domain.empty() ? derivative.op : keyOf(derivative.domain, derivative.op);
        return own == name || std::ranges::find(derivative.names, name) != derivative.names.end();
    };
    const auto found = std::ranges::find_if(m_derivatives, named);
    return found == m_derivatives.end() ? nullptr : &*found;
}

const DerivativeSet& derivatives26()
{
    static const DerivativeSet set = shipped(&OpSchema::derivative);
    return set;
}

const DerivativeSet& derivatives2019()
{
    static const DerivativeSet set = derivatives26().with(shipped(&OpSchema::derivative2019).all());
    return set;
}

} // namespace plimsoll
