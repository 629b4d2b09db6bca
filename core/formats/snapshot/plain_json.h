#pragma once

#include "core/base/result.h"
#include "core/formats/snapshot/pickle_reader.h"

#include <string_view>

namespace plimsoll {

/// A JSON text as plain data: what stands often in it is held once, and no tree is made of it. Errors say the byte.
[[nodiscard]] Result<PickledData> readPlainJson(std::string_view text);

} // namespace plimsoll
