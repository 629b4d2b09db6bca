#include "core/ops/rules/signature.h"

#include "core/base/narrow.h"

#include <array>
#include <span>

namespace plimsoll {

namespace {

/// "2", "2 to 3", "at least 1".
Argument rangeOf(int least, int most)
{
    if (most == Signature::Any) return say("ops.at-least", word::Number {least});
    if (least == most) return word::Number {least};
    return say("ops.from-to", word::Number {least}, word::Number {most});
}

/// Nothing for what is no tensor, is absent, or has no type yet.
std::optional<DType> knownType(const NodeFacts& facts, std::size_t input)
{
    if (!facts.has(input)) return std::nullopt;
    const TensorType& type = facts.type(input);
    return type.kind == TypeKind::Tensor && type.dtype != DType::Unknown ? std::optional(type.dtype) : std::nullopt;
}

Error wrongType(const NodeFacts& facts, std::size_t input, Message because)
{
    return facts.error(say("ops.input-type", word::Number {input},
                           word::Name {facts.graph()[facts.node().inputs[input]].name}, describe(facts.type(input)),
                           std::move(because)));
}

} // namespace

int countPresent(std::span<const ValueId> values)
{
    const auto last = std::find_if(values.rbegin(), values.rend(), [](ValueId value) { return value.valid(); });
    return narrow<int>(values.rend() - last);
}

int Signature::least(std::int64_t version) const
{
    int count = 0;
    int least = 0;
    for (std::string_view rest = m_inputs; !rest.empty(); ++count)
        if (cutWord(rest).required(version)) least = count + 1;
    return least;
}

int Signature::most(std::int64_t version) const
{
    int most = 0;
    for (std::string_view rest = m_inputs; !rest.empty();) {
        const Word word = cutWord(rest);
        if (word.repeats()) return Any;
        if (word.exists(version)) ++most;
    }
    return most;
}

Status Signature::checkCounts(const NodeFacts& facts) const
{
    const Node& node = facts.node();
    const std::int64_t version = opsetVersion(facts.graph(), node.domain);
    const int inputs = countPresent(node.inputs);
    if (inputs < least(version) || inputs > most(version))
        return facts.error(say("ops.input-count", inputs, *node.op, rangeOf(least(version), most(version))));
    std::size_t input = 0;
    for (std::string_view rest = m_inputs; !rest.empty(); ++input) {
        if (cutWord(rest).required(version) && !facts.has(input))
            return facts.error(say("ops.input-absent-needs", word::Number {input}, *node.op));
    }
    const int outputs = countPresent(node.outputs);
    if (outputs > m_outputs) return facts.error(say("ops.output-count", outputs, *node.op, word::Number {m_outputs}));
    return {};
}

Status Signature::checkTypes(const NodeFacts& facts) const
{
    std::array<std::optional<std::size_t>, 2> firstOf; // by letter, from T: the first input of that type
    std::string_view rest = m_inputs;
    Word word;
    for (std::size_t input = 0; input < facts.inputCount() && (!rest.empty() || word.repeats()); ++input) {
        if (!word.repeats()) word = cutWord(rest);
        const auto dtype = knownType(facts, input);
        if (!dtype) continue;
        if (!isOf(word.sets, *dtype))
            return wrongType(facts, input, say("ops.takes-there", *facts.node().op, titleOf(word.sets)));
        if (word.letter == 0) continue;
        std::optional<std::size_t>& first = firstOf[static_cast<std::size_t>(word.letter - 'T')];
        if (!first) first = input;
        if (facts.dtype(*first) != *dtype)
            return wrongType(
                facts, input,
                say("ops.takes-one-type", word::Number {*first}, describe(facts.type(*first)), *facts.node().op));
    }
    return {};
}

bool Signature::isOf(std::string_view sets, DType dtype)
{
    while (!sets.empty())
        if (TypeSets[findTypeSet(cutUntil(sets, '|'))].has(dtype)) return true;
    return false;
}

/// "floating-point numbers or int32".
Message Signature::titleOf(std::string_view sets)
{
    Message titles;
    while (!sets.empty()) {
        Message title(std::string(TypeSets[findTypeSet(cutUntil(sets, '|'))].title));
        titles = titles.empty() ? std::move(title) : say("or", std::move(titles), std::move(title));
    }
    return titles;
}

} // namespace plimsoll
