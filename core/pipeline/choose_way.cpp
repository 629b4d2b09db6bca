#include "core/base/sum.h"
#include "core/facts/offers.h"
#include "core/lower/choose/ways.h"
#include "core/pipeline/stages.h"

#include "core/placement/search/load.h"

#include <algorithm>
#include <limits>

namespace plimsoll::pipeline {
namespace {

/// So many of the ways are placed for real.
constexpr std::size_t MostTrials = 64;

/// The most that the arenas may have.
struct Limits
{
    std::map<std::string, std::int64_t> ofSpace;
    std::int64_t ofAll = std::numeric_limits<std::int64_t>::max();
};

bool fits(const PricedWay& priced, const Limits& limits)
{
    return priced.cost.peakBytes <= limits.ofAll && std::ranges::all_of(priced.heights, [&](const auto& arena) {
               const auto limit = limits.ofSpace.find(arena.first);
               return limit == limits.ofSpace.end() || arena.second <= limit->second;
           });
}

/// What makes programs of ways and places them, as the rest of the pipeline will.
struct Trial
{
    const Graph& graph;
    const DispatchRequest& choice;
    const PlanRequest& request;
    const std::vector<SavedReport>& saved;
    const Context& context;

    /// Null: the fastest.
    [[nodiscard]] Result<PricedWay> price(const Way* way) const
    {
        DispatchRequest own = choice;
        own.way = way;
        PLIMSOLL_ASSIGN(dispatched, dispatch(graph, own, {}, {context.stop, {}}));
        Program program;
        program.graph = std::make_shared<const Graph>(std::move(dispatched.graph));
        program.implementations = std::move(dispatched.implementations);
        program.policies = request.policies;
        PLIMSOLL_ASSIGN(order, orderFor(*program.graph, request));
        program.schedule = std::move(order.schedule);
        PLIMSOLL_ASSIGN(streams, streamsFor(*program.graph, program.schedule, request));
        program.streams = std::move(streams);
        PLIMSOLL_ASSIGN(facts, lifetimesOf(program, saved));
        constexpr std::int64_t Quick = 1'000'000;
        SearchRequest search;
        search.seed = request.search.seed;
        search.workLimit = std::min(Quick, request.search.workLimit.value_or(Quick));
        PLIMSOLL_ASSIGN(placed, makePlacement({program, facts}, search, {}, {}, {context.stop, {}}));
        PricedWay priced {way ? *way : Way {}, {}, sumOf(lowerBounds(placed.problem)), {}};
        for (std::size_t arena = 0; arena < placed.heights.size(); ++arena)
            priced.heights[placed.map.arenas[arena].space] = placed.heights[arena];
        const PlannedProgram planned = plannedProgram({program, facts}, placed, {});
        PLIMSOLL_ASSIGN(memory, memoryUse(planned, facts, placed, {}));
        const KernelTime time = kernelTime(program);
        priced.cost = {memory.peakBytes, memory.externalBytes, time.allMs, time.measured};
        return priced;
    }
};

/// At equal distances, the ends among them.
void thin(std::vector<Way>& ways)
{
    if (ways.size() <= MostTrials) return;
    std::vector<Way> some;
    for (std::size_t i = 0; i < MostTrials; ++i)
        some.push_back(std::move(ways[i * (ways.size() - 1) / (MostTrials - 1)]));
    ways = std::move(some);
}

/// Of those that are placed, fastest first, the ones with a lower peak than all before; with \p limits none behind the
/// first that keeps them.
Result<std::vector<PricedWay>> priceWays(const Trial& trial, std::vector<Way> ways, const Limits* limits)
{
    thin(ways);
    std::vector<PricedWay> priced;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        trial.context.report("choices", static_cast<double>(i) / static_cast<double>(ways.size()));
        PLIMSOLL_ASSIGN(one, trial.price(&ways[i]));
        if (!priced.empty() && one.cost.peakBytes >= priced.back().cost.peakBytes) continue;
        priced.push_back(std::move(one));
        if (limits && fits(priced.back(), *limits)) break;
    }
    return priced;
}

/// Those that were looked for, and plain loops for all nodes, which may be smaller than any of them.
Result<std::vector<Way>> allWays(const Graph& graph, const DispatchRequest& choice, const Context& context)
{
    PLIMSOLL_ASSIGN(ways, findWays(graph, choice, context));
    ways.list.push_back(plainWay(graph, choice));
    return std::move(ways.list);
}

bool hasOffers(const DispatchRequest& choice)
{
    return !choice.onlyPinned && !choice.catalogue.offers.empty();
}

/// Whether bytes have a say at all.
bool countsBytes(const Policies& policies)
{
    return policies.choose != ChoosePolicy::Fastest ||
           (policies.padding == PaddingPolicy::Off && policies.backend == BackendPolicy::Auto);
}

} // namespace

