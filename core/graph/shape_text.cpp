#include "core/graph/shape_text.h"

#include <algorithm>
#include <charconv>

namespace plimsoll {

std::optional<std::int64_t> sizeFromText(std::string_view text)
{
    std::int64_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc() || end != text.data() + text.size() || size < 0) return std::nullopt;
    return size;
}

std::optional<Shape> shapeFromText(std::string_view text)
{
    Shape shape;
    if (text.empty()) return shape;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('x', begin), text.size());
        const auto size = sizeFromText(text.substr(begin, end - begin));
        if (!size) return std::nullopt;
        shape.push_back(*size);
        begin = end + 1;
    }
    return shape;
}

std::string shapeText(const Shape& shape)
{
    std::string text;
    for (const std::int64_t size : shape)
        text += (text.empty() ? "" : "x") + std::to_string(size);
    return text;
}

} // namespace plimsoll
