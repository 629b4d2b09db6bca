#pragma once

#include "core/ops/sub_buffers.h"
#include "core/sharing/sharing.h"
#include "core/sharing/value_lists.h"

#include <string_view>

namespace plimsoll {

/// Storages while they are being joined, and which contents they hold when.
///
/// A *content* is what stands in the bytes between two writes: a value, its views, and the identities joined to it.
/// A mutated version and an in-place result are new contents of the same storage. At every step at most one content of
/// a storage is alive, except where one is handed over to the next by the node that reads the old and writes the new.
class StorageTable
{
public:
    StorageTable(const Graph& graph, const ValueFacts& facts);

    [[nodiscard]] bool sameStorage(ValueId a, ValueId b) const { return storageOf(a) == storageOf(b); }
    [[nodiscard]] std::vector<ValueId> valuesWith(ValueId value) const
    {
        return m_storedWith.values(m_storages[storageOf(value)].last);
    }
    [[nodiscard]] bool sameContent(ValueId a, ValueId b) const { return contentOf(a) == contentOf(b); }
    [[nodiscard]] std::int64_t offsetOf(ValueId value) const { return m_offset[value.index()]; }
    /// Whose bytes of the caller they are; invalid for what the plan places.
    [[nodiscard]] ValueId hostOf(ValueId value) const;
    [[nodiscard]] std::int64_t bytesOf(ValueId value) const { return m_storages[storageOf(value)].bytes; }
    /// What the storage must have when \p output begins where \p input does.
    [[nodiscard]] std::int64_t bytesWhenJoined(ValueId input, ValueId output) const;
    [[nodiscard]] bool holdsOutput(ValueId value) const { return m_storages[storageOf(value)].outputs > 0; }
    /// Whether any value with this content is marked in \p marks, which is by ValueId, or empty.
    [[nodiscard]] bool contentHas(ValueId value, const std::vector<bool>& marks) const;
    [[nodiscard]] const LiveRanges& liveOf(ValueId value) const { return m_contents[contentOf(value)].live; }
    /// The value that brought the content into the storage.
    [[nodiscard]] ValueId originOf(ValueId value) const
    {
        return m_sameContent.first(m_contents[contentOf(value)].last);
    }
    /// A value with the same content that must outlive \p step: a graph output, or one that is needed right after it.
    /// Invalid when there is none. (No content is needed later that is not needed right after: where it is read in one
    /// branch only, the gaps are other branches; the input of a loop's body is written anew at the Leave.)
    [[nodiscard]] ValueId survivor(ValueId value, std::int64_t step) const;

    /// Whether the storages of both can be one when \p output repeats the content of \p input.
    [[nodiscard]] bool identityFits(ValueId input, ValueId output) const;
    /// Whether they can when one of them lies inside of the other.
    [[nodiscard]] bool partFits(ValueId input, ValueId output, const SubBuffer& part) const;
    /// Whether they can when \p output replaces the content of \p input at \p step.
    [[nodiscard]] bool inPlaceFits(ValueId input, ValueId output, std::int64_t step) const;

    /// Whether what lies in them is never alive together, so that \p second may begin where \p first does.
    [[nodiscard]] bool takeTurns(ValueId first, ValueId second) const { return fits(first, second, {}); }

    /// Says that \p step copies \p from to \p to whatever is decided, so that both may be alive then in one place.
    void allowHandover(ValueId from, ValueId to, std::int64_t step);

    void joinIdentity(ValueId input, ValueId output);
    void joinInPlace(ValueId input, ValueId output, std::int64_t step);
    void joinTurns(ValueId first, ValueId second) { mergeStorages(first, second); }
    void joinPart(ValueId input, ValueId output, const SubBuffer& part);

    [[nodiscard]] Sharing finish() &&;

private:
    struct Handover
    {
        ValueId own;           ///< Of this content…
        ValueId other;         ///< …and the one that follows or precedes it in the same bytes…
        std::int64_t step = 0; ///< …where both are alive.
    };
    /// Something that lies inside of something else.
    struct Inset
    {
        ValueId part;
        ValueId whole;
        std::int64_t offset = 0; ///< Of the part in the whole.
    };
    struct Content
    {
        LiveRanges live;
        ValueId last; ///< Of its values.
        std::vector<Handover> handovers;
        std::vector<Inset> insets; ///< Of which it is the part or the whole.
        Interval bytes {};         ///< Of the storage: those of all its values.
    };
    struct Slot
    {
        std::int64_t begin = 0;
        std::int64_t endSoFar = 0; ///< The latest end of this slot and those before it.
        std::size_t content = 0;
    };
    struct JoinedStorage
    {
        ValueId last;            ///< Of its values.
        std::vector<Slot> slots; ///< By begin.
        LiveRanges live;
        std::int64_t bytes = 0;
        int outputs = 0; ///< Values among them that the caller sees.
    };

    [[nodiscard]] std::size_t storageOf(ValueId value) const { return m_storageOf[value.index()]; }
    [[nodiscard]] std::size_t contentOf(ValueId value) const { return m_contentOf[value.index()]; }
    void placeInitially(ValueId value, const AliasSets& aliases);
    void insertSlot(JoinedStorage& storage, std::size_t content);
    void refreshEnds(JoinedStorage& storage, std::size_t from);
    /// Two contents that would lie in one storage, the second one moved by shift bytes.
    struct Meeting
    {
        std::size_t left = 0;
        std::size_t right = 0;
        std::int64_t shift = 0;
    };
    /// Besides what was allowed before.
    struct Proposal
    {
        Handover handover {};
        std::vector<Inset> insets {};
        bool sameContent = false;
        std::int64_t shift = 0; ///< From the input to the output.
    };
    [[nodiscard]] bool lieInside(const Meeting& meeting, const std::vector<Inset>& insets) const;
    [[nodiscard]] bool clash(const Meeting& meeting, const Proposal& proposed) const;
    [[nodiscard]] bool fits(ValueId input, ValueId output, const Proposal& proposed) const;
    [[nodiscard]] std::vector<Inset> insetsOf(ValueId input, ValueId output, const SubBuffer& part) const;
    void extend(std::size_t content, ValueId value);
    void mergeStorages(ValueId input, ValueId output, std::int64_t shift = 0);
    void mergeContents(ValueId input, ValueId output);

    const Graph& m_graph;
    const ValueFacts& m_facts;
    std::vector<JoinedStorage> m_storages;
    std::vector<Content> m_contents;
    ValueLists m_storedWith;              ///< The values of each storage.
    ValueLists m_sameContent;             ///< The values of each content.
    std::vector<std::size_t> m_storageOf; ///< By ValueId.
    std::vector<std::size_t> m_contentOf; ///< By ValueId.
    std::vector<std::int64_t> m_offset;   ///< By ValueId.
};

} // namespace plimsoll
