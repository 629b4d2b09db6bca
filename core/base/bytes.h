#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

/// Sums, products and roundings of sizes. Empty when the result does not fit in 63 bits or an operand is negative.
[[nodiscard]] std::optional<std::int64_t> checkedAdd(std::int64_t a, std::int64_t b);
[[nodiscard]] std::optional<std::int64_t> checkedMultiply(std::int64_t a, std::int64_t b);
/// \p alignment is at least 1; it need not be a power of two.
[[nodiscard]] std::optional<std::int64_t> checkedAlignUp(std::int64_t bytes, std::int64_t alignment);

/// Like checkedAlignUp, for sizes that are already known to be far from the limit.
[[nodiscard]] constexpr std::int64_t alignUp(std::int64_t bytes, std::int64_t alignment)
{
    return (bytes + alignment - 1) / alignment * alignment;
}

/// The marks of "1,234.5" in a language.
struct NumberMarks
{
    char decimal = '.';
    char group = ',';
};
/// How the functions below write numbers from now on. For texts that are read; expects no other thread that writes one
/// at that moment.
void setNumberMarks(NumberMarks marks);

[[nodiscard]] std::string formatReal(double number, int digits);    ///< As "%.*g" does: "12.3", "1.2e+09".
[[nodiscard]] std::string formatFixed(double number, int decimals); ///< "12.7".

/// "0 B", "512 B", "12.5 KiB", "38.2 MiB": three digits, binary units.
[[nodiscard]] std::string formatBytes(std::int64_t bytes);

/// "1,234,567": for exact figures beside the rounded ones.
[[nodiscard]] std::string formatCount(std::int64_t number);

/// "4096", "0x1000", "64KiB", "1.5 GiB", "2MB"; empty when it is none of these or negative.
[[nodiscard]] std::optional<std::int64_t> parseBytes(std::string_view text);

} // namespace plimsoll
