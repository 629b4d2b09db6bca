#include "core/plan/layout.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace plimsoll {
namespace {

/// The letters of an image's axes, by rank.
std::string_view imageLetters(std::size_t rank)
{
    constexpr std::string_view ByRank[] = {"", "", "nc", "ncw", "nchw", "ncdhw"};
    return rank < std::size(ByRank) ? ByRank[rank] : std::string_view();
}

constexpr std::string_view Alphabet = "abcdefghijklm";

char lower(char letter)
{
    return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

/// "16c" at the front of \p text, taken off it.
std::optional<Layout::Block> takeBlock(std::string_view& text, std::string_view letters)
{
    constexpr std::int64_t Largest = 1'024;
    std::int64_t size = 0;
    while (!text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) && size <= Largest) {
        size = size * 10 + (text.front() - '0');
        text.remove_prefix(1);
    }
    const std::size_t axis = text.empty() ? std::string_view::npos : letters.find(text.front());
    if (axis == std::string_view::npos || size < 2 || size > Largest) return std::nullopt;
    text.remove_prefix(1);
    return Layout::Block {axis, size};
}

bool isCut(const Layout& layout, std::size_t axis)
{
    return std::ranges::find(layout.blocks, axis, &Layout::Block::axis) != layout.blocks.end();
}

Layout rowMajor(std::size_t rank)
{
    Layout layout;
    layout.order.resize(rank);
    std::iota(layout.order.begin(), layout.order.end(), std::size_t {0});
    return layout;
}

} // namespace

std::optional<Layout> layoutFromName(std::string_view name, std::size_t rank)
{
    if (name == PlainLayout) return rowMajor(rank);
    const bool isImage = std::any_of(name.begin(), name.end(), [](char c) { return lower(c) == 'n'; });
    const std::string_view letters = isImage ? imageLetters(rank) : Alphabet.substr(0, rank);
    if (letters.empty() || letters.size() != rank || name.size() < rank) return std::nullopt;
    Layout layout;
    const std::string_view outer = name.substr(0, rank);
    for (const char letter : outer) {
        const std::size_t axis = letters.find(lower(letter));
        const bool isNew = std::find(layout.order.begin(), layout.order.end(), axis) == layout.order.end();
        if (axis == std::string_view::npos || !isNew) return std::nullopt;
        layout.order.push_back(axis);
    }
    for (std::string_view rest = name.substr(rank); !rest.empty();) {
        const auto block = takeBlock(rest, letters);
        if (!block) return std::nullopt;
        layout.blocks.push_back(*block);
    }
    for (std::size_t i = 0; i < rank; ++i) { // an axis is written as a capital where it is cut, and only there
        if (isCut(layout, layout.order[i]) != (outer[i] != lower(outer[i]))) return std::nullopt;
    }
    return layout;
}

std::string layoutName(const Layout& layout, bool asImage)
{
    const std::size_t rank = layout.order.size();
    if (layout == rowMajor(rank)) return std::string(PlainLayout);
    const std::string_view image = asImage ? imageLetters(rank) : std::string_view();
    const std::string_view letters = image.empty() ? Alphabet : image;
    std::string name;
    for (const std::size_t axis : layout.order) {
        const char letter = letters[axis];
        name += isCut(layout, axis) ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter;
    }
    for (const Layout::Block& block : layout.blocks)
        name += std::to_string(block.size) + letters[block.axis];
    return name;
}

std::optional<Shape> paddedShape(const Layout& layout, const Shape& shape)
{
    Shape padded = shape;
    for (std::size_t axis = 0; axis < padded.size(); ++axis) {
        std::int64_t unit = 1;
        for (const Layout::Block& block : layout.blocks) {
            if (block.axis == axis) unit *= block.size;
        }
        const auto size = checkedAlignUp(padded[axis], unit);
        if (!size) return std::nullopt;
        padded[axis] = *size;
    }
    return padded;
}

std::optional<std::int64_t> layoutBytes(const Layout& layout, DType dtype, const Shape& shape)
{
    if (dtypeBits(dtype) % 8 != 0 || dtypeBits(dtype) == 0) return std::nullopt;
    const auto padded = paddedShape(layout, shape);
    return padded ? denseBytes(dtype, *padded) : std::nullopt;
}

std::vector<std::int64_t> blockStrides(const Layout& layout, const Shape& padded)
{
    std::vector<std::int64_t> unit(padded.size(), 1);
    std::int64_t stride = 1;
    for (const Layout::Block& block : layout.blocks) {
        unit[block.axis] *= block.size;
        stride *= block.size;
    }
    std::vector<std::int64_t> strides(padded.size(), 0);
    for (auto axis = layout.order.rbegin(); axis != layout.order.rend(); ++axis) {
        strides[*axis] = stride;
        stride *= padded[*axis] / unit[*axis];
    }
    return strides;
}

} // namespace plimsoll
