#pragma once

#include "core/facts/about.h"
#include "core/plan/constraints.h"

namespace plimsoll {

/// A constraint in two words: "apart from" and the other value.
struct AskedWords
{
    std::string_view what;
    Cell other; ///< Blank where the first word says all.
};
[[nodiscard]] AskedWords askedWords(const Report& report, const Constraint& one);

/// What is asked of a value or a node, and of others together with it.
[[nodiscard]] FactSection askedSection(const Report& report, std::string_view name, bool node);

/// Values whose place or partners are asked for.
[[nodiscard]] std::vector<ValueId> valuesAskedFor(const Report& report);

} // namespace plimsoll
