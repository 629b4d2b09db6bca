#include "core/pipeline/stages.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>

namespace plimsoll::pipeline {
namespace {

using Dims = std::map<std::string, std::int64_t>;
using Sizes = std::vector<std::int64_t>; ///< By ValueId; -1 where it is not known.

/// Solving for more symbols than these would infer the types of the graph too often.
constexpr std::size_t MostOpenDims = 6;
constexpr std::int64_t LargestSize = std::int64_t {1} << 31;
constexpr std::int64_t LargestOfPair = std::int64_t {1} << 16;

/// What a plan says of the bytes of a value.
struct Stated
{
    ValueId value;
    std::int64_t bytes = 0;
    std::int64_t alignment = 1; ///< To which its planner may have rounded them.
    bool atLeast = false;       ///< Its implementation may want more than the logical bytes.

    [[nodiscard]] bool fits(std::int64_t needed) const
    {
        if (needed < 0) return true; // nothing is known of it
        return bytes == needed || (atLeast && bytes > needed) || bytes == checkedAlignUp(needed, alignment);
    }
};

/// What a value takes by the sizes of two dimensions, as three sizes in a row of each say it: exact for what grows with
/// the square of a dimension at most.
struct Growth
{
    std::int64_t firstFrom = 1;
    std::int64_t secondFrom = 1;
    std::array<Sizes, 3> at {}; ///< By the second dimension: three of the first.

    [[nodiscard]] long double bytes(std::int64_t first, std::int64_t second) const
    {
        std::array<long double, 3> rows {};
        for (std::size_t row = 0; row < rows.size(); ++row)
            rows[row] = along({static_cast<long double>(at[row][0]), static_cast<long double>(at[row][1]),
                               static_cast<long double>(at[row][2])},
                              first - firstFrom);
        return along(rows, second - secondFrom);
    }

    /// The largest size of the first dimension that needs no more than \p wanted; nothing where it does not grow.
    [[nodiscard]] std::optional<std::int64_t> solve(std::int64_t wanted, std::int64_t second) const
    {
        const auto goal = static_cast<long double>(wanted);
        std::int64_t low = firstFrom;
        std::int64_t high = LargestSize;
        if (bytes(low + 1, second) <= bytes(low, second) || bytes(low, second) > goal || bytes(high, second) < goal)
            return std::nullopt;
        while (low < high) {
            const std::int64_t middle = low + (high - low + 1) / 2;
            const bool enough = bytes(middle, second) <= goal;
            low = enough ? middle : low;
            high = enough ? high : middle - 1;
        }
        return low;
    }

private:
    /// Newton's series through three points in a row.
    [[nodiscard]] static long double along(const std::array<long double, 3>& points, std::int64_t by)
    {
        const auto x = static_cast<long double>(by);
        return points[0] + (points[1] - points[0]) * x + (points[2] - 2 * points[1] + points[0]) * x * (x - 1) / 2;
    }
};

/// Sizes that are looked for, and what is known of them.
struct PlanSizes
{
    const Graph& graph;
    const PlanRequest& request;
    const Context& context;
    std::vector<Stated> stated;
    Dims assumed; ///< Without a word from the plan.
    Dims dims;    ///< As far as they are solved.
    std::set<std::string> solved;
    Dims best; ///< With which most allocations fit.
    std::size_t bestFits = 0;
};

void collect(PlanSizes& at, const Graph& inferred)
{
    std::unordered_map<std::string_view, ValueId> values;
    for (std::size_t i = 0; i < inferred.values.size(); ++i)
        values.emplace(inferred.values[i].name, ValueId(i));
    const PlanFile& plan = *at.request.givenPlan;
    for (const PlanFile::Entry& entry : plan.entries) {
        const auto value = values.find(entry.value);
        if (value == values.end() || entry.afterStep || !entry.host.empty()) continue;
        const bool inside = entry.arena.valid() && entry.arena.index() < plan.arenas.size();
        const NodeId producer = inferred[value->second].producer;
        const bool named =
            producer.valid() && plan.implementations && plan.implementations->contains(inferred[producer].name);
        at.stated.push_back({value->second, entry.bytes,
                             inside ? std::max<std::int64_t>(1, plan.arenas[entry.arena.index()].alignment) : 1,
                             named});
    }
}

Sizes sizesOf(const Graph& graph)
{
    Sizes sizes;
    for (const Value& value : graph.values)
        sizes.push_back(value.type.bytes().value_or(-1));
    return sizes;
}

std::size_t countFits(const PlanSizes& at, const Sizes& sizes)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(at.stated, [&](const Stated& one) { return one.fits(sizes[one.value.index()]); }));
}

