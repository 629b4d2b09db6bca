#pragma once

#include "core/base/result.h"
#include "core/facts/report.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::cli {

/// "peak>64KiB", "peak>+4096", "peak>+1%": what makes a command fail.
struct Gate
{
    enum class Limit : std::uint8_t {
        Most,    ///< No more than this.
        Growth,  ///< No more than this above the other report.
        Percent, ///< The same in percent of it.
    };
    std::string text;         ///< As it was given.
    std::size_t quantity = 0; ///< Place in the table of them.
    Limit limit = Limit::Most;
    double number = 0; ///< Bytes, findings, or percent.
};

/// What --help says of them: exit 1 where \p one has more, with + more than \p other.
[[nodiscard]] std::string gatesMeaning(const std::string& one, const std::string& other);

/// BadUsage says the form, and the quantities there are.
[[nodiscard]] Result<std::vector<Gate>> readGates(const std::vector<std::string>& texts);

/// Whether it compares with another report.
[[nodiscard]] bool needsOther(const Gate& gate);

/// What a gate measures of both reports.
struct Gated
{
    std::int64_t before = 0;
    std::int64_t now = 0;
    bool failed = false;
    Message text; ///< "peak>+1% fails: 1.00 KiB before, 2.00 KiB now."; empty where it holds.
};
[[nodiscard]] Gated judge(const Gate& gate, const Report& before, const Report& now);
/// Of each that fails, what it says.
[[nodiscard]] std::vector<Message> failuresOf(const std::vector<Gate>& gates, const Report& before, const Report& now);
[[nodiscard]] std::string failuresText(const std::vector<Message>& failures); ///< A line for each.

/// Those that \p before has, too: of the same rule, about values and nodes of the same names. They are taken out; how
/// many there were.
std::size_t takeOutKnown(std::vector<Finding>& findings, const Report& now, const Report& before);

} // namespace plimsoll::cli
