#include "core/facts/words/number_text.h"

#include "core/base/bytes.h"
#include "core/facts/english/english.h"

#include <cmath>
#include <cstdio>

namespace plimsoll {

std::string bytesText(std::int64_t bytes)
{
    if (bytes < 0) return std::string(spoken("unknown"));
    return bytes < 1024 ? formatCount(bytes) : formatCount(bytes) + " (" + formatBytes(bytes) + ")";
}

std::string sizeText(std::int64_t bytes, NumberForm form)
{
    if (bytes < 0) return std::string(spoken("unknown"));
    return form.exactBytes ? formatCount(bytes) + " B" : formatBytes(bytes);
}

std::string exactBytesText(std::int64_t bytes)
{
    return bytes < 0 ? std::string(spoken("not known before the run")) : english(say("bytes", bytes));
}

std::string sizeTextBeside(std::int64_t bytes, std::int64_t other, NumberForm form)
{
    const bool alike = bytes != other && sizeText(bytes, form) == sizeText(other, form);
    return alike ? exactBytesText(bytes) : sizeText(bytes, form);
}

std::string changeText(std::int64_t bytes, NumberForm form)
{
    if (bytes == 0) return std::string(spoken("same"));
    return (bytes > 0 ? "+" : "−") + sizeText(std::abs(bytes), form);
}

std::string exactChangeText(std::int64_t bytes)
{
    const std::string text = changeText(bytes);
    if (std::abs(bytes) < 1024) return text;
    return (bytes > 0 ? "+" : "−") + formatCount(std::abs(bytes)) + " (" + text + ")";
}

std::string addressText(std::int64_t offset, NumberForm form)
{
    if (form.decimalAddresses) return formatCount(offset);
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(offset));
    return text;
}

std::string addressText(Interval bytes, NumberForm form)
{
    return "[" + addressText(bytes.begin, form) + ", " + addressText(bytes.end, form) + ")";
}

std::string durationText(double seconds)
{
    if (seconds <= 0) return "0 s";
    if (seconds >= 999.5) return formatCount(std::llround(seconds)) + " s";
    if (seconds < 0.0009995) return formatReal(seconds * 1e6, 3) + " µs";
    if (seconds < 0.9995) return formatReal(seconds * 1e3, 3) + " ms";
    return formatReal(seconds, 3) + " s";
}

std::string percentText(double fraction)
{
    constexpr double LeastShown = 0.0005;
    constexpr double LeastParted = 9.9995; // reads as 1,000.0 %
    constexpr double MostParted = 1e15;    // still exact
    if (fraction > 0 && fraction < LeastShown) return std::string(spoken("under 0.1 %"));
    const std::string text = formatFixed(100 * fraction, 1);
    if (fraction < LeastParted || fraction > MostParted) return text + " %";
    const std::size_t whole = text.size() - 2; // digits in front of the mark
    return formatCount(std::stoll(text.substr(0, whole))) + text.substr(whole) + " %";
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
    return text.empty() ? std::string(spoken("none")) : text;
}

} // namespace plimsoll
