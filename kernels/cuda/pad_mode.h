#pragma once

#include "kernels/cuda/device_call.h"
#include "kernels/cuda/launch.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

enum class PadMode : std::uint8_t { Constant, Edge, Wrap, Reflect };

inline Result<PadMode> padMode(const KernelCall& call)
{
    const std::string mode = textAttribute(call, "mode", "constant");
    if (mode == "constant") return PadMode::Constant;
    if (mode == "edge") return PadMode::Edge;
    if (mode == "wrap") return PadMode::Wrap;
    if (mode == "reflect") return PadMode::Reflect;
    return decline(call, "mode " + mode);
}

/// Where a place beyond the ends of a line of \p size lies in it; -1: nowhere.
PLIMSOLL_DEVICE inline std::int64_t continuedPlace(PadMode mode, std::int64_t at, std::int64_t size)
{
    if (at >= 0 && at < size) return at;
    if (size == 0 || mode == PadMode::Constant) return -1;
    if (mode == PadMode::Edge) return at < 0 ? 0 : size - 1;
    if (mode == PadMode::Wrap) return (at % size + size) % size;
    const std::int64_t period = size > 1 ? 2 * (size - 1) : 1;
    const std::int64_t inside = (at % period + period) % period;
    return inside < size ? inside : period - inside;
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
