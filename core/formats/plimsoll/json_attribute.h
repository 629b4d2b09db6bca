#pragma once

#include "core/formats/files/json_input.h"
#include "core/graph/graph.h"

#include <filesystem>

namespace plimsoll {

/// An attribute of a node: a number, a text, a list of either, or a tensor ({"dtype", "shape", "data"}) or list of
/// them. "nan", "inf" and "-inf" are numbers. What JSON cannot say by itself is {"type", "value"}: type is one of int,
/// float, string, ints, floats, strings, tensors, hex (a text that is not UTF-8).
/// \p file is the graph file, for "dataFile".
[[nodiscard]] Result<Attribute> readAttribute(const JsonPlace& place, const std::filesystem::path& file);

} // namespace plimsoll
