#include "core/sharing/storage_table.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <limits>

namespace plimsoll {
namespace {

/// From the input to the output.
std::int64_t shiftOf(const SubBuffer& part)
{
    return part.inputIsPart ? -part.offsetBytes : part.offsetBytes;
}

} // namespace

StorageTable::StorageTable(const Graph& graph, const ValueFacts& facts)
    : m_graph(graph), m_facts(facts), m_storages(graph.values.size()), m_storedWith(graph.values.size()),
      m_sameContent(graph.values.size()), m_storageOf(graph.values.size()),
      m_contentOf(graph.values.size(), graph.values.size()), m_offset(facts.aliases.offset)
{
    m_contents.reserve(graph.values.size());
    for (std::size_t value = 0; value < graph.values.size(); ++value)
        placeInitially(ValueId(value), facts.aliases);
    for (std::size_t value = 0; value < graph.values.size(); ++value) {
        Content& content = m_contents[m_contentOf[value]];
        content.live.add(facts.live[value]);
        m_sameContent.append(content.last, ValueId(value));
        extend(m_contentOf[value], ValueId(value));
    }
    for (std::size_t value = 0; value < graph.values.size(); ++value) {
        JoinedStorage& storage = m_storages[m_storageOf[value]];
        const std::size_t content = m_contentOf[value];
        if (originOf(ValueId(value)) == ValueId(value)) insertSlot(storage, content);
    }
}

void StorageTable::placeInitially(ValueId value, const AliasSets& aliases)
{
    const std::size_t index = value.index();
    m_storageOf[index] = aliases.root[index].index();
    JoinedStorage& storage = m_storages[m_storageOf[index]];
    m_storedWith.append(storage.last, value);
    storage.live.add(m_facts.live[index]);
    const auto end = checkedAdd(m_offset[index], std::max<std::int64_t>(0, m_facts.requiredBytes[index]));
    storage.bytes =
        std::max(storage.bytes, end.value_or(std::numeric_limits<std::int64_t>::max())); // placement refuses it
    storage.outputs += m_facts.isOutput[index] ? 1 : 0;
    // A view shows the content of what it looks at; climb to the first that has one of its own.
    const std::size_t none = m_contentOf.size();
    std::size_t shown = index;
    while (m_contentOf[shown] == none && aliases.kind[shown] == AliasKind::View)
        shown = aliases.source[shown].index();
    if (m_contentOf[shown] == none) {
        m_contentOf[shown] = m_contents.size();
        m_contents.emplace_back();
    }
    for (std::size_t view = index; view != shown; view = aliases.source[view].index())
        m_contentOf[view] = m_contentOf[shown];
}

void StorageTable::insertSlot(JoinedStorage& storage, std::size_t content)
{
    const Interval hull = m_contents[content].live.hull();
    const auto place = std::upper_bound(storage.slots.begin(), storage.slots.end(), hull.begin,
                                        [](std::int64_t begin, const Slot& slot) { return begin < slot.begin; });
    const auto from = static_cast<std::size_t>(place - storage.slots.begin());
    storage.slots.insert(place, {hull.begin, hull.end, content});
    refreshEnds(storage, from);
}

void StorageTable::refreshEnds(JoinedStorage& storage, std::size_t from)
{
    for (std::size_t slot = from; slot < storage.slots.size(); ++slot) {
        const std::int64_t end = m_contents[storage.slots[slot].content].live.hull().end;
        storage.slots[slot].endSoFar = slot == 0 ? end : std::max(end, storage.slots[slot - 1].endSoFar);
    }
}

ValueId StorageTable::hostOf(ValueId value) const
{
    const std::size_t root = storageOf(value); // a storage keeps the number of the root that it began with
    return m_facts.residence[root] == Residence::External ? ValueId(root) : ValueId();
}

std::int64_t StorageTable::bytesWhenJoined(ValueId input, ValueId output) const
{
    const std::int64_t shift = offsetOf(input) - offsetOf(output);
    const auto end = checkedAdd(shift, m_storages[storageOf(output)].bytes);
    return std::max(bytesOf(input), end.value_or(std::numeric_limits<std::int64_t>::max()));
}

ValueId StorageTable::survivor(ValueId value, std::int64_t step) const
{
    const auto outlives = [&](ValueId other) {
        const Value& v = m_graph[other];
        const bool stays = v.role == ValueRole::Parameter || (v.role == ValueRole::Input && v.visible);
        if (m_facts.isOutput[other.index()] || stays) return true; // the caller looks at it, or has it for the next run
        return m_facts.live[other.index()].contains(step + 1) && m_facts.renewedAt[other.index()] != step + 1;
    };
    if (outlives(value)) return value;
    const std::vector<ValueId> values = m_sameContent.values(m_contents[contentOf(value)].last);
    const auto found = std::find_if(values.begin(), values.end(), outlives);
    return found == values.end() ? ValueId() : *found;
}

bool StorageTable::contentHas(ValueId value, const std::vector<bool>& marks) const
{
    return std::ranges::any_of(m_sameContent.values(m_contents[contentOf(value)].last),
                               [&](ValueId one) { return one.index() < marks.size() && marks[one.index()]; });
}

void StorageTable::extend(std::size_t content, ValueId value)
{
    Interval& bytes = m_contents[content].bytes;
    const std::int64_t begin = offsetOf(value);
    const std::int64_t size = std::max<std::int64_t>(0, m_facts.requiredBytes[value.index()]);
    constexpr std::int64_t Far = std::numeric_limits<std::int64_t>::max() / 4; // clash() shifts it
    const std::int64_t end = checkedAdd(begin, size).value_or(Far);
    bytes = bytes.empty() ? Interval {begin, end} : Interval {std::min(bytes.begin, begin), std::max(bytes.end, end)};
}

/// Whether the one is a part of the other, in its place.
bool StorageTable::lieInside(const Meeting& meeting, const std::vector<Inset>& insets) const
{
    return std::ranges::any_of(insets, [&](const Inset& inset) {
        const std::size_t part = contentOf(inset.part);
        const std::size_t whole = contentOf(inset.whole);
        if (std::minmax(part, whole) != std::minmax(meeting.left, meeting.right)) return false;
        const std::int64_t shift = part == meeting.right ? meeting.shift : -meeting.shift;
        return offsetOf(inset.part) + shift == offsetOf(inset.whole) + inset.offset;
    });
}

/// Whether both are alive at a step where neither hands over to the other, in the same place.
bool StorageTable::clash(const Meeting& meeting, const Proposal& proposal) const
{
    const Content& left = m_contents[meeting.left];
    const LiveRanges& right = m_contents[meeting.right].live;
    if (!overlaps(left.live, right)) return false;
    const Interval bytes = m_contents[meeting.right].bytes;
    const bool apart = !overlaps(left.bytes, Interval {bytes.begin + meeting.shift, bytes.end + meeting.shift});
    if (apart || lieInside(meeting, left.insets) || lieInside(meeting, proposal.insets)) return false;
    std::vector<std::int64_t> steps;
    const auto consider = [&](const Handover& handover) {
        const bool between = contentOf(handover.own) == meeting.left && contentOf(handover.other) == meeting.right;
        if (between && offsetOf(handover.own) == offsetOf(handover.other) + meeting.shift)
            steps.push_back(handover.step);
    };
    if (proposal.handover.own.valid()) consider(proposal.handover);
    for (const Handover& handover : left.handovers) {
        const bool known = std::find(steps.begin(), steps.end(), handover.step) != steps.end();
        if (!known) consider(handover);
    }
    for (const Interval one : left.live.intervals()) {
        for (const Interval other : right.intervals()) {
            const Interval both = intersection(one, other);
            if (both.length() > std::ranges::count_if(steps, [&](auto step) { return both.contains(step); }))
                return true;
        }
    }
    return false;
}

/// Every content of the one storage against every content of the other.
bool StorageTable::fits(ValueId input, ValueId output, const Proposal& proposal) const
{
    const JoinedStorage& left = m_storages[storageOf(input)];
    const JoinedStorage& right = m_storages[storageOf(output)];
    const std::int64_t shift = offsetOf(input) + proposal.shift - offsetOf(output);
    for (const Slot& slot : right.slots) {
        for (auto other = left.slots.rbegin(); other != left.slots.rend() && other->endSoFar > slot.begin; ++other) {
            const bool same =
                proposal.sameContent && other->content == contentOf(input) && slot.content == contentOf(output);
            if (!same && clash({other->content, slot.content, shift}, proposal)) return false;
        }
    }
    return true;
}

bool StorageTable::identityFits(ValueId input, ValueId output) const
{
    return fits(input, output, {.sameContent = true});
}

bool StorageTable::inPlaceFits(ValueId input, ValueId output, std::int64_t step) const
{
    return fits(input, output, {.handover = {input, output, step}});
}

bool StorageTable::partFits(ValueId input, ValueId output, const SubBuffer& part) const
{
    return fits(input, output, {.insets = insetsOf(input, output, part), .shift = shiftOf(part)});
}

/// The two, and what lies in the part beside what the whole lies in.
std::vector<StorageTable::Inset> StorageTable::insetsOf(ValueId input, ValueId output, const SubBuffer& part) const
{
    const Inset own =
        part.inputIsPart ? Inset {input, output, part.offsetBytes} : Inset {output, input, part.offsetBytes};
    std::vector<Inset> parts = {own};
    std::vector<Inset> wholes = {own};
    for (const Inset& inset : m_contents[contentOf(own.part)].insets) {
        if (sameContent(inset.whole, own.part)) parts.push_back({inset.part, own.whole, own.offset + inset.offset});
    }
    for (const Inset& inset : m_contents[contentOf(own.whole)].insets) {
        if (sameContent(inset.part, own.whole)) wholes.push_back({own.part, inset.whole, own.offset + inset.offset});
    }
    std::vector<Inset> all;
    for (const Inset& inner : parts) {
        for (const Inset& outer : wholes)
            all.push_back({inner.part, outer.whole, inner.offset + outer.offset - own.offset});
    }
    return all;
}

void StorageTable::joinPart(ValueId input, ValueId output, const SubBuffer& part)
{
    for (const Inset& inset : insetsOf(input, output, part)) {
        m_contents[contentOf(inset.part)].insets.push_back(inset);
        m_contents[contentOf(inset.whole)].insets.push_back(inset);
    }
    mergeStorages(input, output, shiftOf(part));
}

void StorageTable::allowHandover(ValueId from, ValueId to, std::int64_t step)
{
    m_contents[contentOf(from)].handovers.push_back({from, to, step});
    m_contents[contentOf(to)].handovers.push_back({to, from, step});
}

void StorageTable::joinIdentity(ValueId input, ValueId output)
{
    mergeStorages(input, output);
    mergeContents(input, output);
}

void StorageTable::joinInPlace(ValueId input, ValueId output, std::int64_t step)
{
    allowHandover(input, output, step);
    mergeStorages(input, output);
}

/// Where the output begins in front of the storage, all that was there moves.
void StorageTable::mergeStorages(ValueId input, ValueId output, std::int64_t further)
{
    const std::size_t kept = storageOf(input);
    JoinedStorage joined = std::move(m_storages[storageOf(output)]);
    m_storages[storageOf(output)] = {};
    JoinedStorage& storage = m_storages[kept];
    const auto move = [&](const JoinedStorage& moved, std::int64_t by) {
        for (const ValueId value : m_storedWith.values(moved.last))
            m_offset[value.index()] += by;
        for (const Slot& slot : moved.slots)
            m_contents[slot.content].bytes = {m_contents[slot.content].bytes.begin + by,
                                              m_contents[slot.content].bytes.end + by};
    };
    const std::int64_t wanted = offsetOf(input) + further - offsetOf(output);
    const std::int64_t shift = std::max<std::int64_t>(0, wanted);
    if (wanted < 0) {
        move(storage, -wanted);
        storage.bytes -= wanted;
    }
    move(joined, shift);
    for (const ValueId value : m_storedWith.values(joined.last))
        m_storageOf[value.index()] = kept;
    m_storedWith.append(storage.last, joined.last);
    storage.live.add(joined.live);
    storage.bytes = std::max(storage.bytes, shift + joined.bytes);
    storage.outputs += joined.outputs;
    for (const Slot& slot : joined.slots)
        insertSlot(storage, slot.content);
}

void StorageTable::mergeContents(ValueId input, ValueId output)
{
    const std::size_t kept = contentOf(input);
    const std::size_t gone = contentOf(output);
    JoinedStorage& storage = m_storages[storageOf(input)];
    for (const ValueId value : m_sameContent.values(m_contents[gone].last))
        m_contentOf[value.index()] = kept;
    m_sameContent.append(m_contents[kept].last, m_contents[gone].last);
    m_contents[kept].live.add(m_contents[gone].live);
    const std::vector<Handover>& more = m_contents[gone].handovers;
    m_contents[kept].handovers.insert(m_contents[kept].handovers.end(), more.begin(), more.end());
    const std::vector<Inset>& insets = m_contents[gone].insets;
    m_contents[kept].insets.insert(m_contents[kept].insets.end(), insets.begin(), insets.end());
    const Interval bytes = m_contents[gone].bytes;
    Interval& own = m_contents[kept].bytes;
    if (own.empty())
        own = bytes;
    else if (!bytes.empty())
        own = {std::min(own.begin, bytes.begin), std::max(own.end, bytes.end)};
    m_contents[gone] = {};
    std::erase_if(storage.slots, [gone](const Slot& slot) { return slot.content == gone; });
    std::size_t from = storage.slots.size();
    while (from > 0 && storage.slots[from - 1].content != kept)
        --from;
    refreshEnds(storage, from == 0 ? 0 : from - 1);
}

Sharing StorageTable::finish() &&
{
    const std::size_t count = m_graph.values.size();
    Sharing sharing {
        {}, std::vector<StorageId>(count), std::move(m_offset), std::vector<AliasKind>(count, AliasKind::Fresh)};
    std::vector<StorageId> ids(count);
    sharing.storages.reserve(count);
    for (std::size_t value = 0; value < count; ++value) {
        const Residence residence = m_facts.residence[value];
        if (residence == Residence::Unplanned || residence == Residence::Absent) continue;
        StorageId& id = ids[m_storageOf[value]];
        if (!id.valid()) {
            JoinedStorage& storage = m_storages[m_storageOf[value]];
            id = StorageId(sharing.storages.size());
            const std::size_t root = m_storageOf[value];
            sharing.storages.push_back({{},
                                        std::move(storage.live),
                                        storage.bytes,
                                        m_facts.residence[root],
                                        m_facts.space[root],
                                        hostOf(ValueId(value))});
        }
        sharing.storageOf[value] = id;
        sharing.storages[id.index()].values.push_back(ValueId(value));
    }
    for (SharedStorage& storage : sharing.storages) {
        std::ranges::sort(storage.values, {},
                          [this](ValueId value) { return std::pair(m_facts.live[value.index()].hull().begin, value); });
    }
    return sharing;
}

} // namespace plimsoll
