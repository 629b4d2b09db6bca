#pragma once

#include "core/record/byte_history.h"

#include <memory>
#include <string>

namespace plimsoll {

/// Bytes at a moment, in lines of at most 16, each of one owner:
///
///     piece 0   [0x00, 0x18) of a     line 0   [0x00, 0x10)
///                                     line 1   [0x10, 0x18)
///     piece 1   [0x18, 0x40) of b     line 2   [0x18, 0x20)     lines begin at multiples of 16 but for the first of
///                                     line 3   [0x20, 0x30)     a piece
class ShownBytes
{
public:
    static constexpr std::int64_t LineBytes = 16;

    /// Nothing is shown.
    ShownBytes() = default;
    /// Of an arena. The program must be the one that ran; both are kept.
    ShownBytes(std::shared_ptr<const RunRecord> record, std::shared_ptr<const PlannedProgram> program, ArenaId arena,
               Interval bytes, std::size_t moment);
    /// Of a value that has no bytes in an arena, as it was last told: from 0.
    ShownBytes(std::shared_ptr<const RunRecord> record, std::shared_ptr<const PlannedProgram> program, ValueId value,
               std::size_t moment);

    struct Line
    {
        Interval bytes;
        std::size_t piece = 0;
    };
    [[nodiscard]] std::int64_t lines() const { return m_firstLine.empty() ? 0 : m_firstLine.back(); }
    [[nodiscard]] Line line(std::int64_t number) const;
    [[nodiscard]] const std::vector<HeldBytes>& pieces() const { return m_pieces; }
    [[nodiscard]] const RecordedContent* contentOf(const Line& line) const; ///< Null: nothing was written.
    /// What it was written for needs it no more: whatever comes next may lie there.
    [[nodiscard]] bool isDead(const HeldBytes& held) const;

    /// "3f 80 00 00"; "··" for a byte that was not kept.
    [[nodiscard]] std::string hexText(const Line& line) const;
    /// The elements that begin in the line, by the type of their value: "1, 0.5, nan".
    [[nodiscard]] std::string elementsText(const Line& line) const;
    /// Whether one of them is no finite number.
    [[nodiscard]] bool hasNonFinite(const Line& line) const;

private:
    void countLines();
    [[nodiscard]] Interval elementsIn(const Line& line) const;
    [[nodiscard]] std::int64_t originOf(const Line& line) const; ///< Where the first element of its content lies.

    std::shared_ptr<const RunRecord> m_record;
    std::shared_ptr<const PlannedProgram> m_program;
    bool m_inArena = false;
    std::size_t m_moment = 0;
    std::vector<HeldBytes> m_pieces;
    std::vector<std::int64_t> m_firstLine; ///< By piece, and one more: how many there are.
};

} // namespace plimsoll
