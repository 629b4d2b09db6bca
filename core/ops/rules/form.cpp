#include "core/ops/rules/form.h"

#include "core/base/narrow.h"
#include "core/base/plural.h"
#include "core/ops/op_schema.h"
#include "core/ops/standard_domain.h"

#include <algorithm>
#include <limits>
#include <span>

namespace plimsoll {

namespace {

enum class AttributeKind : std::uint8_t { Integer, Integers, Real, Text };

/// Attributes that have one kind wherever the standard uses their name.
constexpr std::pair<AttributeKind, std::string_view> Kinds[] = {
    {AttributeKind::Integer, " allowzero axis batch_dims blocksize ceil_mode exclusive fmod group hidden_size keepdims "
                             "noop_with_empty_axes num_outputs num_scan_inputs reverse storage_order transA transB "},
    {AttributeKind::Integers,
     " axes dilations ends kernel_shape output_padding output_shape pads perm split starts strides "},
    {AttributeKind::Real, " alpha beta epsilon momentum "},
    {AttributeKind::Text, " auto_pad direction equation mode reduction "},
};

std::optional<AttributeKind> kindOf(const std::string& attribute)
{
    const auto* found = std::ranges::find_if(
        Kinds, [word = " " + attribute + " "](const auto& row) { return row.second.find(word) != row.second.npos; });
    return found == std::end(Kinds) ? std::nullopt : std::optional(found->first);
}

/// Files that know no kinds write 1 for 1.0, a number for a list of one, and [] for an empty list of anything.
bool isOfKind(const Attribute& attribute, AttributeKind kind)
{
    const bool integer = std::holds_alternative<std::int64_t>(attribute);
    const auto* reals = std::get_if<std::vector<double>>(&attribute);
    const auto* texts = std::get_if<std::vector<std::string>>(&attribute);
    switch (kind) {
    case AttributeKind::Integer:
        return integer;
    case AttributeKind::Integers:
        return std::holds_alternative<std::vector<std::int64_t>>(attribute) || (reals && reals->empty()) ||
               (texts && texts->empty());
    case AttributeKind::Real:
        return integer || std::holds_alternative<double>(attribute);
    case AttributeKind::Text:
        return std::holds_alternative<std::string>(attribute);
    }
    return true;
}

const char* nameOf(AttributeKind kind)
{
    static constexpr const char* Names[] = {"an integer", "a list of integers", "a number", "a text"};
    return Names[static_cast<std::size_t>(kind)];
}

Status checkAttributes(const NodeFacts& facts)
{
    if (!isStandard(facts.node())) return {};
    for (const auto& [name, attribute] : facts.node().attributes) {
        const auto kind = kindOf(name);
        if (!kind || isOfKind(attribute, *kind)) continue;
        return facts.error(say("ops.attribute-wrong-kind", word::Name {name}, nameOf(*kind)));
    }
    return {};
}

/// Of whole numbers: what is no position, index or value stays within 32 bits, so that formulas over attributes have
/// room. Positions may say "to the end" by the largest number.
constexpr std::string_view WideAttributes = " begin begins end ends shape size start starts stop value_int value_ints ";

Status checkRanges(const NodeFacts& facts)
{
    constexpr std::int64_t Least = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t Most = std::numeric_limits<std::int32_t>::max();
    for (const auto& [name, attribute] : facts.node().attributes) {
        const auto* one = std::get_if<std::int64_t>(&attribute);
        const auto* list = std::get_if<std::vector<std::int64_t>>(&attribute);
        const std::span<const std::int64_t> numbers = one    ? std::span(one, 1)
                                                      : list ? std::span(*list)
                                                             : std::span<const std::int64_t>();
        const auto isWide = [](std::int64_t number) { return number < Least || number > Most; };
        const auto wide = std::ranges::find_if(numbers, isWide);
        if (wide == numbers.end() || WideAttributes.find(" " + name + " ") != std::string_view::npos) continue;
        return facts.error(say("ops.attribute-range", word::Name {name}, *wide, Least, Most));
    }
    return {};
}

/// What is carried must come back, and what the node hands out must come from somewhere. A loop whose body says nothing
/// would never end.
Status checkLoopBody(const NodeFacts& facts, const BodyTraits& traits, BodyId body)
{
    const Node& node = facts.node();
    const word::Name name {facts.graph()[body].name};
    if (facts.graph()[body].outputs.empty()) return facts.error(say("ops.body-without-outputs", name));
    std::vector<bool> filled(node.outputs.size(), false);
    for (const BodyLink& link : traits.links(facts.graph(), facts.nodeId(), body)) {
        if (link.kind == BodyLink::Kind::Carried && link.bodyOutput < 0)
            return facts.error(say("ops.body-keeps-state", name, word::Number {link.bodyInput}));
        if (link.ownerOutput >= 0 && link.bodyOutput >= 0) filled[static_cast<std::size_t>(link.ownerOutput)] = true;
    }
    for (std::size_t i = 0; i < filled.size(); ++i) {
        if (node.outputs[i].valid() && !filled[i])
            return facts.error(
                say("ops.body-lacks-output", name, word::Name {facts.graph()[node.outputs[i]].name}, word::Number {i}));
    }
    return {};
}

Status checkBodies(const NodeFacts& facts, const BodyTraits& traits)
{
    const Node& node = facts.node();
    const bool branches = traits.rule == BodyRule::Branch;
    const std::size_t wanted = branches ? 2 : 1;
    const bool anyNumber = branches && !isStandard(node); // XLA chooses among several
    if (node.bodies.size() != wanted && !(anyNumber && !node.bodies.empty()))
        return facts.error(
            say(branches ? "ops.branches-needed" : "ops.body-needed", word::Number {node.bodies.size()}, *node.op));
    for (const BodyId body : node.bodies) {
        const int given = narrow<int>(facts.graph()[body].outputs.size());
        if (traits.rule == BodyRule::Loop) PLIMSOLL_TRY(checkLoopBody(facts, traits, body));
        if (branches && !facts.graph()[body].inputs.empty())
            return facts.error(say("ops.branch-input-nothing", word::Name {facts.graph()[body].name},
                                   word::Name {facts.graph()[facts.graph()[body].inputs.front()].name}));
        if (branches && given < countPresent(node.outputs))
            return facts.error(say("ops.branch-node-both", word::Name {facts.graph()[body].name}, given,
                                   word::Number {countPresent(node.outputs)}));
    }
    return {};
}

} // namespace

Status checkForm(const NodeFacts& facts)
{
    const OpSchema* schema = findSchema(facts.node().domain, facts.node().op);
    if (!schema) return checkAttributes(facts);
    if (schema->bodies) PLIMSOLL_TRY(checkBodies(facts, *schema->bodies));
    PLIMSOLL_TRY(schema->signature.checkCounts(facts));
    PLIMSOLL_TRY(checkAttributes(facts));
    PLIMSOLL_TRY(checkRanges(facts));
    PLIMSOLL_TRY(checkChoices(facts, schema->choices));
    return schema->signature.checkTypes(facts);
}

} // namespace plimsoll
