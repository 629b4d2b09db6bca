#include "core/base/bytes.h"
#include "core/pipeline/stages.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace plimsoll::pipeline {
namespace {

/// Where the bytes of a handle are: in an arena, or in what the caller has.
struct Place
{
    ArenaId arena;
    ValueId host;
    Interval bytes;

    [[nodiscard]] bool known() const { return arena.valid() || host.valid(); }
};

struct HandlesAndPlaces
{
    const Subject& subject;
    const MemoryMap& map;
    std::vector<Handle> handles {};
    std::vector<Place> places {}; ///< By handle.
};

Place placeOf(const HandlesAndPlaces& all, ValueId id)
{
    const ValuePlacement& where = all.map.values[id.index()];
    const std::int64_t bytes = std::max<std::int64_t>(0, all.subject.graph[id].type.bytes().value_or(0));
    if (where.placed()) return {where.arena, {}, {where.offset, where.offset + bytes}};
    if (where.host.valid()) return {{}, where.host, {where.offset, where.offset + bytes}};
    const bool external = all.subject.facts.residence[id.index()] == Residence::External;
    return {{}, external ? id : ValueId(), {0, bytes}};
}

void add(HandlesAndPlaces& all, Handle::Kind kind, std::size_t index, ValueId value)
{
    Handle handle;
    handle.kind = kind;
    handle.index = index;
    handle.value = value;
    all.handles.push_back(std::move(handle));
    all.places.push_back(placeOf(all, value));
}

ValueId rootOf(const HandlesAndPlaces& all, const Handle& handle)
{
    return all.subject.facts.aliases.root[handle.value.index()];
}

void relate(HandlesAndPlaces& all, std::size_t a, std::size_t b)
{
    const bool same = rootOf(all, all.handles[a]) == rootOf(all, all.handles[b]);
    (same ? all.handles[a].together : all.handles[a].aliases).push_back(b);
    (same ? all.handles[b].together : all.handles[b].aliases).push_back(a);
}

/// Sweeps over all places in order of address; the same entry is together wherever it is.
void findPartners(HandlesAndPlaces& all)
{
    std::vector<std::size_t> order(all.handles.size());
    std::iota(order.begin(), order.end(), std::size_t {0});
    const auto key = [&](std::size_t i) {
        return std::tuple(all.places[i].arena, all.places[i].host, all.places[i].bytes.begin, i);
    };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Place& first = all.places[order[i]];
        for (std::size_t j = i + 1; first.known() && j < order.size(); ++j) {
            const Place& second = all.places[order[j]];
            const bool sameRegion = first.arena == second.arena && first.host == second.host;
            if (!sameRegion || second.bytes.begin >= first.bytes.end) break;
            if (overlaps(first.bytes, second.bytes)) relate(all, order[i], order[j]);
        }
    }
    std::map<ValueId, std::vector<std::size_t>> homeless;
    for (std::size_t i = 0; i < all.handles.size(); ++i) {
        const bool swept = all.places[i].known() && !all.places[i].bytes.empty();
        if (!swept) homeless[all.handles[i].value].push_back(i);
    }
    for (const auto& [value, same] : homeless) {
        for (std::size_t i = 0; i < same.size(); ++i) {
            for (std::size_t j = i + 1; j < same.size(); ++j)
                relate(all, same[i], same[j]);
        }
    }
    for (Handle& handle : all.handles) {
        std::sort(handle.together.begin(), handle.together.end());
        std::sort(handle.aliases.begin(), handle.aliases.end());
    }
}

/// Outputs that are something else under another name: a dependence that policies do not part.
void logPassThrough(const Graph& graph, const std::vector<Handle>& handles, const DecisionLog& log)
{
    if (!log.recording()) return;
    for (const Handle& handle : handles) {
        if (handle.kind != Handle::Kind::Output) continue;
        const Value& value = graph[handle.value];
        const bool given = value.role != ValueRole::Intermediate;
        const auto twin = std::find_if(handles.begin(), handles.end(),
                                       [&](const Handle& other) { return other.value == handle.value; });
        const bool again = twin->kind == Handle::Kind::Output && twin->index != handle.index;
        if (!given && !again) continue;
        const word::Number which {handle.index};
        const word::Name name {value.name};
        log.add(
            {DecisionKind::PassThrough,
             value.name,
             {},
             true,
             again ? "same-entry" : "pass-through",
             again ? say("handle.again", which, name, word::Number {twin->index}) : say("handle.given", which, name),
             value.type.bytes().value_or(0)});
    }
}

} // namespace

std::vector<Handle> listHandles(const Subject& subject, const MemoryMap& map, const DecisionLog& log)
{
    const Graph& graph = subject.graph;
    HandlesAndPlaces all {subject, map};
    for (std::size_t i = 0; i < graph.top().outputs.size(); ++i)
        add(all, Handle::Kind::Output, i, graph.top().outputs[i]);
    for (std::size_t i = 0; i < graph.top().inputs.size(); ++i) {
        const ValueId input = graph.top().inputs[i];
        if (graph[input].role == ValueRole::Input && graph[input].visible) add(all, Handle::Kind::Input, i, input);
    }
    findPartners(all);
    const Policies& policies = subject.program.policies;
    const auto isOutput = [&](std::size_t other) { return all.handles[other].kind == Handle::Kind::Output; };
    for (Handle& handle : all.handles) {
        if (handle.kind == Handle::Kind::Input) continue;
        const ValueId root = rootOf(all, handle);
        const bool constant = graph[root].role == ValueRole::Constant;
        handle.writable = policies.outputs != OutputsPolicy::ReadOnly && !constant;
        handle.detaches = policies.outputs == OutputsPolicy::CopyOnWrite && !constant &&
                          std::ranges::any_of(handle.aliases, isOutput);
        const std::int64_t bytes = std::max<std::int64_t>(0, subject.facts.requiredBytes[root.index()]);
        if (handle.detaches) handle.detachBytes = checkedAlignUp(bytes, policies.alignment).value_or(bytes);
    }
    logPassThrough(graph, all.handles, log);
    return std::move(all.handles);
}

} // namespace plimsoll::pipeline
