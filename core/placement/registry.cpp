#include "core/placement/registry.h"

#include "core/placement/algorithms.h"
#include "core/placement/fit/sized_blocks.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace plimsoll {
namespace {

std::optional<Packing> orderedFit(const Section& section, const Order& order, FitRule rule, Budget& budget)
{
    OrderedFit fit(section);
    const std::int64_t most = OrderedFit::mostUnits(section);
    // Below 2^31 units the structure is half as large.
    const std::int64_t first = std::min(most, std::max(section.bound, (std::int64_t {1} << 31) - 1));
    auto packing = fit.run(order, first, rule, budget);
    if (!packing && first < most && !budget.over()) packing = fit.run(order, most, rule, budget);
    return packing;
}

template <FitRule Rule, OrderKey... Keys>
std::optional<Packing> inOrderOf(const Section& section, Budget& budget)
{
    const std::array<OrderKey, sizeof...(Keys)> keys = {Keys...};
    return orderedFit(section, Orders(section).by(keys, budget.context()), Rule, budget);
}

constexpr Members None {.merging = false, .orders = false, .randomKeys = false, .windows = false, .exact = false};
constexpr Members RandomKeysOnly {.merging = false, .windows = false, .exact = false};
constexpr Members WindowsOnly {.merging = false, .randomKeys = false, .exact = false};
constexpr Members ExactOnly {.merging = false, .orders = false, .randomKeys = false, .windows = false};

constexpr std::array Rows = {
    PlacementAlgorithm {"no-reuse", placeWithoutReuse, nullptr, None},
    PlacementAlgorithm {"storage-reuse", placeInSizedBlocks, nullptr, None},
    PlacementAlgorithm {"sweep", nullptr, bothSweeps, None},
    PlacementAlgorithm {"first-fit-by-step", nullptr, inOrderOf<FitRule::First>, None},
    PlacementAlgorithm {"first-fit-by-size", nullptr, inOrderOf<FitRule::First, OrderKey::Size>, None},
    PlacementAlgorithm {"first-fit-by-area", nullptr, inOrderOf<FitRule::First, OrderKey::Area>, None},
    PlacementAlgorithm {"first-fit-by-lifetime", nullptr, inOrderOf<FitRule::First, OrderKey::Life, OrderKey::Size>,
                        None},
    PlacementAlgorithm {"best-fit-by-step", nullptr, inOrderOf<FitRule::Best>, None},
    PlacementAlgorithm {"best-fit-by-size", nullptr, inOrderOf<FitRule::Best, OrderKey::Size>, None},
    PlacementAlgorithm {"best-fit-by-area", nullptr, inOrderOf<FitRule::Best, OrderKey::Area>, None},
    PlacementAlgorithm {"best-fit-by-lifetime", nullptr, inOrderOf<FitRule::Best, OrderKey::Life, OrderKey::Size>,
                        None},
    PlacementAlgorithm {"random-keys", nullptr, nullptr, RandomKeysOnly},
    PlacementAlgorithm {"window-repair", nullptr, nullptr, WindowsOnly},
    PlacementAlgorithm {"exact", nullptr, nullptr, ExactOnly},
    PlacementAlgorithm {"best", nullptr, nullptr, Members {}},
};

constexpr auto Ids = [] {
    std::array<std::string_view, Rows.size() - 1> ids;
    for (std::size_t row = 0; row < ids.size(); ++row)
        ids[row] = Rows[row].id;
    return ids;
}();

} // namespace

std::span<const std::string_view> placementAlgorithms()
{
    return Ids;
}

const PlacementAlgorithm* findAlgorithm(std::string_view id)
{
    const auto* found = std::find_if(Rows.begin(), Rows.end(), [id](const auto& row) { return row.id == id; });
    return found == Rows.end() ? nullptr : found;
}

std::optional<Packing> firstPacking(const Section& section, Budget& budget)
{
    if (!section.pins.empty()) return inOrderOf<FitRule::First>(section, budget);
    return sweep(section, FitRule::First, budget);
}

std::optional<Packing> bothSweeps(const Section& section, Budget& budget)
{
    std::optional<Packing> packing = firstPacking(section, budget);
    if (!packing || packing->peak <= section.bound) return packing;
    const std::optional<Packing> other = tightSweep(section, budget);
    return other && other->peak < packing->peak ? other : packing;
}

Result<Plan> packEach(const Problem& problem, const PlacementAlgorithm& algorithm, const Context& context)
{
    Plan plan = startPlan(problem, algorithm.id);
    Budget budget({}, {}, context);
    for (const ArenaTask& task : prepare(problem, context)) {
        for (const std::int32_t id : task.asideIds)
            putDown(problem, plan, BufferId(id),
                    problem.buffers[static_cast<std::size_t>(id)].pinnedOffset.value_or(0));
        const std::optional<Packing> packing = algorithm.pack(task.all, budget);
        if (!packing) return Error {ErrorCode::Stopped, say("stopped.placement"), {}, {}};
        for (std::size_t item = 0; item < task.all.count(); ++item)
            putDown(problem, plan, BufferId(task.all.ids[item]), packing->offsets[item] * task.all.unit);
    }
    if (context.stopped()) return Error {ErrorCode::Stopped, say("stopped.placement"), {}, {}};
    return plan;
}

} // namespace plimsoll