/// Nothing where the graph cannot have these sizes.
std::optional<Sizes> sizesWith(const PlanSizes& at, const Dims& dims)
{
    InferenceRequest shapes = at.request.shapes;
    for (const auto& [dim, size] : dims)
        shapes.dims[dim] = size;
    const auto inferred = inferTypes(at.graph, shapes, at.context);
    return inferred.ok() ? std::optional(sizesOf(inferred.value().graph)) : std::nullopt;
}

std::optional<Sizes> sizesWith(const PlanSizes& at, const std::string& dim, std::int64_t more)
{
    Dims dims = at.dims;
    dims[dim] += more;
    return sizesWith(at, dims);
}

void take(PlanSizes& at, const Dims& found)
{
    for (const auto& [dim, size] : found)
        at.dims[dim] = size;
    const auto then = sizesWith(at, at.dims);
    const std::size_t fits = then ? countFits(at, *then) : 0;
    if (fits <= at.bestFits) return;
    at.best = at.dims;
    at.bestFits = fits;
}

std::optional<std::int64_t> mostWanted(const PlanSizes& at, const std::string& dim,
                                       const std::map<std::string, std::array<Sizes, 3>>& more)
{
    const std::array<Sizes, 3>& own = more.at(dim);
    std::map<std::int64_t, std::size_t> votes;
    for (const Stated& one : at.stated) {
        const std::size_t i = one.value.index();
        const bool alone = std::ranges::none_of(
            more, [&](const auto& other) { return other.first != dim && other.second[1][i] != own[0][i]; });
        const Sizes three {own[0][i], own[1][i], own[2][i]};
        if (!alone || one.atLeast || std::ranges::min(three) < 0) continue;
        const Growth growth {at.dims.at(dim), 0, {three, three, three}};
        const auto size = growth.solve(one.bytes, 0);
        if (size && one.fits(static_cast<std::int64_t>(growth.bytes(*size, 0)))) ++votes[*size];
    }
    const auto most = std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
    return most == votes.end() ? std::nullopt : std::optional(most->first);
}

/// Gives each dimension the size that most allocations want which depend on it alone. False where none is solved.
bool improve(PlanSizes& at)
{
    const auto now = sizesWith(at, at.dims);
    std::map<std::string, std::array<Sizes, 3>> more; ///< As it is, with one and with two more of each.
    for (const auto& [dim, size] : at.dims) {
        if (!now || at.solved.contains(dim)) continue;
        const auto one = sizesWith(at, dim, 1);
        const auto two = sizesWith(at, dim, 2);
        if (one && two) more[dim] = {*now, *one, *two};
    }
    Dims found;
    for (const auto& [dim, sizes] : more) {
        if (const auto size = mostWanted(at, dim, more)) found[dim] = *size;
    }
    for (const auto& [dim, size] : found)
        at.solved.insert(dim);
    return !found.empty() && (take(at, found), true);
}

