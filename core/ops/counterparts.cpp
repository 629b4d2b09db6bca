#include "core/ops/counterparts.h"

#include "core/ops/counterpart_node.h"
#include "core/ops/op_schema.h"

#include <charconv>

namespace plimsoll {

namespace {

std::string_view cut(std::string_view& text, char separator)
{
    const std::string_view part = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    return part;
}

/// The numbers of an attribute that is one or a list of them, \p times after each other.
std::vector<std::int64_t> numbersIn(const Attribute& attribute, std::size_t times)
{
    const auto* one = std::get_if<std::int64_t>(&attribute);
    const auto* some = std::get_if<std::vector<std::int64_t>>(&attribute);
    std::vector<std::int64_t> list;
    for (std::size_t i = 0; i < times && (one || some); ++i)
        list.insert(list.end(), one ? one : some->data(), one ? one + 1 : some->data() + some->size());
    return list;
}

/// "perm=axes keepdims=keepdims|0 pads=pad[2]"
void takeAttributes(std::string_view rule, const Node& node, Attributes& attributes)
{
    if (rule == "*") attributes = node.attributes;
    while (!rule.empty()) {
        std::string_view word = cut(rule, ' ');
        const std::string name(cut(word, '='));
        std::string_view times = cut(word, '|');
        const auto given = node.attributes.find(cut(times, '['));
        if (given != node.attributes.end() && !times.empty()) {
            const auto list = numbersIn(given->second, times == "2]" ? 2 : 1);
            if (!list.empty()) attributes.emplace(name, list);
        } else if (given != node.attributes.end()) {
            attributes.emplace(name, given->second);
        } else if (!word.empty()) {
            std::int64_t fallback = 0;
            std::from_chars(word.data(), word.data() + word.size(), fallback);
            attributes.emplace(name, fallback);
        }
    }
}

} // namespace

Result<Counterpart> counterpartOf(const Node& node, const std::optional<Dims>& data)
{
    const OpSchema* schema = findSchema(node.domain, node.op);
    Counterpart counterpart;
    if (!schema || schema->counterpart.op.empty()) return counterpart;
    counterpart.op = schema->counterpart.op;
    if (const std::size_t colons = counterpart.op.find("::"); colons != std::string_view::npos) {
        counterpart.domain = counterpart.op.substr(0, colons);
        counterpart.op.remove_prefix(colons + 2);
    }
    if (schema->counterpart.typesOnly) counterpart.typesOnly = "it computes something else.";
    takeAttributes(schema->counterpart.attributes, node, counterpart.attributes);
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        counterpart.inputs.push_back({.input = i});
    if (!schema->counterpart.adapt) return counterpart;
    Message wrong = schema->counterpart.adapt(node, data, counterpart);
    if (wrong.empty()) return counterpart;
    return Error {ErrorCode::BadInput, std::move(wrong), {}, {}};
}

std::string_view plainCounterpart(const Node& node)
{
    const OpSchema* schema = findSchema(node.domain, node.op);
    if (!schema || schema->counterpart.op.empty() || schema->counterpart.typesOnly) return {};
    if (schema->counterpart.reshapes) return "Identity";
    const Dims anyRank(2, UnknownSize); // what depends on the sizes has attributes or inputs then
    const auto counterpart = counterpartOf(node, anyRank);
    if (!counterpart.ok() || !counterpart.value().attributes.empty() || !counterpart.value().domain.empty()) return {};
    const auto& inputs = counterpart.value().inputs;
    bool same = inputs.size() == node.inputs.size();
    for (std::size_t i = 0; same && i < inputs.size(); ++i)
        same = inputs[i].input == i && !inputs[i].integers && !inputs[i].number && !inputs[i].dims;
    return same ? counterpart.value().op : std::string_view();
}

Status inferAs(NodeFacts& facts, const Counterpart& counterpart)
{
    CounterpartNode node(facts, counterpart);
    NodeFacts& inner = node.facts();
    const OpSchema* schema = findSchema(counterpart.domain, counterpart.op);
    if (const Status status = schema->infer(inner); !status.ok()) return facts.error(status.error().message);
    for (std::size_t i = 0; i < facts.outputCount(); ++i) {
        facts.output(i) = std::move(inner.output(i));
        facts.output(i).because = {}; // its settings are attributes and no data: only inputs can be unknown
    }
    return {};
}

Status inferAsCounterpart(NodeFacts& facts)
{
    const auto counterpart = counterpartOf(facts.node(), facts.dims(0));
    if (!counterpart.ok()) return facts.error(counterpart.error().message);
    return inferAs(facts, counterpart.value());
}

} // namespace plimsoll
