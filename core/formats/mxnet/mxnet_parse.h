#pragma once

#include "core/formats/files/json_input.h"
#include "core/formats/mxnet/mxnet_symbol.h"
#include "core/formats/reading_room.h"

namespace plimsoll::mxnet {

/// Every index in the result is in range; names may be empty or stand for several nodes. Takes what the graph takes out
/// of \p room.
[[nodiscard]] Result<Symbol> parseSymbol(const JsonPlace& place, ReadingRoom& room);

} // namespace plimsoll::mxnet
