#include "core/placement/search/section.h"

#include "core/base/narrow.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace plimsoll {
namespace {

/// Whether two pins that meet in time share a byte: then their sizes do not add up to a bound.
bool pinsClash(const Section& section)
{
    struct Event
    {
        std::int32_t rank = 0;
        bool begins = false;
        std::uint32_t item = 0;
    };
    std::vector<Event> events;
    for (std::uint32_t item = 0; item < section.count(); ++item) {
        if (!section.pinned(item)) continue;
        for (const RankSpan piece : section.piecesOf(item)) {
            events.push_back({piece.begin, true, item});
            events.push_back({piece.end, false, item});
        }
    }
    std::sort(events.begin(), events.end(),
              [](const Event& a, const Event& b) { return a.rank != b.rank ? a.rank < b.rank : a.begins < b.begins; });
    std::map<std::int64_t, std::int64_t> live; // offset → end
    for (const Event& event : events) {
        const std::int64_t offset = section.pins[event.item];
        const std::int64_t end = offset + section.sizes[event.item];
        if (!event.begins) {
            live.erase(offset);
            continue;
        }
        const auto above = live.lower_bound(offset);
        if (above != live.end() && above->first < end) return true;
        if (above != live.begin() && std::prev(above)->second > offset) return true;
        live.emplace(offset, end);
    }
    return false;
}

std::vector<std::int64_t> loadWhere(const Section& section, bool withPins)
{
    std::vector<std::int64_t> load(static_cast<std::size_t>(section.ranks) + 1, 0);
    for (std::size_t item = 0; item < section.count(); ++item) {
        if (!withPins && section.pinned(item)) continue;
        for (const RankSpan piece : section.piecesOf(item)) {
            load[static_cast<std::size_t>(piece.begin)] += section.sizes[item];
            load[static_cast<std::size_t>(piece.end)] -= section.sizes[item];
        }
    }
    std::partial_sum(load.begin(), load.end(), load.begin());
    load.pop_back();
    return load;
}

} // namespace

void computeBound(Section& section)
{
    section.bound = 0;
    bool sound = true;
    if (!section.pins.empty()) {
        for (std::size_t item = 0; item < section.count(); ++item) {
            if (section.pinned(item)) section.bound = std::max(section.bound, section.pins[item] + section.sizes[item]);
        }
        sound = !pinsClash(section);
    }
    for (const std::int64_t load : loadWhere(section, sound))
        section.bound = std::max(section.bound, load);
}

std::vector<std::int64_t> loadOf(const Section& section)
{
    return loadWhere(section, true);
}

void finishSection(Section& section)
{
    std::vector<std::int32_t> rankOf(static_cast<std::size_t>(section.ranks) + 2, 0);
    const auto each = [&section](auto&& visit) {
        for (RankSpan& hull : section.hulls)
            visit(hull);
        for (RankSpan& piece : section.pieces)
            visit(piece);
    };
    each([&](const RankSpan& span) { rankOf[static_cast<std::size_t>(span.begin) + 1] = 1; });
    std::partial_sum(rankOf.begin(), rankOf.end(), rankOf.begin()); // births before each old rank
    section.ranks = rankOf.back();
    each([&](RankSpan& span) {
        span.begin = rankOf[static_cast<std::size_t>(span.begin)];
        span.end = rankOf[static_cast<std::size_t>(span.end)];
    });
    computeBound(section);
}

Section subset(const Section& section, std::span<const std::uint32_t> items)
{
    Section part;
    part.unit = section.unit;
    part.ranks = section.ranks;
    part.hulls.reserve(items.size());
    part.sizes.reserve(items.size());
    part.ids.reserve(items.size());
    const auto pick = [items](const auto& from, auto& to) {
        if (from.empty()) return;
        to.reserve(items.size());
        for (const std::uint32_t item : items)
            to.push_back(from[item]);
    };
    pick(section.hulls, part.hulls);
    pick(section.sizes, part.sizes);
    pick(section.alignment, part.alignment);
    pick(section.pins, part.pins);
    pick(section.ids, part.ids);
    if (section.pieceAt.empty()) return part;
    for (const std::uint32_t item : items) {
        part.pieceAt.push_back(narrow<std::uint32_t>(part.pieces.size()));
        const auto pieces = section.piecesOf(item);
        part.pieces.insert(part.pieces.end(), pieces.begin(), pieces.end());
    }
    part.pieceAt.push_back(narrow<std::uint32_t>(part.pieces.size()));
    return part;
}

Section cutOut(const Section& all, std::size_t first, std::size_t last)
{
    std::vector<std::uint32_t> items(last - first);
    std::iota(items.begin(), items.end(), static_cast<std::uint32_t>(first));
    Section part = subset(all, items);
    std::int32_t begin = all.ranks;
    std::int32_t end = 0;
    for (const RankSpan hull : part.hulls) {
        begin = std::min(begin, hull.begin);
        end = std::max(end, hull.end);
    }
    const auto shift = [begin](std::vector<RankSpan>& spans) {
        for (RankSpan& span : spans)
            span = {span.begin - begin, span.end - begin};
    };
    shift(part.hulls);
    shift(part.pieces);
    part.ranks = end - begin;
    finishSection(part);
    return part;
}

} // namespace plimsoll
