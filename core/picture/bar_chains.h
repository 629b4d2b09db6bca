#pragma once

#include "core/picture/plan_picture.h"

#include <cstddef>
#include <vector>

namespace plimsoll {

/// Bars that have one name: positions among those that were asked about.
struct BarChain
{
    std::size_t first;
    std::size_t last;
};

/// Bars of one storage that follow one another at one height are a chain, in the order of \p bars; with the name of the
/// first, since each alone is too short for one.
///
///     ┌─┬─┬─┬─┐
///     │a b c d│   as "a"
///     └─┴─┴─┴─┘
[[nodiscard]] std::vector<BarChain> chainsOf(const std::vector<const PlanBar*>& bars);

} // namespace plimsoll
