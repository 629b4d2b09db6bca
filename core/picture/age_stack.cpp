#include "core/picture/age_stack.h"

#include "core/base/bytes.h"
#include "core/base/sort_by_key.h"

#include <algorithm>
#include <optional>

namespace plimsoll {
namespace {

/// A million storages that sink a thousand times each would not fit into memory.
constexpr std::size_t MostPieces = 2'000'000;

/// A live interval of a storage.
struct Life
{
    StorageId storage;
    Interval steps;
};

/// Where a storage stands from a step on.
struct Standing
{
    Life life;
    std::int64_t since = 0;
    std::int64_t height = 0;
};

std::vector<Life> livesOf(const Report& report, ArenaId lane)
{
    std::vector<Life> lives;
    for (std::size_t i = 0; i < report.program.storages.size(); ++i) {
        const Storage& storage = report.program.storages[i];
        if (storage.arena != lane || storage.bytes <= 0) continue;
        for (const Interval& steps : storage.live.intervals())
            lives.push_back({StorageId(i), steps});
    }
    std::ranges::stable_sort(lives, {}, [](const Life& life) { return life.steps.begin; });
    return lives;
}

/// Bars of each storage, cut to pieces that stand at one height.
class Pieces
{
public:
    Pieces(const Report& report, const std::vector<PlanBar>& bars)
        : m_report(report), m_bars(report.program.storages.size())
    {
        for (const PlanBar& bar : bars)
            m_bars[bar.storage.index()].push_back(bar);
    }

    void cut(const Standing& from, std::int64_t until)
    {
        for (PlanBar bar : m_bars[from.life.storage.index()]) {
            bar.steps = intersection(bar.steps, {from.since, until});
            if (bar.steps.empty()) continue;
            const std::int64_t lift = from.height - m_report.program.storages[bar.storage.index()].offset;
            bar.at = {bar.bytes.begin + lift, bar.bytes.end + lift};
            pieces.push_back(bar);
        }
    }

    std::vector<PlanBar> pieces;

private:
    const Report& m_report;
    std::vector<std::vector<PlanBar>> m_bars; ///< By storage, in painting order.
};

/// Those that die at a step go, and those above them sink; what is left of their stack is the height.
std::int64_t sink(const Report& report, std::vector<Standing>& stack, std::int64_t step, Pieces& pieces)
{
    std::int64_t height = 0;
    for (Standing& standing : stack) {
        const bool dies = standing.life.steps.end <= step;
        if (dies || standing.height != height) {
            pieces.cut(standing, std::min(step, standing.life.steps.end));
            standing.since = step;
            standing.height = height;
        }
        if (!dies) height += takenBytes(report, standing.life.storage);
    }
    std::erase_if(stack, [&](const Standing& standing) { return standing.life.steps.end <= step; });
    return height;
}

/// \return the most bytes at once; nothing where there are too many pieces
std::optional<std::int64_t> stackLane(const Report& report, ArenaId lane, Pieces& pieces)
{
    const std::vector<Life> lives = livesOf(report, lane);
    std::vector<std::int64_t> turns; // where something dies or is born
    for (const Life& life : lives)
        turns.insert(turns.end(), {life.steps.begin, life.steps.end});
    std::ranges::sort(turns);
    turns.erase(std::ranges::unique(turns).begin(), turns.end());
    std::vector<Standing> stack;
    std::int64_t highest = 0;
    auto born = lives.begin();
    for (const std::int64_t step : turns) {
        std::int64_t height = sink(report, stack, step, pieces);
        for (; born != lives.end() && born->steps.begin <= step; ++born) {
            stack.push_back({*born, step, height});
            height += takenBytes(report, born->storage);
        }
        highest = std::max(highest, height);
        if (pieces.pieces.size() > MostPieces) return std::nullopt;
    }
    return highest;
}

} // namespace

void sortBySteps(std::vector<PlanBar>& bars)
{
    const auto begin = [](const PlanBar& bar) { return bar.steps.begin; };
    if (!std::ranges::is_sorted(bars, {}, begin)) sortByKey(bars, begin);
}

std::int64_t takenBytes(const Report& report, StorageId id)
{
    const Storage& storage = report.program.storages[id.index()];
    return alignUp(storage.bytes, report.program.map.arenas[storage.arena.index()].alignment);
}

bool stackByAge(const Report& report, PlanPicture& picture)
{
    Pieces pieces(report, picture.bars);
    std::vector<std::int64_t> heights;
    for (const PlanLane& lane : picture.lanes) {
        const auto height = stackLane(report, lane.arena, pieces);
        if (!height) return false;
        heights.push_back(*height);
    }
    for (std::size_t i = 0; i < heights.size(); ++i) {
        PlanLane& lane = picture.lanes[i];
        const bool near = lane.capacityBytes && *lane.capacityBytes <= lane.extent;
        lane.bytes = heights[i];
        lane.extent = std::max<std::int64_t>({lane.bytes, near ? *lane.capacityBytes : 0, 1});
        lane.reserved.clear();
    }
    picture.bars = std::move(pieces.pieces);
    sortBySteps(picture.bars);
    return true;
}

} // namespace plimsoll
