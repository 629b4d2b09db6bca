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
    [[nodiscard]] bool sameRegion(const Place& other) const { return arena == other.arena && host == other.host; }
};

class HandleFinder
{
public:
    HandleFinder(const Subject& subject, const MemoryMap& map) : m_subject(subject), m_map(map) {}

    std::vector<Handle> run()
    {
        list();
        findPartners();
        for (Handle& handle : m_handles)
            settle(handle);
        return std::move(m_handles);
    }

private:
    void list()
    {
        const Body& top = m_subject.graph.top();
        for (std::size_t i = 0; i < top.outputs.size(); ++i)
            add(Handle::Kind::Output, i, top.outputs[i]);
        for (std::size_t i = 0; i < top.inputs.size(); ++i) {
            const Value& input = m_subject.graph[top.inputs[i]];
            if (input.role == ValueRole::Input && input.visible) add(Handle::Kind::Input, i, top.inputs[i]);
        }
    }

    void add(Handle::Kind kind, std::size_t index, ValueId value)
    {
        Handle handle;
        handle.kind = kind;
        handle.index = index;
        handle.value = value;
        m_handles.push_back(std::move(handle));
        m_places.push_back(placeOf(value));
    }

    [[nodiscard]] Place placeOf(ValueId id) const
    {
        const ValuePlacement& where = m_map.values[id.index()];
        const std::int64_t bytes = std::max<std::int64_t>(0, m_subject.graph[id].type.bytes().value_or(0));
        if (where.placed()) return {where.arena, {}, {where.offset, where.offset + bytes}};
        if (where.host.valid()) return {{}, where.host, {where.offset, where.offset + bytes}};
        const bool external = m_subject.facts.residence[id.index()] == Residence::External;
        return {{}, external ? id : ValueId(), {0, bytes}};
    }

    /// Sweeps over all places in order of address; the same entry is together wherever it is.
    void findPartners()
    {
        std::vector<std::size_t> order(m_handles.size());
        std::iota(order.begin(), order.end(), std::size_t {0});
        const auto key = [this](std::size_t i) {
            return std::tuple(m_places[i].arena, m_places[i].host, m_places[i].bytes.begin, i);
        };
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
        for (std::size_t i = 0; i < order.size(); ++i) {
            const Place& first = m_places[order[i]];
            for (std::size_t j = i + 1; first.known() && j < order.size(); ++j) {
                const Place& second = m_places[order[j]];
                if (!first.sameRegion(second) || second.bytes.begin >= first.bytes.end) break;
                if (overlaps(first.bytes, second.bytes)) relate(order[i], order[j]);
            }
        }
        std::map<ValueId, std::vector<std::size_t>> homeless;
        for (std::size_t i = 0; i < m_handles.size(); ++i) {
            const bool swept = m_places[i].known() && !m_places[i].bytes.empty();
            if (!swept) homeless[m_handles[i].value].push_back(i);
        }
        for (const auto& [value, same] : homeless) {
            for (std::size_t i = 0; i < same.size(); ++i) {
                for (std::size_t j = i + 1; j < same.size(); ++j)
                    relate(same[i], same[j]);
            }
        }
        for (Handle& handle : m_handles) {
            std::sort(handle.together.begin(), handle.together.end());
            std::sort(handle.aliases.begin(), handle.aliases.end());
        }
    }

    void relate(std::size_t a, std::size_t b)
    {
        const bool same = rootOf(m_handles[a]) == rootOf(m_handles[b]);
        (same ? m_handles[a].together : m_handles[a].aliases).push_back(b);
        (same ? m_handles[b].together : m_handles[b].aliases).push_back(a);
    }

    [[nodiscard]] ValueId rootOf(const Handle& handle) const
    {
        return m_subject.facts.aliases.root[handle.value.index()];
    }

    void settle(Handle& handle) const
    {
        if (handle.kind == Handle::Kind::Input) return;
        const Value& root = m_subject.graph[rootOf(handle)];
        const bool constant = root.role == ValueRole::Constant;
        handle.writable = m_subject.program.policies.outputs != OutputsPolicy::ReadOnly && !constant;
        handle.detaches =
            m_subject.program.policies.outputs == OutputsPolicy::CopyOnWrite && !constant && hasOtherOutput(handle);
        if (handle.detaches) handle.detachBytes = bytesToDetach(rootOf(handle));
    }

    [[nodiscard]] bool hasOtherOutput(const Handle& handle) const
    {
        return std::any_of(handle.aliases.begin(), handle.aliases.end(),
                           [this](std::size_t other) { return m_handles[other].kind == Handle::Kind::Output; });
    }

    [[nodiscard]] std::int64_t bytesToDetach(ValueId root) const
    {
        const std::int64_t bytes = std::max<std::int64_t>(0, m_subject.facts.requiredBytes[root.index()]);
        return checkedAlignUp(bytes, m_subject.program.policies.alignment).value_or(bytes);
    }

    const Subject& m_subject;
    const MemoryMap& m_map;
    std::vector<Handle> m_handles;
    std::vector<Place> m_places; ///< By handle.
};

} // namespace

namespace {

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
    std::vector<Handle> handles = HandleFinder(subject, map).run();
    logPassThrough(subject.graph, handles, log);
    return handles;
}

} // namespace plimsoll::pipeline
