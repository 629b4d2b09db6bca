#include "core/facts/words/number_text.h"

#include "core/base/bytes.h"

#include <cstdio>

namespace plimsoll {

std::string bytesText(std::int64_t bytes)
{
    if (bytes < 0) return "unknown";
    return bytes < 1024 ? formatCount(bytes) : formatCount(bytes) + " (" + formatBytes(bytes) + ")";
}

std::string percentText(double fraction)
{
    constexpr double LeastShown = 0.0005;
    if (fraction > 0 && fraction < LeastShown) return "under 0.1 %";
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %%", 100 * fraction);
    return text;
}

std::string percentText(std::int64_t part, std::int64_t whole)
{
    return percentText(whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0);
}

std::string rangeText(Interval range)
{
    return "[" + formatCount(range.begin) + ", " + formatCount(range.end) + ")";
}

std::string rangesText(const LiveRanges& live)
{
    std::string text;
    for (const Interval range : live.intervals())
        text += (text.empty() ? "" : " ") + rangeText(range);
    return text.empty() ? "none" : text;
}

} // namespace plimsoll
