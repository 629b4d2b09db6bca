#pragma once

#include <string_view>

namespace plimsoll {

/// What readGraph() reads, for errors that say what else could be opened.
inline constexpr std::string_view ReadableFormats =
    "ONNX models, TensorFlow Lite models, ExecuTorch programs, programs of XLA (HLO), MXNet symbols, graphs printed or "
    "exported by PyTorch, its memory snapshots, plimsoll.graph/1 files and tables of buffers (CSV)";

} // namespace plimsoll
