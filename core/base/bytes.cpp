#include "core/base/bytes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace plimsoll {

std::optional<std::int64_t> checkedAdd(std::int64_t a, std::int64_t b)
{
    std::int64_t sum = 0;
    if (a < 0 || b < 0 || __builtin_add_overflow(a, b, &sum)) return std::nullopt;
    return sum;
}

std::optional<std::int64_t> checkedMultiply(std::int64_t a, std::int64_t b)
{
    std::int64_t product = 0;
    if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product)) return std::nullopt;
    return product;
}

std::optional<std::int64_t> checkedAlignUp(std::int64_t bytes, std::int64_t alignment)
{
    const auto padded = checkedAdd(bytes, alignment - 1);
    if (!padded) return std::nullopt;
    return *padded / alignment * alignment;
}

namespace {

NumberMarks s_marks;

std::string formatAs(double number, std::chars_format form, int precision)
{
    std::array<char, 512> text {}; // 1.8e308 has 309 digits
    const auto [end, failure] = std::to_chars(text.begin(), text.end(), number, form, precision);
    if (failure != std::errc()) return {};
    std::replace(text.begin(), end, '.', s_marks.decimal);
    return {text.begin(), end};
}

} // namespace

void setNumberMarks(NumberMarks marks)
{
    s_marks = marks;
}

std::string formatReal(double number, int digits)
{
    return formatAs(number, std::chars_format::general, digits);
}

std::string formatFixed(double number, int decimals)
{
    return formatAs(number, std::chars_format::fixed, decimals);
}

std::string formatBytes(std::int64_t bytes)
{
    if (bytes < 0)
        return "-" + formatBytes(bytes == std::numeric_limits<std::int64_t>::min()
                                     ? std::numeric_limits<std::int64_t>::max()
                                     : -bytes);
    if (bytes < 1024) return std::to_string(bytes) + " B";
    static constexpr std::array units = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double amount = static_cast<double>(bytes) / 1024.0;
    std::size_t unit = 0;
    while (amount >= 999.5 && unit + 1 < units.size()) {
        amount /= 1024.0;
        ++unit;
    }
    const int decimals = amount < 9.995 ? 2 : amount < 99.95 ? 1 : 0;
    return formatFixed(amount, decimals) + " " + units[unit];
}

std::string formatCount(std::int64_t number)
{
    std::string digits = std::to_string(number);
    const std::size_t first = number < 0 ? 1 : 0;
    for (std::size_t place = digits.size(); place > first + 3;) {
        place -= 3;
        digits.insert(place, 1, s_marks.group);
    }
    return digits;
}

namespace {

std::optional<double> unitFactor(std::string_view unit)
{
    if (unit.empty() || unit == "B") return 1.0;
    static constexpr std::string_view prefixes = "KMGTPE";
    const std::size_t power = prefixes.find(unit.front() == 'k' ? 'K' : unit.front());
    if (power == std::string_view::npos) return std::nullopt;
    const std::string_view rest = unit.substr(1);
    if (rest == "iB" || rest.empty()) return std::pow(1024.0, static_cast<double>(power + 1));
    if (rest == "B") return std::pow(1000.0, static_cast<double>(power + 1));
    return std::nullopt;
}

} // namespace

std::optional<std::int64_t> parseBytes(std::string_view text)
{
    if (text.starts_with("0x") || text.starts_with("0X")) {
        std::int64_t bytes = 0;
        const auto [end, bad] = std::from_chars(text.data() + 2, text.data() + text.size(), bytes, 16);
        if (bad != std::errc() || end != text.data() + text.size() || bytes < 0) return std::nullopt;
        return bytes;
    }
    double amount = 0;
    const auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), amount);
    if (failure != std::errc() || !(amount >= 0)) return std::nullopt;
    std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
    while (!unit.empty() && unit.front() == ' ')
        unit.remove_prefix(1);
    if (unit.empty()) { // whole numbers are read exactly, beyond the 53 bits of a double
        std::int64_t exact = 0;
        const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), exact);
        if (bad == std::errc() && end == rest) return exact;
    }
    const auto factor = unitFactor(unit);
    if (!factor || amount * *factor >= 9.2e18) return std::nullopt;
    return static_cast<std::int64_t>(std::llround(amount * *factor));
}

} // namespace plimsoll
