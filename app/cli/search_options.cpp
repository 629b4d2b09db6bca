#include "app/cli/search_options.h"

#include "core/base/bytes.h"

#include <unistd.h>

#include <charconv>
#include <cmath>
#include <iostream>

namespace plimsoll::cli {
namespace {

/// Empty where \p text is a number for which \p holds; the option parser's own readers take "nan" and "inf".
std::string numberFault(const std::string& text, bool (*holds)(double), const std::string& what)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool read = error == std::errc() && end == text.data() + text.size();
    const bool good = read && std::isfinite(number) && holds(number);
    return good ? std::string() : "A number " + what + " is expected, not '" + text + "'.";
}

} // namespace

std::string belowZeroFault(const std::string& text)
{
    return numberFault(
        text, [](double number) { return number >= 0; }, "from 0 on");
}

std::string seedFault(const std::string& text)
{
    std::uint64_t seed = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (error == std::errc() && end == text.data() + text.size()) return {};
    return "a seed is a whole number from 0 to 18446744073709551615, not '" + text + "'";
}

std::string sizeFault(const std::string& text)
{
    return parseBytes(text) ? "" : "a size is a number of bytes, \"4096\" or \"256MiB\", not '" + text + "'";
}

std::string notAboveZeroFault(const std::string& text)
{
    return numberFault(
        text, [](double number) { return number > 0; }, "above 0");
}

Argument workLimitArgument(std::optional<std::int64_t>& work)
{
    return {.names = "--work-limit",
            .target = &work,
            .meaning = "Units of work (about 10 ns) instead of seconds: the same answer on every machine",
            .fault = belowZeroFault};
}

Argument searchSeedArgument(std::uint64_t& seed)
{
    return {.names = "--seed", .target = &seed, .meaning = "Of the search", .showsDefault = true, .fault = seedFault};
}

Arguments searchArguments(SearchOptionValues& values)
{
    return {{.names = "--time-limit",
             .target = &values.seconds,
             .meaning = "Search for offsets so many seconds, not only a moment. Ctrl+C keeps the best plan so far",
             .fault = belowZeroFault},
            workLimitArgument(values.work),
            searchSeedArgument(values.seed)};
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

void showProgress(std::string_view what, double done)
{
    if (canShowIncumbents()) std::cerr << "\r\033[K" << static_cast<int>(100 * done) << " %  " << what << std::flush;
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
