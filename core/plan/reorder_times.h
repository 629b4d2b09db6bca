#pragma once

#include "core/plan/implementation.h"

namespace plimsoll {

/// Under which name a catalogue has what was measured of reorders of such tensors: "reorder of float32[1,22,46,34]", an
/// offer for each pair of layouts. Which of them are needed is known only once implementations are chosen.
[[nodiscard]] std::string reorderOffersName(const TensorType& type);

/// Whether offers of that name are about reorders and not for a node.
[[nodiscard]] bool isReorderOffersName(std::string_view name);

} // namespace plimsoll
