#pragma once

#include "core/formats/format.h"

namespace plimsoll {

/// Reads a file of any of the Formats. The content decides, not the name. Of anything else the Error says what it looks
/// like and what can be read. "FILE#NAME" is one graph of a file that holds several, or one device of a snapshot. A
/// file is parsed once, also for its plan.
[[nodiscard]] Result<FormatContent> readFile(const std::filesystem::path& path, const Context& context);
[[nodiscard]] Result<FormatContent> readFile(const FormatInput& input, const Context& context);

/// The graph alone.
[[nodiscard]] Result<Graph> readGraph(const std::filesystem::path& path, const Context& context);
[[nodiscard]] Result<Graph> readGraph(std::span<const std::byte> bytes, const Context& context);

/// A plimsoll.plan/1, the plan in a plimsoll.report/1, or the plan that a file of one of the Formats brings.
[[nodiscard]] Result<PlanFile> readPlan(const std::filesystem::path& path);

/// The file of "FILE#NAME": the part in front of the last "#", unless there is a file of the whole name.
[[nodiscard]] std::filesystem::path fileOfGraph(const std::filesystem::path& path);

/// The graph that a shape, a plan or a record belongs to: 32 hexadecimal digits over names, operators, attributes,
/// types and nesting; not over weights, file names or the format it was read from.
[[nodiscard]] std::string graphDigest(const Graph& graph);

} // namespace plimsoll
