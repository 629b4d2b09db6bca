#pragma once

#include "core/ops/node_facts.h"

namespace plimsoll::ops {

/// The attributes that convolutions and poolings share, filled up with their defaults.
struct Window
{
    std::vector<std::int64_t> kernel;
    std::vector<std::int64_t> strides;
    std::vector<std::int64_t> dilations;
    std::vector<std::int64_t> pads; ///< Begins of all axes, then ends.
    std::string autoPad;            ///< "NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"
    bool ceilMode = false;
};

/// \p kernel is what the weights say; the attribute kernel_shape fills in what is not known
/// of them. An Error where lengths or numbers are
/// wrong.
[[nodiscard]] Result<Window> readWindow(const NodeFacts& facts, const Dims& kernel);

/// Places of the window along axis \p axis of the given size; UnknownSize where the size is unknown.
/// Empty where the window is larger than the padded axis or a number does not fit.
[[nodiscard]] std::optional<std::int64_t> placesOf(const Window& window, std::size_t axis, std::int64_t size);

} // namespace plimsoll::ops
