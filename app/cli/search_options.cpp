#include "app/cli/search_options.h"

#include "core/base/bytes.h"

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <charconv>
#include <cmath>
#include <iostream>

namespace plimsoll::cli {
namespace {

/// CLI11's own names the largest double, in 300 digits, and takes "nan".
CLI::Validator numberThat(bool (*holds)(double), const std::string& what)
{
    return {[holds, what](const std::string& text) {
                double number = 0;
                const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
                const bool read = error == std::errc() && end == text.data() + text.size();
                const bool good = read && std::isfinite(number) && holds(number);
                return good ? std::string() : "A number " + what + " is expected, not '" + text + "'.";
            },
            {}};
}

} // namespace

CLI::Validator notBelowZero()
{
    return numberThat([](double number) { return number >= 0; }, "from 0 on");
}

CLI::Validator aboveZero()
{
    return numberThat([](double number) { return number > 0; }, "above 0");
}

void addSearchOptions(CLI::App& command, SearchOptionValues& values)
{
    command
        .add_option("--time-limit", values.seconds,
                    "Search for offsets so many seconds, not only a moment. Ctrl+C keeps the best plan so far")
        ->check(notBelowZero());
    command
        .add_option("--work-limit", values.work,
                    "Units of work (about 10 ns) instead of seconds: the same answer on every machine")
        ->check(notBelowZero());
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
