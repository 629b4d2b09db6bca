#include "core/formats/hlo/hlo_literal.h"

#include "core/formats/files/element_text.h"

#include <charconv>

namespace plimsoll::hlo {
namespace {

/// "1", "-2.5", "true"; null for anything else.
nlohmann::json numberOf(std::string_view word)
{
    if (word == "true" || word == "false") return word == "true";
    std::int64_t whole = 0;
    std::uint64_t large = 0;
    double real = 0;
    const char* end = word.data() + word.size();
    const auto reads = [&](auto& number) {
        const auto [stop, trouble] = std::from_chars(word.data(), end, number);
        return trouble == std::errc() && stop == end;
    };
    if (reads(whole)) return whole;
    if (reads(large)) return large;
    return reads(real) ? nlohmann::json(real) : nlohmann::json();
}

/// JSON has no such number; as a text it is understood.
nlohmann::json elementOf(std::string_view word)
{
    if (word == "nan" || word == "-nan") return "nan";
    if (word == "inf" || word == "-inf") return std::string(word);
    return numberOf(word);
}

} // namespace

TensorData literalData(const Shape& shape, std::string_view text)
{
    const auto sizes = shape.type.shape();
    const auto count = sizes ? elementCount(*sizes) : std::nullopt;
    if (!count || shape.standIn || !hasNumbers(shape.type.dtype) || dtypeBits(shape.type.dtype) < 8) return {};
    std::vector<std::byte> bytes;
    std::int64_t read = 0;
    constexpr std::string_view Between = "{}, \t\r\n";
    for (std::size_t at = 0; (at = text.find_first_not_of(Between, at)) != std::string_view::npos;) {
        const std::string_view rest = text.substr(at);
        if (rest.starts_with("/*")) {
            at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
            continue;
        }
        const std::string_view word = rest.substr(0, rest.find_first_of(Between));
        const nlohmann::json number = elementOf(word);
        if (number.is_null() || !appendElement(JsonPlace(number, {}), shape.type.dtype, bytes).ok()) return {};
        at += word.size();
        ++read;
    }
    TensorData data;
    if (read == *count) data.bytes = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    return data;
}

} // namespace plimsoll::hlo
