#pragma once

#include "core/formats/mxnet/mxnet_symbol.h"

namespace plimsoll::mxnet {

/// Brings a symbol of an older MXNet up to date, as MXNet does when it loads one: inputs that files of 0.8 leave out
/// (auxiliary states above all) become variables "<node>_<input>", and the axis -1 of argmax and argmin that meant
/// "all" before 0.9.5 is taken away.
void upgrade(Symbol& symbol);

} // namespace plimsoll::mxnet
