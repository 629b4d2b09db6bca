#pragma once

#include "core/facts/english/english.h"
#include "core/facts/focus.h"
#include "core/facts/report.h"
#include "core/facts/words/number_text.h"

#include <variant>

namespace plimsoll {

/// One thing that is known of a plan, as data. Every face renders it in its own way.
///
///     bytes 4096     "4,096 (4.00 KiB)" in a report, "4.00 KiB" in the window, 4096 in a file for programs
struct Cell
{
    enum class Kind : std::uint8_t {
        Text,     ///< Names and words, as they are.
        Sentence, ///< A message. Each face has its own words for choices and options.
        Level,    ///< A severity, in \c number.
        Choice,   ///< Of a policy: its id, and the value as text.
        Bytes,    ///< -1: not known before the run.
        Change,   ///< Of bytes, with its sign.
        Offset,   ///< From the start of an arena.
        Span,     ///< Of an arena, in \c text; its length in \c number.
        Area,     ///< Bytes × steps, in \c real.
        Count,
        Percent, ///< Of 1, in \c real.
        Seconds, ///< In \c real.
        Steps,
    };
    Kind kind = Kind::Text;
    std::string text;
    Message message;
    std::string_view policy; ///< Of a choice.
    std::int64_t number = 0;
    double real = 0;
    LiveRanges steps;
    std::optional<double> order; ///< What it sorts by, where that is not what it shows.
    std::string tip;             ///< More, or more exactly; empty: nothing.
    std::string command;         ///< What a command line offers to do about it: "give one with --shape x=…".
    Focus link {};               ///< What it names; nothing picked where it names nothing.
    bool wrong = false;          ///< It is not as the plan says.

    [[nodiscard]] Cell withTip(std::string more) &&;
    [[nodiscard]] Cell sortedBy(double by) &&;
    [[nodiscard]] Cell leadingTo(Focus focus) &&;
};

/// Cells of each kind.
namespace cell {

[[nodiscard]] Cell text(std::string_view words);
[[nodiscard]] Cell word(std::string_view word); ///< One of ours, in the language that is spoken.
[[nodiscard]] Cell sentence(Message message);
[[nodiscard]] Cell level(Severity severity);
[[nodiscard]] Cell choice(std::string_view policy, std::string_view value); ///< \p policy is an id of policyTable().
[[nodiscard]] Cell bytes(std::int64_t number);
[[nodiscard]] Cell bytesOrBlank(std::int64_t number); ///< Blank for 0.
[[nodiscard]] Cell change(std::int64_t bytes);
[[nodiscard]] Cell offset(std::int64_t number);
[[nodiscard]] Cell span(Interval bytes); ///< In little room its length.
[[nodiscard]] Cell area(double byteSteps);
[[nodiscard]] Cell count(std::size_t number);
[[nodiscard]] Cell percent(double fraction);
[[nodiscard]] Cell seconds(double time);
[[nodiscard]] Cell steps(const LiveRanges& live); ///< Links to the first step.
[[nodiscard]] Cell blank(double order = -1);

[[nodiscard]] Cell value(const Report& report, ValueId value); ///< Its name, with its type as tip; blank for none.
[[nodiscard]] Cell node(const Report& report, NodeId node);    ///< Its name, with its operator as tip; blank for none.
[[nodiscard]] Cell storage(StorageId storage);                 ///< "s12"; blank for none.
[[nodiscard]] Cell space(const Report& report, ArenaId arena); ///< "cpu"; blank for none.

/// Where in a program it was made; blank where the file does not tell.
[[nodiscard]] Cell source(const Report& report, ValueId value);
[[nodiscard]] Cell source(const Report& report, NodeId node);
[[nodiscard]] Cell source(const Report& report, StorageId storage); ///< The first of its values that has one.

} // namespace cell

/// Why a value has no size, and the option that gives one.
[[nodiscard]] Cell unplannedCell(const Report& report, const UnplannedValue& value);

/// In full: "4,096 (4.00 KiB)", "[0, 1,024)", "fold=all".
[[nodiscard]] std::string fullText(const Cell& cell, RemedyWords words = optionWords);
/// In little room: "4.00 KiB", offsets as "0x1000".
[[nodiscard]] std::string briefText(const Cell& cell);
[[nodiscard]] std::string briefText(const Cell& cell, NumberForm form);
/// What is told of it when pointed at: the exact figure, a tip, else the text.
[[nodiscard]] std::string tipText(const Cell& cell, RemedyWords words = optionWords);
/// For programs: no separators, nothing for what is unknown.
[[nodiscard]] std::string plainText(const Cell& cell);

/// What rows are sorted and compared by.
using SortKey = std::variant<double, std::string>;
[[nodiscard]] SortKey sortKey(const Cell& cell);

/// A name and what is known under it.
struct Fact
{
    std::string name;
    Cell cell;
};

} // namespace plimsoll
