#pragma once

#include "core/formats/format.h"

namespace plimsoll {

/// Whether a text holds a graph as PyTorch prints it: a line that begins with "def forward(".
[[nodiscard]] bool looksLikeFx(std::string_view text);

/// Reads a graph that PyTorch printed: a log of TORCH_TRACE or TORCH_LOGS, print_readable() or a module's code. A log
/// holds several: one may be named, else a forward graph is read together with its backward graph as "training",
/// or the joint, the inference or the first graph alone. Graph::notes says what else is there.
///
/// Operators of ATen become those of the common vocabulary where it has them, and stay opaque under their own name
/// where not; views and writes keep their aliasing, symbols their names. What is kept for the backward graph stands in
/// Graph::extra, {"pytorch": {"saved": […], "tangents": […], "gradients": [… by primal, null where none]}}.
/// Errors say the line.
[[nodiscard]] Result<FormatContent> readFx(const FormatInput& input, const Context& context);

} // namespace plimsoll
