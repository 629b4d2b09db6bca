#pragma once

#include "core/pipeline/pipeline.h"

namespace CLI {
class App;
class Validator;
} // namespace CLI

namespace plimsoll::cli {

/// How long to look for offsets, where a command lets the user say so.
struct SearchOptionValues
{
    std::optional<double> seconds;
    std::optional<std::int64_t> work;
    std::uint64_t seed = 1;
};

/// "--time-limit", "--work-limit" and "--seed".
void addSearchOptions(CLI::App& command, SearchOptionValues& values);

/// The request for them; \p enough ends the search. On a terminal, it shows how the search gets on.
[[nodiscard]] SearchRequest makeSearchRequest(const SearchOptionValues& values, std::stop_token enough);

/// For numbers of an option: from 0 on, or above it. Neither endless nor "nan".
[[nodiscard]] CLI::Validator notBelowZero();
[[nodiscard]] CLI::Validator aboveZero();

/// One line on standard error that is written over again.
void showIncumbent(const Incumbent& now);
void clearIncumbent();
[[nodiscard]] bool canShowIncumbents(); ///< Standard error is a terminal.

} // namespace plimsoll::cli