Result<std::optional<Way>> chooseWay(const Graph& graph, const DispatchRequest& choice, const PlanRequest& request,
                                     const std::vector<SavedReport>& saved, const Context& context)
{
    const Policies& policies = choice.policies;
    if (request.givenPlan || !hasOffers(choice) || !countsBytes(policies)) return std::optional<Way>();
    const Trial trial {graph, choice, request, saved, context};
    Limits limits;
    if (policies.choose == ChoosePolicy::FastestWithin) limits.ofSpace = policies.capacity;
    const Way plain = plainWay(graph, choice);
    if (policies.padding == PaddingPolicy::Off && policies.backend == BackendPolicy::Auto) {
        PLIMSOLL_ASSIGN(loops, trial.price(&plain));
        limits.ofAll = loops.boundBytes;
    }
    const bool smallest = policies.choose == ChoosePolicy::Smallest;
    PLIMSOLL_ASSIGN(fastest, trial.price(nullptr));
    if (!smallest && fits(fastest, limits)) return std::optional<Way>();
    PLIMSOLL_ASSIGN(ways, allWays(graph, choice, context));
    PLIMSOLL_ASSIGN(priced, priceWays(trial, std::move(ways), smallest ? nullptr : &limits));
    const std::int64_t lowest = std::min(priced.back().cost.peakBytes, fastest.cost.peakBytes);
    if (policies.padding == PaddingPolicy::Off && lowest > limits.ofAll) return std::optional(plain);
    if (lowest == fastest.cost.peakBytes) return std::optional<Way>(); // the slower ones are no smaller
    return std::optional(std::move(priced.back().way));
}

Result<std::vector<PricedWay>> priceAllWays(const Graph& graph, const DispatchRequest& choice,
                                            const PlanRequest& request, const std::vector<SavedReport>& saved,
                                            const Context& context)
{
    if (request.givenPlan || !hasOffers(choice)) return std::vector<PricedWay>();
    const Trial trial {graph, choice, request, saved, context};
    PLIMSOLL_ASSIGN(ways, allWays(graph, choice, context));
    PLIMSOLL_ASSIGN(priced, priceWays(trial, std::move(ways), nullptr));
    PLIMSOLL_ASSIGN(fastest, trial.price(nullptr)); // which need not be one of those that were looked for
    priced.push_back(std::move(fastest));
    std::ranges::stable_sort(priced, {},
                             [](const PricedWay& one) { return std::pair(one.cost.kernelMs, one.cost.peakBytes); });
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::erase_if(priced, [&](const PricedWay& one) {
        const bool beaten = one.cost.peakBytes >= least;
        least = std::min(least, one.cost.peakBytes);
        return beaten;
    });
    return priced;
}

} // namespace plimsoll::pipeline

namespace plimsoll {

Result<std::vector<TradeOff>> timeAgainstPeak(const Graph& graph, PlanRequest request, const Context& context)
{
    request.givenPlan.reset();
    PLIMSOLL_ASSIGN(lowered, pipeline::lower(graph, request, {}, {context.stop, {}}));
    const pipeline::Offered offered =
        pipeline::offeredFor(request, pipeline::withOffersForDuplicates(request.catalogue, graph, lowered.graph));
    PLIMSOLL_ASSIGN(priced, pipeline::priceWays(std::move(lowered.graph), offered, request, lowered.saved, context));
    std::vector<TradeOff> points;
    for (const pipeline::PricedWay& one : priced) {
        TradeOff point {one.cost, {}};
        for (const auto& [space, bytes] : one.heights)
            point.capacity += (point.capacity.empty() ? "" : ",") + space + "=" + std::to_string(bytes);
        points.push_back(std::move(point));
    }
    return points;
}

} // namespace plimsoll
