#include "core/picture/groups/near_turns.h"

#include <algorithm>
#include <numeric>

namespace plimsoll {
namespace {

/// A cut through half a tensor more weighs as much as this part of a turn.
constexpr std::size_t FlowShare = 4;

std::vector<std::int32_t> mirrored(Codes codes)
{
    return {codes.rbegin(), codes.rend()};
}

/// How long \p text goes on like \p pattern.
std::size_t commonLength(Codes pattern, Codes text)
{
    const std::size_t most = std::min(pattern.size(), text.size());
    const auto end = pattern.begin() + static_cast<std::ptrdiff_t>(most);
    return static_cast<std::size_t>(std::mismatch(pattern.begin(), end, text.begin()).first - pattern.begin());
}

/// Of length 0 where the text does not begin like the pattern.
Turn firstTurn(Codes pattern, const TurnText& text, std::size_t& work)
{
    const std::size_t period = pattern.size();
    if (commonLength(pattern, text.items) == period) return {period, 0};
    const std::size_t most = mostEdits(period);
    std::vector<std::size_t> row(period + 1); // row[j]: edits from the first j of the pattern to the text so far
    std::iota(row.begin(), row.end(), 0);
    Turn best;
    std::int64_t mostAgreed = 0;
    for (std::size_t i = 1; i <= std::min(text.items.size(), period + most); ++i) {
        const std::size_t first = i > most ? i - most : 1;
        const std::size_t last = std::min(period, i + most);
        std::size_t diagonal = row[first - 1];
        row[first - 1] = first == 1 ? i : most + 1;
        for (std::size_t j = first; j <= last; ++j) {
            const std::size_t above = j == i + most ? most + 1 : row[j];
            const std::size_t replaced = diagonal + (text.items[i - 1] == pattern[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, above + 1, row[j - 1] + 1});
        }
        work += last - first + 1;
        if (std::ranges::min(std::span(row).subspan(first, last - first + 1)) > most) break;
        if (last < period || row[period] > most) continue;
        const std::size_t flow = text.flow.empty() ? 0 : text.flow[i - 1] * period / FlowShare;
        const auto agrees = static_cast<std::int64_t>(commonLength(pattern, text.items.subspan(i))) -
                            static_cast<std::int64_t>(EditWeight * row[period] + flow);
        if (best.length > 0 && agrees <= mostAgreed) continue;
        best = {i, row[period]};
        mostAgreed = agrees;
    }
    return best;
}

} // namespace

std::vector<Turn> turnsAfter(Codes pattern, const TurnText& text, std::size_t& work)
{
    std::vector<Turn> turns;
    for (TurnText rest = text; !rest.items.empty();) {
        const Turn turn = firstTurn(pattern, rest, work);
        if (turn.length == 0) break;
        turns.push_back(turn);
        rest.items = rest.items.subspan(turn.length);
        if (!rest.flow.empty()) rest.flow = rest.flow.subspan(turn.length);
    }
    while (!turns.empty() && turns.back().edits > pattern.size() / 4) // likely no turn, what is behind it is none
        turns.pop_back();
    return turns;
}

std::vector<Turn> turnsBefore(Codes pattern, const TurnText& text, std::size_t& work)
{
    const std::vector<std::int32_t> items = mirrored(text.items);
    std::vector<int> flow; // behind an item of the mirrored text is before it
    if (!text.flow.empty()) flow.assign(text.flow.rbegin() + 1, text.flow.rend());
    if (!text.flow.empty()) flow.push_back(0);
    return turnsAfter(mirrored(pattern), {items, flow}, work);
}

} // namespace plimsoll
