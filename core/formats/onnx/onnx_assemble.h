#pragma once

#include "core/formats/onnx/onnx_model.h"
#include "core/formats/reading_room.h"

namespace plimsoll::onnx {

/// The Graph that \p model says, its functions already inlined. Initialisers become parameters, also where they are
/// listed among the inputs, as files before IR 4 do with every weight.
/// \p room: what is left of the file's.
[[nodiscard]] Result<Graph> toGraph(Model model, const ReadingRoom& room);

} // namespace plimsoll::onnx
