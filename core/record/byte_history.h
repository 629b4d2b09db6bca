#pragma once

#include "core/record/run_record.h"

namespace plimsoll {

/// Bytes of an arena at a moment, and what they are left of.
struct HeldBytes
{
    Interval bytes;
    std::optional<std::size_t> content; ///< Position in RunRecord::contents.
    NodeId scratchOf {};                ///< Of whose scratchpad they are, which no record keeps.
    std::size_t moment = 0;             ///< In which they were written; of bytes that nothing has written 0.

    [[nodiscard]] bool written() const { return content || scratchOf.valid(); }
};

/// What lies in \p bytes of an arena after a moment: in the order of their addresses, without gaps.
///
///     moment 3   y [0 . . . . . . . . 64)
///     moment 5        z [16 . . 32)
///     after 5    y      z       y                   three pieces; nothing of the first y is lost but what z lies on
///
/// A value that only names or covers bytes of another, with nothing copied, counts as their latest content. What
/// the caller gave counts from the moment that read it first.
[[nodiscard]] std::vector<HeldBytes> heldAt(const RunRecord& record, const PlannedProgram& program, ArenaId arena,
                                            Interval bytes, std::size_t moment);

/// All that was ever left in \p bytes, in the order of time, but for what only names what lay there.
[[nodiscard]] std::vector<HeldBytes> writesTo(const RunRecord& record, const PlannedProgram& program, ArenaId arena,
                                              Interval bytes);

/// The bytes themselves; nothing where they, or a part of them, were not kept.
[[nodiscard]] std::optional<std::span<const std::byte>> keptBytes(const RunRecord& record,
                                                                  const PlannedProgram& program, const HeldBytes& held);

/// The bytes of a content's place after a moment, whatever wrote them.
struct PlaceNow
{
    std::int64_t others = 0;      ///< Bytes of it that something else has written since.
    std::vector<std::byte> bytes; ///< All of them; empty where nothing else wrote there, or some were not kept.
};
[[nodiscard]] PlaceNow placeNow(const RunRecord& record, const PlannedProgram& program, std::size_t content,
                                std::size_t moment);

/// The latest content of a value that is no later than the moment: what its place held when it was written.
[[nodiscard]] std::optional<std::size_t> contentAt(const RunRecord& record, ValueId value, std::size_t moment);

} // namespace plimsoll
