#pragma once

#include "app/cli/arguments.h"
#include "core/pipeline/pipeline.h"

namespace plimsoll::cli {

/// How long to look for offsets, where a command lets the user say so.
struct SearchOptionValues
{
    std::optional<double> seconds;
    std::optional<std::int64_t> work;
    std::uint64_t seed = 1;
};

/// "--time-limit", "--work-limit" and "--seed".
[[nodiscard]] Arguments searchArguments(SearchOptionValues& values);
[[nodiscard]] Argument workLimitArgument(std::optional<std::int64_t>& work);
[[nodiscard]] Argument searchSeedArgument(std::uint64_t& seed);

/// The request for them; \p enough ends the search. On a terminal, it shows how the search gets on.
[[nodiscard]] SearchRequest makeSearchRequest(const SearchOptionValues& values, std::stop_token enough);

/// What is wrong with the number of an option that goes from 0 on, or is above it. Neither endless nor "nan" will do.
[[nodiscard]] std::string belowZeroFault(const std::string& text);
[[nodiscard]] std::string notAboveZeroFault(const std::string& text);
/// Of a seed: a sign, or a number too large, would silently wrap around.
[[nodiscard]] std::string seedFault(const std::string& text);
/// The same of an amount of bytes.
[[nodiscard]] std::string sizeFault(const std::string& text);

/// One line on standard error that is written over again.
void showIncumbent(const Incumbent& now);
void clearIncumbent();
void showProgress(std::string_view what, double done); ///< The same of anything else: "40 %  fold=all".
[[nodiscard]] bool canShowIncumbents();                ///< Standard error is a terminal.

} // namespace plimsoll::cli
