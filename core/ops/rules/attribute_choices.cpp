#include "core/ops/rules/attribute_choices.h"

#include "core/ops/onnx_dtype.h"
#include "core/ops/standard_domain.h"

namespace plimsoll {
namespace {

/// Attributes that name an element type wherever the standard uses them.
constexpr std::string_view TypeNames[] = {"dtype", "output_datatype", "output_dtype", "softmax_precision",
                                          "stash_type"};

/// "forward|reverse" has "reverse".
bool has(std::string_view values, std::string_view value)
{
    while (true) {
        const std::size_t bar = values.find('|');
        if (values.substr(0, bar) == value) return true;
        if (bar == std::string_view::npos) return false;
        values.remove_prefix(bar + 1);
    }
}

/// "forward, reverse or bidirectional".
word::List listed(std::string_view values)
{
    while (values.ends_with('|'))
        values.remove_suffix(1);
    word::List list {.joint = word::List::Joint::Or};
    for (std::size_t bar = values.find('|'); bar != std::string_view::npos; bar = values.find('|')) {
        list.items.emplace_back(values.substr(0, bar));
        values.remove_prefix(bar + 1);
    }
    list.items.emplace_back(values);
    return list;
}

Error wrongAttribute(const NodeFacts& facts, std::string_view attribute, const std::string& given, Argument wanted)
{
    return facts.error(say("ops.attribute-choice", attribute, word::Name {given}, std::move(wanted)));
}

/// A number or a text as the file has it; nothing for what is absent or neither.
std::optional<std::string> givenText(const Node& node, std::string_view attribute)
{
    if (const auto* text = findAttribute<std::string>(node, attribute)) return *text;
    if (const auto* number = findAttribute<std::int64_t>(node, attribute)) return std::to_string(*number);
    return std::nullopt;
}

/// Norms of version 1 may be broken numbers.
Status checkPositive(const NodeFacts& facts, const AttributeChoice& row)
{
    const auto* number = findAttribute<std::int64_t>(facts.node(), row.attribute);
    const auto* real = findAttribute<double>(facts.node(), row.attribute);
    if (!number && !real)
        return row.required ? Status(facts.error(say("ops.attribute-missing", row.attribute))) : Status();
    if (number ? *number > 0 : *real > 0 && facts.opset() < 2) return {};
    return facts.error(say("ops.whole-number-above", row.attribute));
}

} // namespace

Status checkChoices(const NodeFacts& facts, std::span<const AttributeChoice> choices)
{
    for (const AttributeChoice& choice : choices) {
        if (choice.attribute.empty()) break;
        if (choice.values == AttributeChoice::Positive) {
            PLIMSOLL_TRY(checkPositive(facts, choice));
            continue;
        }
        const auto given = givenText(facts.node(), choice.attribute);
        if (given && !has(choice.values, *given))
            return wrongAttribute(facts, choice.attribute, *given, listed(choice.values));
    }
    if (!isStandard(facts.node())) return {};
    for (const std::string_view name : TypeNames) {
        const auto given = givenText(facts.node(), name);
        const bool open = name == "output_dtype" && given == "0"; // There is none.
        if (!given || open || dtypeAttribute(facts.node(), name, DType::Unknown) != DType::Unknown) continue;
        return wrongAttribute(facts, name, *given, say("ops.element-type"));
    }
    return {};
}

} // namespace plimsoll
