#pragma once

#include "core/ops/node_facts.h"

#include <algorithm>
#include <span>

namespace plimsoll {

/// A set of types that an input may have.
struct TypeSet
{
    std::string_view name;
    std::string_view title; ///< As errors say it.
    bool (*has)(DType);
};

namespace types {

constexpr bool isWhole(DType type)
{
    return type >= DType::Int64 && type <= DType::UInt8 && type != DType::Int4 && type != DType::Int2;
}
constexpr bool isReal(DType type)
{
    return type >= DType::Float64 && type <= DType::BFloat16;
}
constexpr bool isByte(DType type)
{
    return type == DType::Int8 || type == DType::UInt8;
}
/// Integers below 32 bits, and floating-point numbers below 16.
constexpr bool isSmall(DType type)
{
    const bool wide = type == DType::Int64 || type == DType::Int32 || type == DType::UInt64 || type == DType::UInt32;
    return type >= DType::Float8E4M3FN && type <= DType::UInt2 && !wide;
}

} // namespace types

inline constexpr TypeSet TypeSets[] = {
    {"any", "anything", [](DType) { return true; }},
    {"bool", "bool", [](DType type) { return type == DType::Bool; }},
    {"byte", "int8 or uint8", types::isByte},
    {"float", "floating-point numbers", types::isReal}, // 16 to 64 bits
    {"int", "integers", types::isWhole},                // 8 to 64 bits
    {"int32", "int32", [](DType type) { return type == DType::Int32; }},
    {"number", "numbers", [](DType type) { return types::isWhole(type) || types::isReal(type); }},
    {"small", "numbers of 16 bits or less", types::isSmall}, // what tensors are quantised to
    {"string", "strings", [](DType type) { return type == DType::String; }},
    {"uint8", "uint8", [](DType type) { return type == DType::UInt8; }},
};

/// How many inputs and outputs an operator has, and of which types its inputs are: one word for each input, in order.
///
///     "bool any:T any:T"            Where: any two of one type, by bools
///     "float:T float:T float:T?"    Conv: the last one may be absent
///     "number:T+"                   Sum: one or more, all of one type; with * none or more
///     "any int?13"                  Unsqueeze: may be absent before version 13
///     "any any any?-6"              Tile: may be present before version 6 only
///     "any -> 4"                    Unique: up to 4 outputs, where one is the rule; with * any number
///
/// A word is a list of sets of types, parted by bars, with a letter (T or U) that it shares with all inputs of the same
/// type. The sets stand in TypeSets. A text that is none of this does not compile.
class Signature
{
public:
    static constexpr int Any = 1 << 30;

    consteval Signature(const char* text) : m_inputs(text) // NOLINT(google-explicit-constructor): rows are literals
    {
        const std::size_t arrow = m_inputs.find("-> ");
        if (arrow != std::string_view::npos) {
            const std::string_view count = m_inputs.substr(arrow + 3);
            m_outputs = count == "*" ? Any : static_cast<int>(numberIn(count));
            m_inputs = m_inputs.substr(0, arrow == 0 ? 0 : arrow - 1);
        }
        bool repeated = false;
        for (std::string_view rest = m_inputs; !rest.empty();) {
            const Word word = cutWord(rest);
            if (repeated) refuse("nothing follows an input that is repeated");
            repeated = word.repeats();
            for (std::string_view sets = word.sets; !sets.empty();)
                if (findTypeSet(cutUntil(sets, '|')) == std::size(TypeSets)) refuse("there is no such set of types");
        }
    }

    /// Inputs of a version of the operator set, at least and at most; 0 stands for a version that is not known.
    [[nodiscard]] int least(std::int64_t version) const;
    [[nodiscard]] int most(std::int64_t version) const;
    [[nodiscard]] int outputs() const { return m_outputs; } ///< At most; those at the end without a name do not count.

    /// Whether a node has so many inputs and outputs.
    [[nodiscard]] Status checkCounts(const NodeFacts& facts) const;
    /// Whether its inputs are of these types, as far as they are known.
    [[nodiscard]] Status checkTypes(const NodeFacts& facts) const;

private:
    struct Word
    {
        std::string_view sets;
        char letter = 0;        ///< 0: of a type of its own.
        char mark = 0;          ///< '?', '*', '+' or none.
        std::int64_t until = 0; ///< The first version in which it is not optional; negative: in which it is gone.

        [[nodiscard]] constexpr bool repeats() const { return mark == '*' || mark == '+'; }
        [[nodiscard]] constexpr bool exists(std::int64_t version) const { return until >= 0 || version < -until; }
        [[nodiscard]] constexpr bool required(std::int64_t version) const
        {
            return mark == 0 || mark == '+' || (until > 0 && version >= until);
        }
    };

    /// Its place in TypeSets; behind the last where there is none. No pointer: g++ 12 with -fsanitize=undefined takes
    /// comparing one with nullptr for no constant.
    static constexpr std::size_t findTypeSet(std::string_view name)
    {
        std::size_t at = 0;
        while (at < std::size(TypeSets) && TypeSets[at].name != name)
            ++at;
        return at;
    }
    /// The part in front of the separator; \p text keeps what is behind it.
    static constexpr std::string_view cutUntil(std::string_view& text, char separator)
    {
        const std::string_view part = text.substr(0, text.find(separator));
        text.remove_prefix(std::min(text.size(), part.size() + 1));
        return part;
    }
    static constexpr std::int64_t numberIn(std::string_view digits)
    {
        std::int64_t number = 0;
        for (const char digit : digits) {
            if (digit < '0' || digit > '9') refuse("a number is expected");
            number = number * 10 + (digit - '0');
        }
        return number;
    }
    static constexpr Word cutWord(std::string_view& text)
    {
        std::string_view part = cutUntil(text, ' ');
        Word word {.sets = part.substr(0, part.find_first_of(":?*+"))};
        part.remove_prefix(word.sets.size());
        if (part.starts_with(':')) {
            word.letter = part.size() > 1 ? part[1] : ' ';
            if (word.letter != 'T' && word.letter != 'U') refuse("a letter is T or U");
            part.remove_prefix(2);
        }
        if (part.empty()) return word;
        word.mark = part.front();
        part.remove_prefix(1);
        const bool gone = part.starts_with('-');
        if (gone) part.remove_prefix(1);
        word.until = gone ? -numberIn(part) : numberIn(part);
        if (word.sets.empty() || (word.mark != '?' && word.until != 0)) refuse("a word is SETS[:LETTER][?VERSION|*|+]");
        return word;
    }
    static void refuse(const char* /*why*/) {} ///< No constant expression: what calls it does not compile.
    static bool isOf(std::string_view sets, DType dtype);
    static Message titleOf(std::string_view sets);

    std::string_view m_inputs;
    int m_outputs = 1;
};

/// Of operators whose readers have settled how many there are.
inline constexpr const char* AnyForm = "any* -> *";

/// Without those at the end that are absent.
[[nodiscard]] int countPresent(std::span<const ValueId> values);

} // namespace plimsoll
