#pragma once

#include "core/formats/format.h"

#include <array>

namespace plimsoll {

/// "kind" of an "alias", by AliasKind.
inline constexpr std::array<std::string_view, 5> AliasNames = {"fresh", "in-place", "identity", "view", "mutates"};

/// Reads plimsoll.graph/1. Data files are looked for beside the file, and only there. Errors say the path in the file
/// ("nodes[3].inputs[0]"), or line and column where it is not JSON at all.
[[nodiscard]] Result<Graph> readGraphJson(const FormatInput& input, const Context& context);

/// The graph as plimsoll.graph/1, all data inside. Reads weights from their files.
[[nodiscard]] Result<std::string> graphJsonText(const Graph& graph);

/// Writes plimsoll.graph/1; weights above a few KiB go to "NAME.DIGEST.weights.bin" beside \p file, with the digest of
/// their bytes. Both files appear, or neither.
[[nodiscard]] Status writeGraphJson(const Graph& graph, const std::filesystem::path& file);

} // namespace plimsoll
