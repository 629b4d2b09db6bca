#include "core/ops/window.h"

#include "core/ops/safe_int.h"

#include <algorithm>

namespace plimsoll::ops {

namespace {

std::vector<std::int64_t> attributeOrAll(const NodeFacts& facts, std::string_view name, std::size_t count,
                                         std::int64_t fallback)
{
    const auto* given = facts.integersAttribute(name);
    return given && !given->empty() ? *given : std::vector<std::int64_t>(count, fallback);
}

bool allAtLeast(const std::vector<std::int64_t>& numbers, std::int64_t least)
{
    return std::ranges::all_of(numbers, [&](std::int64_t number) { return number >= least; });
}

} // namespace

Result<Window> readWindow(const NodeFacts& facts, const Dims& kernel)
{
    Window window;
    const std::size_t rank = kernel.size();
    const auto* given = facts.integersAttribute("kernel_shape");
    window.kernel = given ? *given : kernel;
    window.strides = attributeOrAll(facts, "strides", rank, 1);
    window.dilations = attributeOrAll(facts, "dilations", rank, 1);
    window.pads = attributeOrAll(facts, "pads", 2 * rank, 0);
    window.autoPad = facts.textAttribute("auto_pad", "NOTSET");
    window.ceilMode = facts.attribute("ceil_mode", 0) != 0;
    const bool lengths = window.kernel.size() == rank && window.strides.size() == rank &&
                         window.dilations.size() == rank && window.pads.size() == 2 * rank;
    if (!lengths) return facts.error(say("ops.kernel-shape-strides-dilations", word::Number {rank}));
    if (!allAtLeast(window.strides, 1) || !allAtLeast(window.dilations, 1))
        return facts.error(say("ops.stride-dilation-less"));
    for (std::size_t i = 0; i < rank; ++i) { // The attribute may say the sizes of the weights, where those are known.
        const std::int64_t size = window.kernel[i];
        if (size < 1 && (size != UnknownSize || given))
            return facts.error(say("ops.window-wide-along", word::Number {size}, word::Number {i}));
        if (!sameSize(kernel[i], size))
            return facts.error(say("ops.attribute-kernel-shape-says", describe(window.kernel), describe(kernel)));
    }
    static constexpr std::string_view Modes[] = {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID", ""};
    if (std::ranges::find(Modes, window.autoPad) == std::end(Modes))
        return facts.error(say("ops.attribute-auto-pad-notset", word::Name {window.autoPad}));
    const auto least = std::ranges::min_element(window.pads);
    if (least != window.pads.end() && *least < 0) return facts.error(say("ops.pad-pads-window", word::Number {*least}));
    return window;
}

std::optional<std::int64_t> placesOf(const Window& window, std::size_t axis, std::int64_t size)
{
    if (size < 0) return UnknownSize;
    const SafeInt stride = window.strides[axis];
    if (window.autoPad.starts_with("SAME")) return SafeInt(size).ceilDiv(stride).get();
    if (window.kernel[axis] < 0) return UnknownSize;
    const std::size_t rank = window.kernel.size();
    const bool padded = window.autoPad != "VALID";
    const SafeInt before = padded ? window.pads[axis] : 0;
    const SafeInt after = padded ? window.pads[axis + rank] : 0;
    const SafeInt reach = (SafeInt(window.kernel[axis]) - 1) * window.dilations[axis] + 1;
    const SafeInt room = SafeInt(size) + before + after - reach;
    if (!room.get() || *room.get() < 0) return std::nullopt;
    SafeInt places = (window.ceilMode ? room.ceilDiv(stride) : room.floorDiv(stride)) + 1;
    if (window.ceilMode) {
        // The last window must not begin in the padding behind the input.
        const auto begin = ((places - 1) * stride - before - size).get();
        if (begin && *begin >= 0) places = places - 1;
    }
    return places.get();
}

} // namespace plimsoll::ops
