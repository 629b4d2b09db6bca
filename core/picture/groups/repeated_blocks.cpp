#include "core/picture/groups/repeated_blocks.h"

#include "core/base/narrow.h"
#include "core/picture/groups/near_turns.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <unordered_map>

namespace plimsoll {
namespace {

constexpr std::size_t ShortestPeriod = 4;
constexpr std::size_t FewestCovered = 16;
/// Comparisons for a whole graph; one of 100,000 nodes gets periods up to 200. A part of it gets as large a part of
/// them.
constexpr std::size_t MostWork = 20'000'000;
/// Cells of tables for a whole graph.
constexpr std::size_t MostCells = 5'000'000;
/// Parts that are searched anew take no more than this many times the work of the whole graph.
constexpr std::size_t MostAnew = 3;
/// A longer period must explain this much more than a shorter one…
constexpr double WorthLonger = 1.1;
/// …and one whose turns differ this much more than one that loses less to its ends.
constexpr double MuchMore = 1.2;

/// Turns that differ: fewest of them, of different operators in one…
constexpr std::size_t FewestNearTurns = 3;
constexpr std::size_t FewestOperators = 3;
/// …and equal items without the pattern's own, less two for each difference. Chance hardly reaches it.
constexpr std::int64_t LeastEvidence = 24;
/// A turn begins elsewhere than its run where more than this less flows (RunFlow::behind): half a tensor.
constexpr int FewestSaved = 1;
/// Averages that differ by less are the same.
constexpr double SameFlow = 0.5;
/// Periods that are followed, those with the longest runs.
constexpr std::size_t NearSeeds = 6;

/// A stretch in which most items equal those a period later.
struct Seed
{
    std::size_t begin = 0;
    std::size_t period = 0;
    std::size_t run = 0; ///< Items that have their equal a period later.
    std::int64_t score = 0;
};

/// Turns that were followed from a seed.
struct Found
{
    RepeatedBlocks blocks;
    std::size_t equal = 0; ///< Turns without a difference.
    std::int64_t evidence = 0;
    double flow = 0; ///< On average between its turns.
    [[nodiscard]] std::size_t covers() const { return blocks.count == 0 ? 0 : blocks.ends.back() - blocks.begin; }
};

/// Explains clearly more; or about as much with less flowing between its turns; or as much with shorter ones.
bool isBetter(const Found& one, const Found& other)
{
    const auto covers = static_cast<double>(one.covers());
    const auto otherCovers = static_cast<double>(other.covers());
    if (covers >= MuchMore * otherCovers) return true;
    if (otherCovers >= MuchMore * covers) return false;
    if (std::abs(one.flow - other.flow) > SameFlow) return one.flow < other.flow;
    return one.blocks.period < other.blocks.period;
}

/// Seeds of one range: the longest equal run, and the best of differing ones.
struct Seeds
{
    std::optional<Seed> equal;
    std::vector<Seed> near; ///< By score.
};

/// By item: how many from it on are equal.
std::vector<std::size_t> equalFrom(Codes codes)
{
    std::vector<std::size_t> lengths(codes.size(), 1);
    for (std::size_t i = codes.size(); i-- > 1;)
        if (codes[i - 1] == codes[i]) lengths[i - 1] = lengths[i] + 1;
    return lengths;
}

/// Enough turns that differ, of enough operators, with enough in common.
bool isRepeat(Codes codes, const Found& found)
{
    if (found.blocks.count < FewestNearTurns || found.evidence < LeastEvidence) return false;
    const Codes turn = codes.subspan(found.blocks.begin, found.blocks.ends.front() - found.blocks.begin);
    return std::set<std::int32_t>(turn.begin(), turn.end()).size() >= FewestOperators;
}

/// On average past the borders between turns, if those were so much later.
double flowBetween(std::span<const int> cost, const RepeatedBlocks& blocks, std::size_t shift)
{
    double sum = 0;
    for (std::size_t i = 0; i + 1 < blocks.count && !cost.empty(); ++i)
        sum += cost[std::min(blocks.ends[i] + shift, cost.size()) - 1];
    return sum / static_cast<double>(std::max<std::size_t>(blocks.count, 2) - 1);
}

class BlockFinder
{
public:
    BlockFinder(Codes codes, const RunFlow& flow) : m_codes(codes), m_equalFrom(equalFrom(codes)), m_flow(flow) {}

    void search(std::size_t begin, std::size_t end, std::vector<RepeatedBlocks>& found)
    {
        if (begin == end) return;
        const Found best = bestIn(begin, end);
        if (best.blocks.count == 0) return;
        search(begin, best.blocks.begin, found);
        found.push_back(best.blocks);
        search(best.blocks.ends.back(), end, found);
    }

private:
    /// Of all stretches of [begin, end) with one period, the longest run of equal items, and the best of mostly equal
    /// ones (J. Kadane's algorithm). One operator over and over again says nothing.
    [[nodiscard]] std::pair<Seed, Seed> seedsOf(std::size_t begin, std::size_t end, std::size_t period) const
    {
        Seed equal {.begin = begin, .period = period};
        Seed near = equal;
        std::size_t run = 0;
        std::size_t nearBegin = begin;
        std::int64_t score = 0;
        for (std::size_t i = begin; i + period < end; ++i) {
            const bool same = m_codes[i] == m_codes[i + period] && m_equalFrom[i] <= period;
            run = same ? run + 1 : 0;
            score += same ? 1 : -narrow<std::int64_t>(EditWeight);
            if (score <= 0) {
                score = 0;
                nearBegin = i + 1;
            }
            if (run / period > equal.run / period)
                equal = {i + 1 - run, period, run, 0};
            else if (run > equal.run && equal.begin + run == i + 1)
                equal.run = run;
            if (score > near.score) near = {nearBegin, period, i + 1 - nearBegin, score};
        }
        return {equal, near};
    }

