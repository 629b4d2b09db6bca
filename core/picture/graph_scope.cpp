#include "core/picture/graph_scope.h"

#include "core/base/grouped.h"
#include "core/base/narrow.h"

#include <limits>
#include <unordered_map>

namespace plimsoll {
namespace {

constexpr int AnyDistance = std::numeric_limits<int>::max();

/// Arrows by the box they leave and by the box they reach.
struct Ways
{
    explicit Ways(const GraphPicture& of)
        : picture(of),
          down(positionsBy(of.boxes.size(), of.arrows.size(), [&](std::size_t i) { return of.arrows[i].from; })),
          up(positionsBy(of.boxes.size(), of.arrows.size(), [&](std::size_t i) { return of.arrows[i].to; }))
    {
    }
    const GraphPicture& picture;
    Grouped<std::int32_t> down;
    Grouped<std::int32_t> up;
};

/// Boxes at most \p hops arrows from \p start, along arrows, against them, or both. Events carry nothing.
std::vector<char> reached(const Ways& ways, std::int32_t start, int hops, bool along, bool against)
{
    std::vector<char> found(ways.picture.boxes.size(), 0);
    if (start < 0) return found;
    found[start] = 1;
    std::vector<std::int32_t> border = {start};
    for (int hop = 0; hop < hops && !border.empty(); ++hop) {
        std::vector<std::int32_t> next;
        const auto visit = [&](std::int32_t arrow, std::int32_t box) {
            if (ways.picture.arrows[arrow].values == 0 || found[box]) return;
            found[box] = 1;
            next.push_back(box);
        };
        for (const std::int32_t box : border) {
            for (const std::int32_t arrow : along ? ways.down[box] : std::span<const std::int32_t>())
                visit(arrow, ways.picture.arrows[arrow].to);
            for (const std::int32_t arrow : against ? ways.up[box] : std::span<const std::int32_t>())
                visit(arrow, ways.picture.arrows[arrow].from);
        }
        border = std::move(next);
    }
    return found;
}

std::int32_t boxOf(const GraphPicture& picture, const GraphPlace& place)
{
    if (place.node.valid())
        return place.node.index() < picture.boxOfNode.size() ? picture.boxOfNode[place.node.index()] : -1;
    return place.value.valid() && place.value.index() < picture.boxOfValue.size()
               ? picture.boxOfValue[place.value.index()]
               : -1;
}

/// What is below the one and above the other; nothing where there is no way that way round.
std::vector<char> between(const Ways& ways, std::int32_t from, std::int32_t to)
{
    std::vector<char> found = reached(ways, from, AnyDistance, true, false);
    const std::vector<char> above = reached(ways, to, AnyDistance, false, true);
    for (std::size_t i = 0; i < found.size(); ++i)
        found[i] = static_cast<char>(found[i] && above[i]);
    return found;
}

} // namespace

std::vector<char> boxesInScope(const GraphPicture& picture, const GraphScope& scope)
{
    if (scope.whole()) return std::vector<char>(picture.boxes.size(), 1);
    const Ways ways(picture);
    const std::int32_t at = boxOf(picture, scope.at);
    if (scope.kind != ScopeKind::Path) {
        const bool around = scope.kind == ScopeKind::Around;
        return reached(ways, at, around ? scope.hops : AnyDistance, around || scope.kind == ScopeKind::Uses,
                       around || scope.kind == ScopeKind::Sources);
    }
    const std::int32_t other = boxOf(picture, scope.other);
    std::vector<char> found = between(ways, at, other);
    if (at >= 0 && other >= 0 && !found[at]) found = between(ways, other, at);
    return found;
}

std::vector<char> boxesStandingFor(const GraphPicture& open, const std::vector<char>& kept, const GraphPicture& shown)
{
    std::vector<char> found(shown.boxes.size(), 0);
    const auto raise = [&](std::int32_t box) {
        if (box >= 0) found[box] = 1;
    };
    std::unordered_map<std::int32_t, std::int32_t> bodyStarts; // body → box
    for (std::size_t i = shown.boxes.size(); i-- > 0;) {
        const GraphBox& box = shown.boxes[i];
        if (box.kind == BoxKind::BodyStart) bodyStarts[box.body.number()] = narrow<std::int32_t>(i);
    }
    for (std::size_t i = 0; i < open.boxes.size(); ++i) {
        const GraphBox& box = open.boxes[i];
        if (!kept[i] || box.kind == BoxKind::Output) continue;
        const auto start = box.kind == BoxKind::BodyStart ? bodyStarts.find(box.body.number()) : bodyStarts.end();
        if (start != bodyStarts.end())
            raise(start->second);
        else
            raise(box.node.valid() ? shown.boxOfNode[box.node.index()] : shown.boxOfValue[box.value.index()]);
    }
    for (std::size_t i = 0; i < open.boxOfOutput.size(); ++i)
        if (open.boxOfOutput[i] >= 0 && kept[open.boxOfOutput[i]]) raise(shown.boxOfOutput[i]);
    return found;
}

GraphPicture onlyBoxes(const GraphPicture& picture, const std::vector<char>& kept)
{
    GraphPicture rest;
    rest.frames = picture.frames;
    std::vector<std::int32_t> now(picture.boxes.size(), -1);
    for (std::size_t i = 0; i < picture.boxes.size(); ++i) {
        if (!kept[i]) continue;
        now[i] = narrow<std::int32_t>(rest.boxes.size());
        rest.boxes.push_back(picture.boxes[i]);
    }
    for (GraphArrow arrow : picture.arrows) {
        arrow.from = now[arrow.from];
        arrow.to = now[arrow.to];
        if (arrow.from >= 0 && arrow.to >= 0) rest.arrows.push_back(arrow);
    }
    const auto moved = [&](const std::vector<std::int32_t>& boxes) {
        std::vector<std::int32_t> result;
        result.reserve(boxes.size());
        for (const std::int32_t box : boxes)
            result.push_back(box < 0 ? -1 : now[box]);
        return result;
    };
    rest.boxOfNode = moved(picture.boxOfNode);
    rest.boxOfValue = moved(picture.boxOfValue);
    rest.boxOfOutput = moved(picture.boxOfOutput);
    return rest;
}

} // namespace plimsoll
