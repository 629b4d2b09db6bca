#pragma once

#include "kernels/cuda/launch.h"
#include "kernels/reference/windows.h"

#include <cstdlib>
#include <optional>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

inline constexpr int Axes = 3; ///< Spatial ones; fewer are padded in front with sizes of 1.

/// Windows over planes, as threads need them: reference/windows.h in arrays. All counts fit in 32 bits, since divisions
/// of 64 bits take some hundred instructions of a device.
struct Sliding
{
    std::int32_t plane[Axes];  ///< What the windows slide over.
    std::int32_t kernel[Axes]; ///< Elements of a window.
    std::int32_t strides[Axes];
    std::int32_t dilations[Axes];
    std::int32_t padBegin[Axes];
    std::int32_t padEnd[Axes];
    std::int32_t windows[Axes]; ///< How many there are.
    std::int32_t planeSize;     ///< All elements of a plane, …
    std::int32_t kernelSize;    ///< … of a window, …
    std::int32_t windowCount;   ///< … and all windows.

    static constexpr std::int32_t InPad = -1;
    static constexpr std::int32_t BeyondPad = -2; ///< Where ceil_mode lets a window hang over.

    /// Where element \p element of window \p window lies in the plane, or one of the constants.
    PLIMSOLL_DEVICE std::int32_t source(std::int32_t window, std::int32_t element) const
    {
        std::int32_t at = 0;
        std::int32_t step = 1;
        bool padded = false;
        for (int d = Axes - 1; d >= 0; --d) {
            const std::int32_t place =
                window % windows[d] * strides[d] + element % kernel[d] * dilations[d] - padBegin[d];
            if (place >= plane[d] + (padEnd[d] > 0 ? padEnd[d] : 0)) return BeyondPad;
            padded = padded || place < 0 || place >= plane[d];
            at += place * step;
            step *= plane[d];
            window /= windows[d];
            element /= kernel[d];
        }
        return padded ? InPad : at;
    }
    /// The window whose element \p element lies at \p place of the plane; -1 where there is none.
    PLIMSOLL_DEVICE std::int32_t windowAt(std::int32_t place, std::int32_t element) const
    {
        std::int32_t at = 0;
        std::int32_t step = 1;
        for (int d = Axes - 1; d >= 0; --d) {
            const std::int32_t reach = place % plane[d] + padBegin[d] - element % kernel[d] * dilations[d];
            if (reach < 0 || reach % strides[d] != 0 || reach / strides[d] >= windows[d]) return -1;
            at += reach / strides[d] * step;
            step *= windows[d];
            place /= plane[d];
            element /= kernel[d];
        }
        return at;
    }
};

/// Empty for more than three spatial dimensions, or where something does not fit in 32 bits.
inline std::optional<Sliding> slidingOf(const Windows& windows)
{
    constexpr std::int64_t Most = std::int64_t {1} << 29; // sums of three such numbers fit
    const std::size_t rank = windows.input.size();
    const auto reach = [&](std::size_t d) {
        return windows.kernel[d] * windows.dilations[d] + windows.output[d] * windows.strides[d];
    };
    bool fits = rank <= Axes;
    for (std::size_t d = 0; fits && d < rank; ++d)
        fits = reach(d) < Most && std::abs(windows.padBegin[d]) < Most && std::abs(windows.padEnd[d]) < Most;
    if (!fits || productOf(windows.input) > Most || productOf(windows.output) > Most) return std::nullopt;
    Sliding sliding = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}, {1, 1, 1}, 1, 1, 1};
    const auto take = [rank](std::int32_t* to, const Shape& from) {
        for (std::size_t d = 0; d < rank; ++d)
            to[Axes - rank + d] = static_cast<std::int32_t>(from[d]);
    };
    take(sliding.plane, windows.input);
    take(sliding.kernel, windows.kernel);
    take(sliding.strides, windows.strides);
    take(sliding.dilations, windows.dilations);
    take(sliding.padBegin, windows.padBegin);
    take(sliding.padEnd, windows.padEnd);
    take(sliding.windows, windows.output);
    sliding.planeSize = static_cast<std::int32_t>(productOf(windows.input));
    sliding.kernelSize = static_cast<std::int32_t>(productOf(windows.kernel));
    sliding.windowCount = static_cast<std::int32_t>(productOf(windows.output));
    return sliding;
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
