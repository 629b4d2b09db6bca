#pragma once

#include "core/formats/format.h"

namespace plimsoll {

/// Reads an ONNX model, IR versions 1 to 13 and whatever of later ones is laid out the same. The file is mapped, not
/// loaded: tensors above a few KiB are recorded as places in it, and their bytes are not touched. External data is
/// looked for beside the file, and only there. Functions of the model are inlined.
///
/// Errors name the file, the byte and the path ("graph.node[12] 'conv1'.attribute[0] 'pads', byte 512").
/// From memory every tensor is copied, and external data refused.
[[nodiscard]] Result<Graph> readOnnx(const FormatInput& input, const Context& context);

} // namespace plimsoll
