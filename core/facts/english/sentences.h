#pragma once

#include "core/facts/english/english.h"

/// The English templates, a table for each area.
namespace plimsoll::sentences {

[[nodiscard]] std::span<const Sentence> common();
[[nodiscard]] std::span<const Sentence> findings();
[[nodiscard]] std::span<const Sentence> decisions();
[[nodiscard]] std::span<const Sentence> notes();
[[nodiscard]] std::span<const Sentence> plans();
[[nodiscard]] std::span<const Sentence> runs();

// Errors: ids begin with the folder or file that says them.
[[nodiscard]] std::span<const Sentence> errorsOfApp();
[[nodiscard]] std::span<const Sentence> errorsOfCore();    ///< Of base, graph, plan, …: what is not listed below.
[[nodiscard]] std::span<const Sentence> errorsOfFormats(); ///< Of core/formats, less…
[[nodiscard]] std::span<const Sentence> errorsOfTorch();   ///< …torch, snapshot, plimsoll, onnx, packing and files.
[[nodiscard]] std::span<const Sentence> errorsOfLower();   ///< Of core/ops and core/lower.
[[nodiscard]] std::span<const Sentence> errorsOfKernels();

} // namespace plimsoll::sentences
