#pragma once

#include "core/formats/format.h"

namespace plimsoll {

/// Whether a JSON text has the keys of a symbol file at its top ("nodes" and "heads", no "schema"). Looks no further.
[[nodiscard]] bool looksLikeMxnet(const FormatInput& input);

/// Reads a symbol file of MXNet in any of its dialects: attributes under "attrs", "attr" or "param", entries of two or
/// three numbers, with or without node_row_ptr, nested graphs. Variables become parameters where an operator learns
/// them (weights, moving averages) or the file keeps an initialiser for them, else inputs. Their types are the file's
/// (__shape__, __dtype__), or follow from the graph once the inputs have shapes. A .params file beside it is not read.
[[nodiscard]] Result<Graph> readMxnet(const FormatInput& input, const Context& context);

} // namespace plimsoll
