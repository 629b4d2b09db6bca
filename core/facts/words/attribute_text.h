#pragma once

#include "core/graph/graph.h"

#include <string>

namespace plimsoll {

/// The first few elements of an attribute, or how many there are: "[3, 3]", "same_upper", "2 tensors".
[[nodiscard]] std::string attributeText(const Attribute& attribute);

/// All of a node: "axis=1, kernel_shape=[3, 3]".
[[nodiscard]] std::string attributesText(const Attributes& attributes);

} // namespace plimsoll