    [[nodiscard]] Seeds seedsIn(std::size_t begin, std::size_t end)
    {
        Seeds seeds;
        std::size_t covered = 0;
        const std::size_t size = end - begin;
        const std::size_t longest = std::min(size / 2, MostWork / m_codes.size());
        m_work += size * longest;
        if (m_work > MostAnew * MostWork) return seeds;
        for (std::size_t period = ShortestPeriod; period <= longest; ++period) {
            const auto [equal, near] = seedsOf(begin, end, period);
            if (mostEdits(period) > 0 && 2 * near.score > narrow<std::int64_t>(period)) seeds.near.push_back(near);
            if (equal.run < period) continue;
            const std::size_t covers = (equal.run / period + 1) * period;
            if (covers < FewestCovered || static_cast<double>(covers) < WorthLonger * static_cast<double>(covered))
                continue;
            seeds.equal = equal;
            covered = covers;
        }
        std::ranges::stable_sort(seeds.near, std::ranges::greater(), &Seed::score);
        return seeds;
    }

    Found bestIn(std::size_t begin, std::size_t end)
    {
        const Seeds seeds = seedsIn(begin, end);
        Found best;
        if (seeds.equal) best = follow(*seeds.equal, seeds.equal->run / seeds.equal->period + 1, begin, end);
        m_cells = 0;
        const std::size_t mostCells = MostCells / m_codes.size() * (end - begin);
        std::vector<std::size_t> tried;
        for (const Seed& seed : seeds.near) {
            if (tried.size() == NearSeeds || m_cells > mostCells) break;
            if (std::ranges::any_of(tried, [&](std::size_t one) { return seed.period % one == 0; })) continue;
            tried.push_back(seed.period);
            Found near = follow(seed, FewestNearTurns, begin, end);
            if (isRepeat(m_codes, near) && isBetter(near, best)) best = std::move(near);
        }
        return best;
    }

    /// Turns from a seed on, to both sides; then shifted to where least flows between them, unless that would leave
    /// fewer than \p fewest.
    Found follow(const Seed& seed, std::size_t fewest, std::size_t begin, std::size_t end)
    {
        if (m_flow.nodes > 0) m_cost = m_flow.behind(2 * seed.period);
        Found found = turnsLike(seed.begin, seed.period, begin, end);
        for (const std::size_t most : {seed.period - 1, seed.run % seed.period}) {
            const std::size_t shift = shiftOf(found.blocks, most);
            if (shift == 0 || seed.begin + shift + seed.period > end) continue;
            Found shifted = turnsLike(seed.begin + shift, seed.period, begin, end);
            if ((seed.score == 0 ? shifted.equal : shifted.blocks.count) >= fewest) return shifted;
        }
        return found;
    }

    /// By how much to begin turns later, up to \p most, for least to flow between them; 0 where that saves little.
    [[nodiscard]] std::size_t shiftOf(const RepeatedBlocks& blocks, std::size_t most) const
    {
        std::size_t best = 0;
        double least = flowBetween(m_cost, blocks, 0) - FewestSaved;
        for (std::size_t shift = 1; shift <= most; ++shift) {
            const double flow = flowBetween(m_cost, blocks, shift);
            if (flow >= least) continue;
            best = shift;
            least = flow;
        }
        return best;
    }

    [[nodiscard]] TurnText textOf(std::size_t begin, std::size_t end) const
    {
        TurnText text {m_codes.subspan(begin, end - begin), {}};
        if (!m_cost.empty()) text.flow = std::span(m_cost).subspan(begin, end - begin);
        return text;
    }

    /// The turns around the stretch that begins at \p from.
    Found turnsLike(std::size_t from, std::size_t period, std::size_t begin, std::size_t end)
    {
        const Codes pattern = m_codes.subspan(from, period);
        const std::vector<Turn> before = turnsBefore(pattern, textOf(begin, from), m_cells);
        const std::vector<Turn> after = turnsAfter(pattern, textOf(from, end), m_cells);
        Found found {{.begin = from, .period = period, .count = before.size() + after.size(), .ends = {}},
                     0,
                     -narrow<std::int64_t>(period)};
        for (const Turn& turn : before)
            found.blocks.begin -= turn.length;
        std::size_t at = found.blocks.begin;
        const auto add = [&](const Turn& turn) {
            found.blocks.ends.push_back(at += turn.length);
            found.equal += turn.edits == 0 ? 1 : 0;
            found.evidence +=
                narrow<std::int64_t>(std::max(turn.length, period)) - narrow<std::int64_t>(EditWeight * turn.edits);
        };
        std::ranges::for_each(before.rbegin(), before.rend(), add);
        std::ranges::for_each(after, add);
        found.flow = flowBetween(m_cost, found.blocks, 0);
        return found;
    }

    Codes m_codes;
    std::vector<std::size_t> m_equalFrom; ///< By item.
    const RunFlow& m_flow;
    std::vector<int> m_cost; ///< Of a cut behind each item, for the period that is followed. Empty: not known.
    std::size_t m_work = 0;
    std::size_t m_cells = 0;
};

} // namespace

std::vector<RepeatedBlocks> findRepeatedBlocks(const std::vector<std::string_view>& items, const RunFlow& flow)
{
    std::unordered_map<std::string_view, std::int32_t> numbers;
    std::vector<std::int32_t> codes;
    codes.reserve(items.size());
    for (std::string_view item : items)
        codes.push_back(numbers.emplace(item, narrow<std::int32_t>(numbers.size())).first->second);
    std::vector<RepeatedBlocks> found;
    BlockFinder(codes, flow).search(0, codes.size(), found);
    return found;
}

} // namespace plimsoll