/// Of what depends on both.
std::vector<std::pair<Stated, Growth>> growthOf(const PlanSizes& at, const std::string& first,
                                                const std::string& second)
{
    std::array<std::array<Sizes, 3>, 3> grid;
    for (std::int64_t row = 0; row < 3; ++row) {
        for (std::int64_t column = 0; column < 3; ++column) {
            Dims dims = at.dims;
            dims[first] += column;
            dims[second] += row;
            const auto sizes = sizesWith(at, dims);
            if (!sizes) return {};
            grid[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] = *sizes;
        }
    }
    std::vector<std::pair<Stated, Growth>> all;
    for (const Stated& one : at.stated) {
        const std::size_t i = one.value.index();
        Growth growth {at.dims.at(first), at.dims.at(second), {}};
        for (std::size_t row = 0; row < 3; ++row)
            growth.at[row] = {grid[row][0][i], grid[row][1][i], grid[row][2][i]};
        const bool grows = growth.at[0][1] > growth.at[0][0] && growth.at[1][0] > growth.at[0][0];
        if (grows && !one.atLeast) all.emplace_back(one, growth);
    }
    return all;
}

/// Of two dimensions that no allocation tells apart alone, such as batch and length: the only sizes that all want.
void improvePair(PlanSizes& at)
{
    std::vector<std::string> open;
    for (const auto& [dim, size] : at.dims) {
        if (!at.solved.contains(dim)) open.push_back(dim);
    }
    if (open.size() != 2) return;
    const std::vector<std::pair<Stated, Growth>> all = growthOf(at, open[0], open[1]);
    std::optional<Dims> only;
    for (std::int64_t second = 1; !all.empty() && second <= LargestOfPair; ++second) {
        const auto first = all.front().second.solve(all.front().first.bytes, second);
        const bool fits = first && std::ranges::all_of(all, [&](const auto& one) {
                              return one.first.fits(static_cast<std::int64_t>(one.second.bytes(*first, second)));
                          });
        if (fits && only) return;
        if (fits) only = Dims {{open[0], *first}, {open[1], second}};
    }
    if (only) take(at, *only);
}

/// What differs from what was assumed.
Dims changed(const PlanSizes& at)
{
    Dims dims;
    for (const auto& [dim, size] : at.best) {
        if (size != at.assumed.at(dim)) dims[dim] = size;
    }
    return dims;
}

} // namespace
} // namespace plimsoll::pipeline

namespace plimsoll {

Result<DimsOfPlan> dimsOfPlan(const Graph& captured, const PlanRequest& request, const Context& context)
{
    if (!request.givenPlan) return DimsOfPlan {};
    PLIMSOLL_ASSIGN(training, pipeline::trainingOf(captured, request));
    const Graph& graph = training ? training->forward : captured;
    PLIMSOLL_ASSIGN(inferred, inferTypes(graph, request.shapes, context));
    pipeline::PlanSizes at {graph, request, context, {}, {}, {}, {}, {}};
    for (const Binding& binding : inferred.bindings) {
        if (binding.assumed) at.dims[binding.dim] = binding.size;
    }
    if (at.dims.empty() || at.dims.size() > pipeline::MostOpenDims) return DimsOfPlan {};
    at.assumed = at.best = at.dims;
    pipeline::collect(at, inferred.graph);
    at.bestFits = pipeline::countFits(at, pipeline::sizesOf(inferred.graph));
    while (at.bestFits < at.stated.size() && pipeline::improve(at)) {}
    if (at.bestFits < at.stated.size()) pipeline::improvePair(at);
    const pipeline::Dims changed = pipeline::changed(at);
    if (changed.empty()) return DimsOfPlan {};
    const auto sized = [](const auto& dim) { return say("dims.size", dim.first, word::Number {dim.second}); };
    const word::List sizes = allOf(changed, sized, word::List::Joint::Comma);
    if (at.bestFits == at.stated.size()) return DimsOfPlan {changed, say("note.plan-sizes", sizes)};
    return DimsOfPlan {{}, say("note.plan-sizes-fit", sizes, at.bestFits, at.stated.size(), Remedy::option("dim"))};
}

} // namespace plimsoll
