#pragma once

#include "core/base/message.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

/// A better plan, or a better bound, that a search came by.
struct Incumbent
{
    double seconds = 0;          ///< Since the search began.
    std::int64_t work = 0;       ///< Units of work since then: the same on every machine.
    std::int64_t peakBytes = 0;  ///< Sum of all arenas.
    std::int64_t boundBytes = 0; ///< Proved: no plan has a lower sum.
    std::string_view member;     ///< Which part of the portfolio found it; a literal.
};

enum class SearchEnd : std::uint8_t {
    Running, ///< It has not ended yet.
    Optimal, ///< Proved: no plan is lower.
    Partial, ///< The same, but of an incomplete plan: nothing is proved of the whole.
    Limit,   ///< Out of work or time; the plan is the best so far.
    Stopped, ///< By the user; the plan is the best so far.
    OnePlan, ///< The algorithm makes one plan and does not search.
};
[[nodiscard]] std::string_view searchEndId(SearchEnd end); ///< "optimal", "partial", "limit", "stopped", …
[[nodiscard]] Message searchEndText(SearchEnd end);        ///< "proved lowest", "the limit came before a proof", …

/// How the offsets of a plan were found, to be shown beside it.
struct SearchRecord
{
    std::string algorithm; ///< A value of the policy "placement".
    SearchEnd end = SearchEnd::Running;
    std::vector<Incumbent> history; ///< From the first plan to the best.
    std::int64_t boundBytes = 0;    ///< Proved: no plan has a lower sum of arenas. At least the most live bytes.
    std::uint64_t seed = 1;
    std::optional<std::int64_t> workLimit; ///< In units of about 10 ns.
    std::optional<double> secondsLimit;
    std::int64_t work = 0;
    double seconds = 0;

    [[nodiscard]] bool optimal() const { return end == SearchEnd::Optimal; }
    /// The entry that brought the best plan; null in an empty history. Later ones only raise the bound.
    [[nodiscard]] const Incumbent* best() const;
    [[nodiscard]] std::string_view member() const; ///< What found the best plan.
};

} // namespace plimsoll
