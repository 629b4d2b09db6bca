#include "core/picture/groups/turn_differences.h"

#include <algorithm>
#include <map>

namespace plimsoll {
namespace {

using Counts = std::map<std::string_view, int>;
using CountedItems = std::vector<std::pair<std::string_view, int>>;

int countIn(const Counts& counts, std::string_view item)
{
    const auto found = counts.find(item);
    return found == counts.end() ? 0 : found->second;
}

/// Those of \p counts that \p others has fewer of.
CountedItems moreThan(const Counts& counts, const Counts& others)
{
    CountedItems more;
    for (const auto& [item, count] : counts)
        if (const int difference = count - countIn(others, item); difference > 0) more.emplace_back(item, difference);
    return more;
}

/// "+ Conv ×2, Relu"; of many the first.
std::string signedText(const std::string& sign, CountedItems items, const Counts& usual)
{
    constexpr std::size_t Most = 3;
    std::ranges::stable_sort(items, {}, [&](const auto& one) { return countIn(usual, one.first); });
    std::string text;
    for (std::size_t i = 0; i < std::min(items.size(), Most); ++i) {
        text += (i == 0 ? sign + " " : ", ") + std::string(items[i].first);
        if (items[i].second > 1) text += " ×" + std::to_string(items[i].second);
    }
    return text + (items.size() > Most ? " …" : "");
}

} // namespace

std::vector<std::string> differencesOf(const RepeatedBlocks& blocks, const std::vector<std::string_view>& items)
{
    std::vector<Counts> turns;
    std::map<Counts, int> kinds;
    std::size_t at = blocks.begin;
    for (const std::size_t end : blocks.ends) {
        Counts& counts = turns.emplace_back();
        while (at < end)
            ++counts[items[at++]];
        ++kinds[counts];
    }
    const auto frequency = [](const auto& kind) { return kind.second; };
    const Counts usual = kinds.empty() ? Counts() : std::ranges::max_element(kinds, {}, frequency)->first;
    std::vector<std::string> texts;
    for (const Counts& counts : turns) {
        const std::string more = signedText("+", moreThan(counts, usual), usual);
        const std::string fewer = signedText("−", moreThan(usual, counts), usual);
        texts.push_back(more + (more.empty() || fewer.empty() ? "" : " ") + fewer);
    }
    return texts;
}

} // namespace plimsoll
