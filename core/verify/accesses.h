#pragma once

#include "core/verify/byte_map.h"
#include "core/verify/plan_facts.h"

#include <vector>

namespace plimsoll::verifying {

/// A value whose content a step needs.
struct Read
{
    ValueId value;
    Interval part {0, -1};  ///< Bytes from the start of the value; {0, -1} is all of it.
    bool ifWritten = false; ///< Only what an earlier iteration left: slices of a scan output.
};

/// How a written value may lie on the bytes of one of the reads.
struct Join
{
    std::size_t read = 0; ///< Index into reads.
    AliasKind kind = AliasKind::Identity;
    std::int64_t offsetBytes = 0; ///< View, part: of the written value in the read one.
    bool part = false;            ///< Identity: with a part of the read value.
};

/// Where the bytes of a read are in a written value that is put together of several.
struct Inset
{
    std::size_t read = 0; ///< Index into reads.
    std::int64_t offsetBytes = 0;
};

/// A value whose content a step makes.
struct Write
{
    ValueId value;
    std::vector<Join> joins;
    std::vector<Inset> insets {};
};

/// All that one step does with memory. Reads are complete before writes are, but a write may happen before another
/// byte is read; so what is written and what is read must lie apart, or exactly on each other where a Join says so.
struct Accesses
{
    std::vector<Read> reads;
    std::vector<Write> writes;
    NodeId scratchOf; ///< The node whose temporary is in use.
};

[[nodiscard]] Accesses accessesOf(const PlanFacts& facts, const Step& step);

/// How the plan lays a written value exactly on one of the reads, as the operator allows; null where it does not.
[[nodiscard]] const Join* joinOf(const PlanFacts& facts, const Accesses& accesses, const Write& write);

/// Reads that lie where the written value has them, so that nothing is copied there: their bytes, and of which read.
struct Kept
{
    std::size_t read = 0;
    Interval bytes; ///< Of the arena.
};
[[nodiscard]] std::vector<Kept> keptParts(const PlanFacts& facts, const Accesses& accesses, const Write& write);

/// Whether the output keeps the bytes of the input as they are: nothing is written.
[[nodiscard]] bool relabels(const Join* join);

/// By write: an earlier one that copies the same content to the same place, or itself. A branch may hand one content
/// out twice; \p current is the content of each value.
[[nodiscard]] std::vector<std::size_t> sameWrites(const PlanFacts& facts, const Accesses& accesses,
                                                  const std::vector<GenerationId>& current);

/// The bytes of its arena that a read needs: from the first to the last, and without those between strided elements.
[[nodiscard]] Interval readRange(const PlanFacts& facts, const Read& read);
[[nodiscard]] std::vector<Interval> readPieces(const PlanFacts& facts, const Read& read);

/// The bytes of its arena that change when a value is written.
[[nodiscard]] std::vector<Interval> writtenPieces(const PlanFacts& facts, ValueId value);

/// The first bytes that both a read needs and a write changes, in the same arena; empty where there are none.
[[nodiscard]] Interval contested(const PlanFacts& facts, const Read& read, ValueId written);

} // namespace plimsoll::verifying
