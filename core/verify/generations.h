#pragma once

#include "core/base/ids.h"
#include "core/verify/byte_map.h"
#include "core/verify/choices.h"

#include <deque>
#include <map>
#include <ranges>
#include <utility>
#include <vector>

namespace plimsoll::verifying {

/// One write that happened on paper: which value's content it made, by which node and when. Later writes have greater
/// ids.
struct Generation
{
    ValueId value; ///< Invalid for a scratchpad.
    NodeId node;   ///< The writer; invalid for what was there before the run.
    std::int64_t step = -1;
};

/// All contents that a walk has met, and what may be there after branches have met again.
///
/// Behind an If a byte holds \c a if its first branch ran and \c b if its second one did: a *pair*, made at one
/// *meeting*. Pairs of one meeting are chosen together, so a value written in both branches is intact where both
/// its expectation and its bytes are the same pair; so are pairs of several meetings that one condition decides.
class Generations
{
public:
    /// \p before is what the write covers.
    [[nodiscard]] GenerationId add(Generation generation, const std::vector<ByteMap::Piece>& before);
    [[nodiscard]] const Generation& operator[](GenerationId id) const
    {
        return m_all[static_cast<std::size_t>(id)].written;
    }

    /// A number for the place where two branches meet: the second is \p branch of the choice, the first those before.
    [[nodiscard]] int newMeeting(const ChoiceId& choice, std::int64_t branch);
    /// Where the next content will stand: those before are older.
    [[nodiscard]] GenerationId next() const { return static_cast<GenerationId>(m_all.size()); }
    [[nodiscard]] GenerationId pair(GenerationId a, GenerationId b, int meeting);

    /// Everything that was written over \p expected in \p bytes, from \p found backwards, each with the bytes it took.
    [[nodiscard]] std::vector<ByteMap::Piece> trail(GenerationId expected, GenerationId found, Interval bytes) const;

    /// Notes that \p whole was put together around what already lay in those bytes.
    void keeps(GenerationId whole, Interval bytes, GenerationId content);

    /// What is wrong with finding \p found in \p bytes where \p expected should be, on any path that \p taken leaves
    /// open: nothing (equal to \p expected), or the content that is there instead (0: nothing was written).
    struct Verdict
    {
        bool intact = true;
        GenerationId expected = 0; ///< On the path that goes wrong.
        GenerationId found = 0;
    };
    [[nodiscard]] Verdict compare(GenerationId expected, const ByteMap::Piece& found, const Taken& taken = {}) const;

private:
    struct Entry
    {
        Generation written;
        GenerationId a = 0;
        GenerationId b = 0;
        int meeting = 0;         ///< 0: a plain write.
        std::size_t covered = 0; ///< What it covered ends there in m_covered, and begins where that of the last ends.
    };
    [[nodiscard]] const Entry& entry(GenerationId id) const { return m_all[static_cast<std::size_t>(id)]; }

    struct Meeting
    {
        ChoiceId choice;
        std::int64_t branch = 0;
    };
    [[nodiscard]] GenerationId append(const Entry& entry);
    using Pieces = std::deque<ByteMap::Piece>; ///< There are many: none is moved where one more is added.
    using Covered = std::ranges::subrange<Pieces::const_iterator>;
    [[nodiscard]] Covered coveredBy(GenerationId writer) const;
    [[nodiscard]] GenerationId partOf(GenerationId whole, Interval bytes) const;
    [[nodiscard]] bool goesOn(const Meeting& meeting, bool first, Taken& taken) const;

    std::vector<Entry> m_all = {Entry {}};
    Pieces m_covered;                                           ///< What each covered, one behind the other.
    std::map<GenerationId, std::vector<ByteMap::Piece>> m_kept; ///< Parts of it that were there before; of few.
    std::vector<Meeting> m_meetings = {Meeting {}};             ///< By number; the first is none.
    std::map<ChoiceId, int> m_meetingsOf;
    std::map<std::pair<GenerationId, GenerationId>, GenerationId> m_pairs; ///< Of the latest meeting.
    int m_pairsOf = 0;
};

} // namespace plimsoll::verifying
