#pragma once

#include "kernels/common/sliding_windows.h"
#include "kernels/cuda/launch/divisor.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

inline constexpr int Axes = 3; ///< Spatial ones; fewer are padded in front with sizes of 1.

/// One number for each axis that is divided by.
struct PerAxis
{
    Divisor at[Axes];
    PLIMSOLL_DEVICE const Divisor& operator[](int axis) const { return at[axis]; }
    PLIMSOLL_DEVICE std::int32_t number(int axis) const { return static_cast<std::int32_t>(at[axis].size); }
};

/// Windows over planes, as threads need them: common/sliding_windows.h in arrays. All counts fit in 32 bits.
struct Sliding
{
    PerAxis plane;  ///< What the windows slide over.
    PerAxis kernel; ///< Elements of a window.
    PerAxis strides;
    PerAxis windows; ///< How many there are.
    std::int32_t dilations[Axes] = {1, 1, 1};
    std::int32_t padBegin[Axes] = {};
    std::int32_t padEnd[Axes] = {};
    Divisor planeSize;   ///< All elements of a plane, …
    Divisor kernelSize;  ///< … of a window, …
    Divisor windowCount; ///< … and all windows.

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
                window % windows[d] * strides.number(d) + element % kernel[d] * dilations[d] - padBegin[d];
            if (place >= plane.number(d) + (padEnd[d] > 0 ? padEnd[d] : 0)) return BeyondPad;
            padded = padded || place < 0 || place >= plane.number(d);
            at += place * step;
            step *= plane.number(d);
            window = window / windows[d];
            element = element / kernel[d];
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
            if (reach < 0 || reach % strides[d] != 0 || reach / strides[d] >= windows.number(d)) return -1;
            at += reach / strides[d] * step;
            step *= windows.number(d);
            place = place / plane[d];
            element = element / kernel[d];
        }
        return at;
    }
};

/// For at most \p parts planes, windows or kernels beside each other. Empty where there is nothing to slide over or no
/// window, for more than three spatial dimensions, or where something does not fit in 32 bits.
inline std::optional<Sliding> slidingOf(const Windows& windows, std::int64_t parts)
{
    constexpr std::int64_t Most = std::int64_t {1} << 29; // sums of three such numbers fit
    const std::size_t rank = windows.input.size();
    const auto reach = [&](std::size_t d) {
        return windows.kernel[d] * windows.dilations[d] + windows.output[d] * windows.strides[d];
    };
    bool fits = rank <= Axes;
    for (std::size_t d = 0; fits && d < rank; ++d)
        fits = reach(d) < Most && std::abs(windows.padBegin[d]) < Most && std::abs(windows.padEnd[d]) < Most;
    const std::int64_t largest = std::max(productOf(windows.input), productOf(windows.output));
    const std::int64_t least = std::min(productOf(windows.input), productOf(windows.output));
    if (!fits || largest > Most || least < 1) return std::nullopt;
    const std::int64_t elements = parts * std::max(largest, productOf(windows.kernel));
    Sliding sliding;
    const auto divide = [rank](PerAxis& by, const Shape& from) {
        for (std::size_t d = 0; d < rank; ++d)
            by.at[Axes - rank + d] = Divisor(from[d]);
    };
    const auto take = [rank](std::int32_t* to, const Shape& from) {
        for (std::size_t d = 0; d < rank; ++d)
            to[Axes - rank + d] = static_cast<std::int32_t>(from[d]);
    };
    divide(sliding.plane, windows.input);
    divide(sliding.kernel, windows.kernel);
    divide(sliding.strides, windows.strides);
    divide(sliding.windows, windows.output);
    take(sliding.dilations, windows.dilations);
    take(sliding.padBegin, windows.padBegin);
    take(sliding.padEnd, windows.padEnd);
    sliding.planeSize = Divisor(productOf(windows.input), elements);
    sliding.kernelSize = Divisor(productOf(windows.kernel), elements);
    sliding.windowCount = Divisor(productOf(windows.output), elements);
    return sliding;
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
