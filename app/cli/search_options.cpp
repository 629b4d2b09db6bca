#include "app/cli/search_options.h"

#include "core/base/bytes.h"

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <iostream>

namespace plimsoll::cli {

void addSearchOptions(CLI::App& command, SearchOptionValues& values)
{
    command
        .add_option("--time-limit", values.seconds,
                    "Search for offsets so many seconds, not only a moment. Ctrl+C keeps the best plan so far")
        ->check(CLI::NonNegativeNumber);
    command
        .add_option("--work-limit", values.work,
                    "Units of work (about 10 ns) instead of seconds: the same answer on every machine")
        ->check(CLI::NonNegativeNumber);
    command.add_option("--seed", values.seed, "Of the search")->capture_default_str();
}

SearchRequest makeSearchRequest(const SearchOptionValues& values, std::stop_token enough)
{
    SearchRequest request;
    request.seed = values.seed;
    request.workLimit = values.work;
    request.secondsLimit = values.seconds;
    request.enough = std::move(enough);
    if (canShowIncumbents() && (values.seconds || values.work))
        request.improved = [](const Incumbent& now, const auto&) { showIncumbent(now); };
    return request;
}

void showIncumbent(const Incumbent& now)
{
    std::cerr << "\r\033[K" << formatCount(now.peakBytes) << " B, bound " << formatCount(now.boundBytes) << " B  ("
              << now.member << ')' << std::flush;
}

void clearIncumbent()
{
    if (canShowIncumbents()) std::cerr << "\r\033[K" << std::flush;
}

bool canShowIncumbents()
{
    return isatty(STDERR_FILENO) != 0;
}

} // namespace plimsoll::cli
