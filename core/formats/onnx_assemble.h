#pragma once

#include "core/formats/onnx_model.h"

namespace plimsoll::onnx {

/// The Graph that \p model says, its functions already inlined: names resolved, nested graphs opened, nodes in an
/// order of execution. Initialisers become parameters, also where they are listed among the inputs.
[[nodiscard]] Result<Graph> assemble(Model model);

} // namespace plimsoll::onnx
