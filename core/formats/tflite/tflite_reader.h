#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/plan/plan_file.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace plimsoll {

/// Graph::format of what readTflite() makes.
inline constexpr std::string_view TfliteFormat = "tflite";

/// Whether the bytes are a flatbuffer that says it is a TensorFlow Lite model.
[[nodiscard]] inline bool looksLikeTflite(std::span<const std::byte> bytes)
{
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return text.size() >= 8 && text.substr(4, 4) == "TFL3";
}

/// Reads a TensorFlow Lite model (schema 3). Its operators are nodes of the domain "tflite" under their own names,
/// custom ones under their codes; IF and WHILE become If and Loop. Types are those that the file says. Inputs and
/// variable tensors are planned in the arena, where its interpreters keep them; constants are parameters. \p wanted is
/// the signature or subgraph to read where there are several; the first if it is empty.
///
/// Offsets that the file brings (OfflineMemoryAllocation) are pins, unless every value has one: then they are a plan to
/// be judged, see tflitePlan(). Built without flatbuffers, it is Unsupported.
[[nodiscard]] Result<Graph> readTflite(std::span<const std::byte> bytes, std::string_view wanted,
                                       const std::filesystem::path& file, const Context& context);

/// The plan that the model brings along, by the names of readTflite(). BadInput where it brings none, or a partial one.
[[nodiscard]] Result<PlanFile> tflitePlan(std::span<const std::byte> bytes, std::string_view wanted,
                                          const std::filesystem::path& file);

} // namespace plimsoll
