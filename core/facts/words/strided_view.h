#pragma once

#include "core/base/message.h"
#include "core/graph/graph.h"

namespace plimsoll {

/// "strides [4], within 36 B"; empty for what is one piece.
[[nodiscard]] Message stridesText(const Value& value);

} // namespace plimsoll
