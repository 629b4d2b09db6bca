#pragma once

#include "core/graph/graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll {

/// How the elements of a captured tensor lie stands among the keys of its value: "pytorch": {"stride": [1, 64]}.

/// \p strides as such keys.
[[nodiscard]] std::string strideKeys(const std::vector<std::int64_t>& strides);

/// By dimension, elements from one index to the next. Empty where the file does not say, or other than one number of 0
/// or more for each dimension.
[[nodiscard]] std::vector<std::int64_t> capturedStrides(const Value& value);

} // namespace plimsoll
