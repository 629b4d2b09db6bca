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

/// Graph::format of what readExecutorch() makes.
inline constexpr std::string_view ExecutorchFormat = "executorch";

/// Whether the bytes are a flatbuffer that says it is an ExecuTorch program.
[[nodiscard]] inline bool looksLikeExecutorch(std::span<const std::byte> bytes)
{
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return text.size() >= 8 && text.substr(4, 4) == "ET12";
}

/// Reads one method of an ExecuTorch program (.pte). Instructions are nodes under the names of their kernels
/// ("aten::add.out"), delegates under theirs; types are those that the file says. What has a place in the file's memory
/// plan lies in the arena, inputs and weights too; other inputs, and results without a place, are the caller's. \p
/// wanted is the method to read; the first one with instructions if it is empty. Methods with loops are Unsupported,
/// and everything where flatbuffers was not there when this was built.
[[nodiscard]] Result<Graph> readExecutorch(std::span<const std::byte> bytes, std::string_view wanted,
                                           const std::filesystem::path& file, const Context& context);

/// The plan that the method brings along, by the names of readExecutorch().
[[nodiscard]] Result<PlanFile> executorchPlan(std::span<const std::byte> bytes, std::string_view wanted,
                                              const std::filesystem::path& file);

} // namespace plimsoll
