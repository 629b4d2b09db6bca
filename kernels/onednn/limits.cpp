#include "core/base/bytes.h"
#include "kernels/onednn/recipe.h"

#include <algorithm>
#include <array>

namespace plimsoll::kernels::onednn {
namespace {

// oneDNN counts elements, blocks and positions of a window in 32 bits at many places: what wraps there may come out as
// a divisor of 0, which ends the process.
constexpr std::int64_t MostAlongAxis = std::int64_t {1} << 30; // rounded up to a block it still fits
constexpr std::int64_t MostBehindFirstAxis = (std::int64_t {1} << 31) - 1;
constexpr std::int64_t LongestStep = std::int64_t {1} << 20; // times a block of positions

/// Attributes that a primitive takes as distances between elements.
constexpr std::array Steps = {"dilations", "kernel_shape", "output_padding", "pads", "strides"};

bool fits(const std::optional<Shape>& shape)
{
    if (!shape) return true; // no tensor of the library
    std::int64_t behind = 1;
    for (std::size_t axis = 0; axis < shape->size(); ++axis) {
        if ((*shape)[axis] > MostAlongAxis) return false;
        if (axis > 0) behind = checkedMultiply(behind, (*shape)[axis]).value_or(MostBehindFirstAxis + 1);
        if (behind > MostBehindFirstAxis) return false;
    }
    return true;
}

} // namespace

bool fitsLibrary(const NodeView& node)
{
    for (std::size_t i = 0; i < node.inputCount() + node.operandCount(); ++i) {
        if (!fits(node.input(i))) return false;
    }
    for (std::size_t i = 0; i < node.node().outputs.size(); ++i) {
        if (!fits(node.output(i))) return false;
    }
    const auto isShort = [](std::int64_t step) { return step >= -LongestStep && step <= LongestStep; };
    return isShort(node.integer("size", 1)) && std::ranges::all_of(Steps, [&](const char* name) {
               return std::ranges::all_of(node.integers(name, {}), isShort);
           });
}

} // namespace plimsoll::kernels::onednn
