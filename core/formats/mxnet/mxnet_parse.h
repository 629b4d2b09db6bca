#pragma once

#include "core/formats/files/json_input.h"
#include "core/formats/mxnet/mxnet_symbol.h"

namespace plimsoll::mxnet {

/// Every index in the result is in range; names may be empty or stand for several nodes.
[[nodiscard]] Result<Symbol> parseSymbol(const JsonPlace& place);

} // namespace plimsoll::mxnet
