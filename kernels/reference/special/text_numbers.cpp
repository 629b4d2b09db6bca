#include "kernels/reference/special/text_numbers.h"

#include "kernels/common/numbers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace plimsoll::kernels {
namespace {

template <typename T>
std::string shortest(T number, std::chars_format format)
{
    std::array<char, 64> text {};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number, format).ptr;
    return {text.data(), end};
}

} // namespace

std::string numberText(double number, bool isDouble)
{
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
    const double magnitude = std::fabs(number);
    const bool plain = magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16);
    const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
    const std::string text = isDouble ? shortest(number, format) : shortest(static_cast<float>(number), format);
    return plain && text.find('.') == std::string::npos ? text + ".0" : text;
}

std::optional<TextNumber> textNumber(const std::string& text)
{
    std::size_t begin = text.find_first_not_of(" \t\n");
    if (begin == std::string::npos) return std::nullopt;
    const std::size_t end = text.find_last_not_of(" \t\n") + 1;
    if (text[begin] == '+') ++begin;
    const char* first = text.data() + begin;
    const char* last = text.data() + end;
    TextNumber number;
    const auto real = std::from_chars(first, last, number.real);
    if (real.ptr != last || real.ec == std::errc::invalid_argument) return std::nullopt;
    const auto integer = std::from_chars(first, last, number.integer);
    if (integer.ptr != last || integer.ec != std::errc()) number.integer = truncated(number.real);
    return number;
}

std::string onnxTypeName(DType dtype)
{
    if (dtype == DType::Float32) return "FLOAT";
    if (dtype == DType::Float64) return "DOUBLE";
    std::string name(dtypeName(dtype));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return name;
}

} // namespace plimsoll::kernels
