#pragma once

#include "core/formats/files/mapped_file.h"
#include "core/plan/program.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace plimsoll {

/// One execution of one step: the clock of a record. Steps of loops have several.
struct Moment
{
    std::int64_t step = 0;
    NodeId node;
    std::vector<std::int64_t> iteration {}; ///< Of the loops around it, outermost first.
    double ms = 0;
    bool ended = false;   ///< Not of a step in which the process died.
    Interval contents {}; ///< Positions in RunRecord::contents.
};

/// What a moment left of a value, or found in one that the caller gave: a dense tensor.
struct RecordedContent
{
    ValueId value;
    bool given = false;
    DType dtype = DType::Unknown;
    Shape shape;
    std::int64_t bytes = 0;
    std::optional<std::int64_t> at; ///< In the file of bytes; nothing where they were not kept.
};

/// The record of a run, as it lies on disk: what is never looked at is never read.
///
///     moments   step 0        step 1         step 2
///     contents  given x  y    z              …
///     bytes     [xxxx|yyyy|zzzz|…            mapped
struct RunRecord
{
    std::vector<Moment> moments;           ///< In the order in which they happened.
    std::vector<RecordedContent> contents; ///< Grouped by moment.
    std::optional<MappedFile> bytes;       ///< None where none were kept.
    bool ended = false;                    ///< The run has come to its end; what failed has none.
    std::string order {}; ///< Of the streams, in which the run went wrong; empty: that of the schedule.

    /// Empty where they were not kept.
    [[nodiscard]] std::span<const std::byte> bytesOf(const RecordedContent& content) const;
    /// The latest that is no later than the step; nothing before the first. In another order the latest of the step.
    [[nodiscard]] std::optional<std::size_t> latestAt(std::int64_t step) const;
    /// The step that was taken before that one (\p by -1) or behind it (1); nothing at the ends.
    [[nodiscard]] std::optional<std::int64_t> stepBeside(std::int64_t step, int by) const;
    [[nodiscard]] std::int64_t keptBytes() const;
    [[nodiscard]] std::int64_t droppedBytes() const; ///< Of contents that were told and not kept.
};

/// The file of bytes beside a record.
[[nodiscard]] std::filesystem::path bytesFileOf(const std::filesystem::path& record);

/// "3" or "3.0": the iteration numbers of a moment; empty outside loops.
[[nodiscard]] std::string iterationText(std::span<const std::int64_t> iteration);

/// Reads plimsoll.record/1 and the file of bytes beside it. \p program is the one that ran: names are found in it.
/// A last line that is cut off, as of a process that was killed, is left out. BadInput with the line where the file is
/// no record, is one of another graph, or names bytes that are not there.
[[nodiscard]] Result<RunRecord> readRunRecord(const std::filesystem::path& file, const PlannedProgram& program);

} // namespace plimsoll
