#include "kernels/onednn/recipe.h"

#include <algorithm>

namespace plimsoll::kernels::onednn {
namespace {

} // namespace

std::optional<Window> findWindow(const NodeView& node, const Shape& input, const Shape& output, const Shape& kernel)
{
    const std::size_t spatial = kernel.size();
    if (spatial < 1 || spatial > 3 || input.size() != spatial + 2 || output.size() != spatial + 2) return std::nullopt;
    const Shape ones(spatial, 1);
    Window window {kernel, node.integers("strides", ones), node.integers("dilations", ones), Shape(spatial, 0),
                   Shape(spatial, 0)};
    const auto pads = node.integers("pads", Shape(2 * spatial, 0));
    const auto positive = [](const Shape& list) {
        return std::all_of(list.begin(), list.end(), [](std::int64_t n) { return n > 0; });
    };
    if (window.strides.size() != spatial || window.dilations.size() != spatial || pads.size() != 2 * spatial)
        return std::nullopt;
    if (!positive(window.strides) || !positive(window.dilations) || !positive(kernel)) return std::nullopt;
    const std::string autoPad = node.text("auto_pad", "NOTSET");
    const auto reachOf = [&](std::size_t i) { return (kernel[i] - 1) * window.dilations[i] + 1; };
    if (autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER") {
        // The odd element goes behind (UPPER) or in front (LOWER).
        for (std::size_t i = 0; i < spatial; ++i) {
            const auto total =
                std::max<std::int64_t>(0, (output[i + 2] - 1) * window.strides[i] + reachOf(i) - input[i + 2]);
            window.before[i] = autoPad == "SAME_UPPER" ? total / 2 : total - total / 2;
            window.after[i] = total - window.before[i];
        }
    } else if (autoPad != "VALID") {
        window.before.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(spatial));
        window.after.assign(pads.begin() + static_cast<std::ptrdiff_t>(spatial), pads.end());
    }
    const auto negative = [](std::int64_t n) { return n < 0; };
    if (std::any_of(window.before.begin(), window.before.end(), negative)) return std::nullopt;
    if (std::any_of(window.after.begin(), window.after.end(), negative)) return std::nullopt;
    // Padding behind such that oneDNN's rounding down gives the output's size. ceil_mode adds some; what a stride
    // skips needs none.
    for (std::size_t i = 0; i < spatial; ++i) {
        const std::int64_t room = input[i + 2] + window.before[i] + window.after[i] - reachOf(i);
        if (room < 0) return std::nullopt;
        if (room / window.strides[i] + 1 == output[i + 2]) continue;
        window.after[i] = (output[i + 2] - 1) * window.strides[i] + reachOf(i) - input[i + 2] - window.before[i];
        if (window.after[i] < 0 || window.after[i] >= reachOf(i)) return std::nullopt;
    }
    return window;
}

Shape lessOne(Shape dilations)
{
    for (std::int64_t& dilation : dilations)
        --dilation;
    return dilations;
}

} // namespace plimsoll::kernels::onednn
