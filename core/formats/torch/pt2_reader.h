#pragma once

#include "core/formats/format.h"

namespace plimsoll {

/// Reads the program that torch.export.save wrote (.pt2): its graph as readFx reads a printed one, with the names of
/// parameters and buffers and the bytes of those that are stored as they are. Nothing is unpickled. Of
/// several models the first is read where none is named. Other archives are refused, with what to do instead.
[[nodiscard]] Result<Graph> readPt2(const FormatInput& input, const Context& context);

} // namespace plimsoll
