#pragma once

#include "core/base/ids.h"
#include "core/base/interval.h"
#include "core/base/message.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

enum class Severity : std::uint8_t {
    Error,   ///< A broken rule.
    Warning, ///< Legal but dangerous, or an assumption about the run.
    Advice,
};

/// Which rule: those that something raises, and no others. Each has a heading in the manual.
enum class Rule : std::uint8_t {
    Overlap,            ///< Two storages share a byte at a step where both are live.
    ClobberedRead,      ///< A node reads bytes that another value has overwritten.
    OutputAliasing,     ///< Two outputs that are not the same value share bytes.
    OutputAliasesInput, ///< An output shares bytes with a graph input, parameter or constant.
    InputOverwritten,   ///< A graph input, parameter or constant is written.
    Undersized,         ///< The reserved bytes are fewer than the required ones.
    Misaligned,         ///< The offset is not a multiple of the alignment.
    Moved,              ///< Not at the offset that the graph pins it to.
    BeyondCapacity,     ///< Bytes outside the arena, or an arena above its capacity.
    MissingAllocation,  ///< A value with known bytes has none.
    FalseIdentity,      ///< A declared identity or view that cannot be one, or, found by running, is none.
    UninitialisedRead,  ///< Bytes are read that nobody has written.
    SubgraphEscape,     ///< A nested graph writes bytes that the graph around it still needs.
    PaddingVisible,     ///< Bytes in a library's layout reach somebody who reads another.
    WrongSpace,         ///< A node reads, writes or is lent bytes of a memory that it does not compute in.
    SavedOverwritten,   ///< Bytes that are kept for the backward graph are written before it reads them.
    SavedVersion,       ///< A tensor that is kept was written in place: PyTorch would refuse the backward pass.
    Donation,           ///< A tensor is given to the backward graph that somebody else still has.
    WrongValue,         ///< A run differed from the oracle.
    DeadOutput,         ///< Computed and never read.
    MissedSharing,
    NeedlessSave,       ///< Kept for the backward graph, and no gradient that is wanted reads it.
    DenseFallback,      ///< A node reads or leaves sparse tensors through dense temporaries.
    OutputDiesAtReplay, ///< The next replay of a captured plan writes over what the caller was handed.
    Incomplete,         ///< Sizes are missing that the file should say, or there is nothing to judge.
    OutOfMemory,        ///< The process that a memory snapshot is of was refused a request.
};

[[nodiscard]] std::string_view ruleId(Rule rule); ///< "clobbered-read"
[[nodiscard]] std::optional<Rule> ruleFromId(std::string_view id);
[[nodiscard]] std::string_view ruleSummary(Rule rule);          ///< One sentence: what the rule demands.
[[nodiscard]] std::string_view severityName(Severity severity); ///< "error", "warning", "advice"

/// A broken rule, or a piece of advice, with everything needed to look at it.
struct Finding
{
    Rule rule = Rule::Overlap;
    Severity severity = Severity::Error;
    Message message;             ///< One sentence that names both offenders, the steps and the bytes.
    std::vector<ValueId> values; ///< The spoiled one first, then the one that spoils.
    std::vector<NodeId> nodes;   ///< The node that reads wrongly first, then the one that wrote.
    ArenaId arena;               ///< Where the bytes are; invalid when they are in none.
    Interval steps;
    Interval bytes; ///< In the arena.
    Message fix;    ///< What would mend it.
};

} // namespace plimsoll
