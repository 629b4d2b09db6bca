#pragma once

#include "core/picture/graph_picture.h"

namespace plimsoll {

/// More inputs, or outputs, of one closed group than this are one box.
inline constexpr std::size_t MostEnds = 12;

/// Adds a box for each output of the graph at the end of the boxes; one for all of a closed group that has many, unless
/// \p all are wanted.
void addOutputs(const Report& report, const StorageColours& colours, bool all, GraphPicture& picture);

/// One box for many inputs or outputs.
[[nodiscard]] GraphBox foldedBox(const Report& report, BoxKind kind, std::vector<ValueId> values);

/// Without what all of three names or more begin and end with, up to a '.', '/' or '_'.
[[nodiscard]] std::vector<std::string> whatTellsApart(std::vector<std::string> names);

} // namespace plimsoll
