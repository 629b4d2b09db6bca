#pragma once

#include "core/formats/onnx/onnx_model.h"
#include "core/formats/onnx/onnx_sparse.h"

#include <functional>

namespace plimsoll::onnx {

using ParseGraph = std::function<Result<GraphMessage>(WireBytes)>;

/// AttributeProto of any kind; files from before ONNX 1.0 do not say which, it is told by what is there. Sparse tensors
/// become dense ones, out of \p room.
[[nodiscard]] Result<AttributeMessage> parseAttribute(WireBytes message, const Source& source, ReadingRoom& room,
                                                      const ParseGraph& graph);

/// Puts \p place in front of where \p error is: "graph.node[3] 'conv1'.attribute[0] 'pads', byte 512".
[[nodiscard]] Error inside(const std::string& place, Error error);

/// "place 'name'", without the name when there is none.
[[nodiscard]] std::string named(const std::string& place, const std::string& name);

} // namespace plimsoll::onnx
