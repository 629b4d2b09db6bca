#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/plan/problem.h"
#include "core/plan/search_record.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace plimsoll {

/// How long to search. With neither limit a search ends when it has proved its plan, or is stopped.
struct SearchOptions
{
    std::uint64_t seed = 1;
    std::optional<std::int64_t> workLimit; ///< In units of about 10 ns. The answer depends on it and the seed alone.
    std::optional<double> secondsLimit;    ///< The first plan is made in any case.
    /// Called from the searching thread for every entry of the history; the second argument makes the plan. May be
    /// empty.
    std::function<void(const Incumbent&, const std::function<Plan()>&)> improved;
};

/// The work limit of place() without options: some 0.05 s, more for many buffers, but no more for a million than for
/// 200,000: by then one order takes seconds, and the search is asked to go on where that pays.
[[nodiscard]] std::int64_t defaultWorkLimit(std::size_t buffers);

/// Why the capacity of an arena cannot be met: at \c step these buffers are alive and need more, or one is pinned
/// higher.
struct CapacityShortfall
{
    ArenaId arena;
    std::int64_t capacityBytes = 0;
    std::int64_t neededBytes = 0;     ///< No plan of this arena is lower.
    std::optional<std::int64_t> step; ///< Absent where only a search proved it.
    std::vector<BufferId> buffers;
};

struct SearchAnswer
{
    Plan plan;                            ///< Legal in any case; over a capacity where that cannot be helped.
    std::vector<std::int64_t> boundBytes; ///< By ArenaId. Proved: no plan is lower.
    std::vector<std::int64_t> loadBytes;  ///< By ArenaId: the bound that load and pins give, known before searching.
    SearchEnd end = SearchEnd::Limit;     ///< Why it ended.
    std::vector<CapacityShortfall> shortfalls; ///< Proved infeasible: capacities that no plan meets.
    std::vector<Incumbent> history;            ///< From the first plan to the last.
    std::string_view member;                   ///< What found the last improvement.
    double seconds = 0;
    double firstPlanSeconds = 0;
    std::int64_t work = 0;

    [[nodiscard]] bool optimal() const { return plan.optimal; }
    [[nodiscard]] bool infeasible() const { return !shortfalls.empty(); }
};

/// place() as a search that can be watched, limited and stopped. \p algorithm as there; those that are no search ignore
/// the limits. Errors as there; stopped only where the stop came before the first plan.
[[nodiscard]] Result<SearchAnswer> search(const Problem& problem, std::string_view algorithm,
                                          const SearchOptions& options, const Context& context);

} // namespace plimsoll
