#include "core/placement/placement.h"

#include "core/base/bytes.h"
#include "core/placement/algorithms.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

namespace plimsoll {
namespace {

/// Above this many buffers "best" leaves out what looks at all pairs.
constexpr std::size_t AllPairsLimit = 10'000;

constexpr std::array Algorithms = {
    PlacementAlgorithm {"first-fit-by-step", placeFirstFitByStep},
    PlacementAlgorithm {"best-fit-by-size", placeBestFitBySize},
    PlacementAlgorithm {"storage-reuse", placeInSizedBlocks},
    PlacementAlgorithm {"no-reuse", placeWithoutReuse},
};

Error invalid(std::size_t buffer, std::string message)
{
    return {ErrorCode::BadInput, std::move(message), "buffer " + std::to_string(buffer), {}};
}

Status checkBuffer(const Problem& problem, std::size_t index)
{
    const Buffer& buffer = problem.buffers[index];
    if (buffer.bytes < 0) return invalid(index, "Its size is negative.");
    if (buffer.alignment < 1) return invalid(index, "Its alignment must be at least 1.");
    if (buffer.pinnedOffset.value_or(0) < 0) return invalid(index, "It is pinned to a negative offset.");
    if (!buffer.arena.valid() || buffer.arena.index() >= problem.arenas.size())
        return invalid(index, "Its arena does not exist.");
    return {};
}

/// No algorithm goes higher than the pins, then every buffer on top with its alignment: if that sum fits in 63 bits,
/// plain arithmetic is safe from here on.
Status checkSums(const Problem& problem)
{
    std::optional<std::int64_t> pins = 0;
    std::optional<std::int64_t> sum = 0;
    std::int64_t coarsest = 1;
    for (const Arena& arena : problem.arenas)
        coarsest = std::max(coarsest, arena.alignment);
    for (const Buffer& buffer : problem.buffers)
        coarsest = std::max(coarsest, buffer.alignment);
    for (std::size_t index = 0; index < problem.buffers.size(); ++index) {
        const Buffer& buffer = problem.buffers[index];
        const auto rounded = checkedAlignUp(buffer.bytes, problem.arenas[buffer.arena.index()].alignment);
        const auto padded = rounded ? checkedAlignUp(*rounded, coarsest) : std::nullopt;
        const auto pin = padded ? checkedAdd(buffer.pinnedOffset.value_or(0), *padded) : std::nullopt;
        if (sum && pin) sum = checkedAdd(*sum, *padded);
        if (!sum || !pin) return invalid(index, "The sizes up to here add up to more than 63 bits hold.");
        pins = std::max(*pins, *pin);
    }
    const auto total = checkedAdd(*pins, *sum);
    if (!total || !checkedAdd(*total, coarsest)) return invalid(0, "All sizes add up to more than 63 bits hold.");
    return {};
}

std::int64_t height(const Plan& plan)
{
    return std::accumulate(plan.arenaBytes.begin(), plan.arenaBytes.end(), std::int64_t {0});
}

Result<Plan> placeBest(const Problem& problem, const Context& context)
{
    const std::vector<std::int64_t> bounds = lowerBounds(problem);
    const std::int64_t bound = std::accumulate(bounds.begin(), bounds.end(), std::int64_t {0});
    std::optional<Plan> best;
    for (const PlacementAlgorithm& algorithm : Algorithms) {
        if (best && height(*best) == bound) break;
        if (algorithm.id == "best-fit-by-size" && problem.buffers.size() > AllPairsLimit) continue;
        PLIMSOLL_ASSIGN(plan, algorithm.run(problem, context));
        if (!best || height(plan) < height(*best)) best = std::move(plan);
    }
    return *std::move(best);
}

} // namespace

Status checkProblem(const Problem& problem)
{
    for (std::size_t arena = 0; arena < problem.arenas.size(); ++arena) {
        if (problem.arenas[arena].alignment >= 1) continue;
        return Error {ErrorCode::BadInput, "Its alignment must be at least 1.", "arena " + std::to_string(arena), {}};
    }
    for (std::size_t index = 0; index < problem.buffers.size(); ++index)
        PLIMSOLL_TRY(checkBuffer(problem, index));
    return checkSums(problem);
}

std::span<const PlacementAlgorithm> placementAlgorithms()
{
    return Algorithms;
}

Result<Plan> place(const Problem& problem, std::string_view algorithm, const Context& context)
{
    PLIMSOLL_TRY(checkProblem(problem));
    const auto* found = std::find_if(Algorithms.begin(), Algorithms.end(),
                                     [algorithm](const PlacementAlgorithm& row) { return row.id == algorithm; });
    if (found == Algorithms.end() && algorithm != "best") {
        return Error {ErrorCode::BadUsage, "There is no placement algorithm '" + std::string(algorithm) + "'.", {}, {}};
    }
    PLIMSOLL_ASSIGN(plan, found == Algorithms.end() ? placeBest(problem, context) : found->run(problem, context));
    const std::vector<std::int64_t> bounds = lowerBounds(problem);
    plan.optimal = plan.arenaBytes == bounds;
    return plan;
}

} // namespace plimsoll
