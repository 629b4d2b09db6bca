#pragma once

#include "core/ops/node_facts.h"

#include <span>

namespace plimsoll {

/// What an attribute of an operator may be: {"direction", "forward|reverse"}, texts or numbers parted by bars.
struct AttributeChoice
{
    /// Whole numbers above 0: a norm of order 0 and a sum over no channels mean nothing.
    static constexpr std::string_view Positive = ">0";

    std::string_view attribute;
    std::string_view values;
    bool required = false;
};

namespace choices {

// Those of several operators; an empty one at the end is what some exporters leave.
inline constexpr AttributeChoice Padding {"auto_pad", "NOTSET|SAME_UPPER|SAME_LOWER|VALID|"};
inline constexpr AttributeChoice Reduction {"reduction", "none|mean|sum"};
inline constexpr AttributeChoice Scattering {"reduction", "none|add|mul|max|min"};
inline constexpr AttributeChoice Direction {"direction", "forward|reverse|bidirectional"};
inline constexpr AttributeChoice Order {"p", AttributeChoice::Positive};

} // namespace choices

/// Whether the attributes of a node that stand for a choice name one that its operator has. Of the standard's
/// operators also whether what names an element type does.
[[nodiscard]] Status checkChoices(const NodeFacts& facts, std::span<const AttributeChoice> choices);

} // namespace plimsoll
