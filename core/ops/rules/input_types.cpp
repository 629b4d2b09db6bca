#include "core/ops/rules/input_types.h"

#include "core/ops/rules/input_type_table.h"
#include "core/ops/standard_domain.h"

#include <algorithm>
#include <array>

namespace plimsoll {
namespace {

bool isByte(DType dtype)
{
    return dtype == DType::Int8 || dtype == DType::UInt8;
}

bool isWhole(DType dtype)
{
    return isInteger(dtype) && dtypeBits(dtype) >= 8;
}

bool isReal(DType dtype)
{
    return isFloatingPoint(dtype) && dtypeBits(dtype) >= 16;
}

/// Integers below 32 bits, and floating-point numbers below 16.
bool isSmall(DType dtype)
{
    return (isInteger(dtype) && dtypeBits(dtype) < 32) || (isFloatingPoint(dtype) && dtypeBits(dtype) < 16);
}

struct TypeSet
{
    std::string_view name;
    std::string_view title; ///< As errors say it.
    bool (*has)(DType) = nullptr;
};

constexpr TypeSet Sets[] = {
    {"any", "anything", [](DType) { return true; }},
    {"byte", "int8 or uint8", isByte},
    {"float", "floating-point numbers", isReal},
    {"int", "integers", isWhole},
    {"number", "numbers", [](DType dtype) { return isWhole(dtype) || isReal(dtype); }},
    {"small", "numbers of 16 bits or less", isSmall},
};

/// The part in front of the separator; \p text keeps what is behind it.
std::string_view cut(std::string_view& text, char separator)
{
    const std::string_view part = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    return part;
}

bool isOf(std::string_view sets, DType dtype)
{
    while (!sets.empty()) {
        const std::string_view name = cut(sets, '|');
        const auto set = std::ranges::find(Sets, name, &TypeSet::name);
        if (set == std::end(Sets) ? name == dtypeName(dtype) : set->has(dtype)) return true;
    }
    return false;
}

/// "floating-point numbers or int32".
std::string titleOf(std::string_view sets)
{
    std::string text;
    while (!sets.empty()) {
        const std::string_view name = cut(sets, '|');
        const auto set = std::ranges::find(Sets, name, &TypeSet::name);
        text += (text.empty() ? "" : " or ") + std::string(set == std::end(Sets) ? name : set->title);
    }
    return text;
}

/// Nothing for what is no tensor, is absent, or has no type yet.
std::optional<DType> knownType(const NodeFacts& facts, std::size_t input)
{
    if (!facts.has(input)) return std::nullopt;
    const TensorType& type = facts.type(input);
    return type.kind == TypeKind::Tensor && type.dtype != DType::Unknown ? std::optional(type.dtype) : std::nullopt;
}

class InputCheck
{
public:
    explicit InputCheck(const NodeFacts& facts) : m_facts(facts) {}

    Status run(std::string_view words)
    {
        std::string_view word;
        for (std::size_t input = 0; input < m_facts.inputCount() && !words.empty(); ++input) {
            if (words != "*") word = cut(words, ' ');
            PLIMSOLL_TRY(check(input, word));
        }
        return {};
    }

private:
    Status check(std::size_t input, std::string_view word)
    {
        const auto dtype = knownType(m_facts, input);
        if (!dtype) return {};
        const std::string_view sets = cut(word, ':');
        if (!isOf(sets, *dtype)) return error(input, "; " + m_facts.node().op + " takes " + titleOf(sets) + " there.");
        if (word.empty()) return {};
        std::optional<std::size_t>& first = m_first[static_cast<std::size_t>(word.front() - 'T')];
        if (!first) first = input;
        if (m_facts.dtype(*first) == *dtype) return {};
        return error(input, ", and input " + std::to_string(*first) + " is " + describe(m_facts.type(*first)) + "; " +
                                m_facts.node().op + " takes both in one type.");
    }

    [[nodiscard]] Error error(std::size_t input, const std::string& message) const
    {
        const std::string& name = m_facts.graph()[m_facts.node().inputs[input]].name;
        return m_facts.error("Input " + std::to_string(input) + ", '" + name + "', is " +
                             describe(m_facts.type(input)) + message);
    }

    const NodeFacts& m_facts;
    std::array<std::optional<std::size_t>, 2> m_first; ///< By letter, from T: the first input of that type.
};

} // namespace

Status checkInputTypes(const NodeFacts& facts)
{
    const Node& node = facts.node();
    if (!isStandard(node)) return {};
    const auto table = ops::inputTypes();
    const auto row = std::ranges::lower_bound(table, std::string_view(node.op), {}, &ops::InputTypes::op);
    return row == table.end() || row->op != node.op ? Status {} : InputCheck(facts).run(row->words);
}

} // namespace plimsoll
