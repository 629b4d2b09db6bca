#include "core/ops/rules/form.h"

#include "core/base/narrow.h"
#include "core/base/plural.h"
#include "core/ops/op_schema.h"
#include "core/ops/standard_domain.h"

#include <algorithm>
#include <unordered_map>

namespace plimsoll {

namespace {

enum class AttributeKind : std::uint8_t { Integer, Integers, Real, Text };

/// Attributes that have one kind wherever the standard uses their name.
using AttributeKinds = std::unordered_map<std::string_view, AttributeKind>;

const AttributeKinds& attributeKinds()
{
    using enum AttributeKind;
    static const AttributeKinds kinds = {
        {"allowzero", Integer},
        {"alpha", Real},
        {"auto_pad", Text},
        {"axes", Integers},
        {"axis", Integer},
        {"batch_dims", Integer},
        {"beta", Real},
        {"blocksize", Integer},
        {"ceil_mode", Integer},
        {"dilations", Integers},
        {"direction", Text},
        {"ends", Integers},
        {"epsilon", Real},
        {"equation", Text},
        {"exclusive", Integer},
        {"fmod", Integer},
        {"group", Integer},
        {"hidden_size", Integer},
        {"keepdims", Integer},
        {"kernel_shape", Integers},
        {"mode", Text},
        {"momentum", Real},
        {"noop_with_empty_axes", Integer},
        {"num_outputs", Integer},
        {"num_scan_inputs", Integer},
        {"output_padding", Integers},
        {"output_shape", Integers},
        {"pads", Integers},
        {"perm", Integers},
        {"reduction", Text},
        {"reverse", Integer},
        {"split", Integers},
        {"starts", Integers},
        {"storage_order", Integer},
        {"strides", Integers},
        {"transA", Integer},
        {"transB", Integer},
    };
    return kinds;
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
    const AttributeKinds& kinds = attributeKinds();
    for (const auto& [name, attribute] : facts.node().attributes) {
        const auto kind = kinds.find(name);
        if (kind == kinds.end() || isOfKind(attribute, kind->second)) continue;
        return facts.error("The attribute '" + name + "' has the wrong kind; it must be " + nameOf(kind->second) + ".");
    }
    return {};
}

/// What is carried must come back, and what the node hands out must come from somewhere. A loop whose body says nothing
/// would never end.
Status checkLoopBody(const NodeFacts& facts, const BodyTraits& traits, BodyId body)
{
    const Node& node = facts.node();
    const std::string whose = "Its body '" + facts.graph()[body].name + "' ";
    if (facts.graph()[body].outputs.empty()) return facts.error(whose + "has no outputs.");
    std::vector<bool> filled(node.outputs.size(), false);
    for (const BodyLink& link : traits.links(facts.graph(), facts.nodeId(), body)) {
        if (link.kind == BodyLink::Kind::Carried && link.bodyOutput < 0)
            return facts.error(whose + "takes a state as input " + std::to_string(link.bodyInput) +
                               " and hands none back.");
        if (link.ownerOutput >= 0 && link.bodyOutput >= 0) filled[static_cast<std::size_t>(link.ownerOutput)] = true;
    }
    for (std::size_t i = 0; i < filled.size(); ++i) {
        if (node.outputs[i].valid() && !filled[i])
            return facts.error(whose + "has no output for '" + facts.graph()[node.outputs[i]].name + "', output " +
                               std::to_string(i) + " of the node.");
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
        return facts.error("It has " + std::to_string(node.bodies.size()) + " bodies; " + node.op + " needs " +
                           (branches ? "then_branch and else_branch." : "one."));
    for (const BodyId body : node.bodies) {
        const int given = narrow<int>(facts.graph()[body].outputs.size());
        if (traits.rule == BodyRule::Loop) PLIMSOLL_TRY(checkLoopBody(facts, traits, body));
        if (branches && !facts.graph()[body].inputs.empty())
            return facts.error("Its branch '" + facts.graph()[body].name + "' has an input, '" +
                               facts.graph()[facts.graph()[body].inputs.front()].name +
                               "', which nothing gives. A branch reads the values around it by their names.");
        if (branches && given < countPresent(node.outputs))
            return facts.error("Its branch '" + facts.graph()[body].name + "' has " +
                               plural(static_cast<std::size_t>(given), "output") + ", and the node " +
                               std::to_string(countPresent(node.outputs)) + "; both must be the same.");
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
    PLIMSOLL_TRY(checkChoices(facts, schema->choices));
    return schema->signature.checkTypes(facts);
}

} // namespace plimsoll
