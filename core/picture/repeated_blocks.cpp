#include "core/picture/repeated_blocks.h"

#include "core/base/narrow.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>

namespace plimsoll {
namespace {

constexpr std::size_t ShortestPeriod = 4;
constexpr std::size_t FewestCovered = 16;
/// Comparisons in all; a graph of 100,000 nodes gets periods up to 200.
constexpr std::size_t MostWork = 20'000'000;
/// A longer period must explain this much more than a shorter one.
constexpr double WorthLonger = 1.1;

using Codes = std::vector<std::int32_t>;

/// The longest run in [begin, end) in which every item equals the one a period later.
RepeatedBlocks longestRun(const Codes& codes, std::size_t begin, std::size_t end, std::size_t period)
{
    RepeatedBlocks best {begin, period, 0};
    std::size_t run = 0;
    for (std::size_t i = begin; i + period < end; ++i) {
        run = codes[i] == codes[i + period] ? run + 1 : 0;
        const std::size_t count = run == 0 ? 0 : run / period + 1;
        if (count > best.count && count >= 2) best = {i + 1 - run, period, count};
    }
    return best;
}

void search(const Codes& codes, std::size_t begin, std::size_t end, std::size_t& work,
            std::vector<RepeatedBlocks>& found)
{
    const std::size_t size = end - begin;
    RepeatedBlocks best;
    std::size_t covered = 0;
    for (std::size_t period = ShortestPeriod; period <= size / 2 && work + size <= MostWork; ++period) {
        work += size;
        const RepeatedBlocks run = longestRun(codes, begin, end, period);
        const std::size_t covers = run.count * run.period;
        if (covers < FewestCovered || static_cast<double>(covers) < WorthLonger * static_cast<double>(covered))
            continue;
        const auto block = std::span(codes).subspan(run.begin, run.period);
        const auto isFirst = [&](std::int32_t code) { return code == block.front(); };
        if (std::ranges::all_of(block, isFirst)) continue; // one operator over and over again says nothing
        best = run;
        covered = covers;
    }
    if (covered == 0) return;
    search(codes, begin, best.begin, work, found);
    found.push_back(best);
    search(codes, best.begin + covered, end, work, found);
}

} // namespace

std::vector<RepeatedBlocks> findRepeatedBlocks(const std::vector<std::string_view>& items)
{
    std::unordered_map<std::string_view, std::int32_t> numbers;
    Codes codes;
    codes.reserve(items.size());
    for (std::string_view item : items)
        codes.push_back(numbers.emplace(item, narrow<std::int32_t>(numbers.size())).first->second);
    std::vector<RepeatedBlocks> found;
    std::size_t work = 0;
    search(codes, 0, codes.size(), work, found);
    return found;
}

} // namespace plimsoll
