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

/// Peak, bounds, findings: "peak, lowerBound, …", as an error about another word lists them.
[[nodiscard]] std::string gateQuantities();

/// BadUsage says the form, and the quantities there are.
[[nodiscard]] Result<std::vector<Gate>> readGates(const std::vector<std::string>& texts);

/// What a gate measures of both reports.
struct Gated
{
    std::int64_t before = 0;
    std::int64_t now = 0;
    bool failed = false;
    Message text; ///< "peak>+1% fails: 1.00 KiB before, 2.00 KiB now."; empty where it holds.
};
[[nodiscard]] Gated judge(const Gate& gate, const Report& before, const Report& now);

} // namespace plimsoll::cli
