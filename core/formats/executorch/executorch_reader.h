#pragma once

#include "core/formats/format.h"

namespace plimsoll {

/// Reads one method of an ExecuTorch program (.pte), and its plan. Instructions are nodes under the names of their
/// kernels ("aten::add.out"), delegates under theirs; types are those that the file says. What has a place in the
/// file's memory plan lies in the arena, inputs and weights too; other inputs, and results without a place, are the
/// caller's. Where none is named, the first method with instructions is read. Methods with loops are Unsupported, and
/// everything where flatbuffers was not there when this was built.
[[nodiscard]] Result<FormatContent> readExecutorch(const FormatInput& input, const Context& context);

} // namespace plimsoll
