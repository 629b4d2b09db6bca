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

/// Whether this is a program of XLA in one of protobuf's forms (HloProto, HloModuleProto, a compiled program as text),
/// or a profile that carries some (XSpace). Built without protobuf: false.
[[nodiscard]] bool looksLikeHloProto(std::span<const std::byte> bytes);

/// As readHloText(). Instructions are in the order of the schedule that the file brings.
[[nodiscard]] Result<Graph> readHloProto(std::span<const std::byte> bytes, std::string_view wanted,
                                         const std::filesystem::path& file, const Context& context);

/// The plan that XLA made, its buffer assignment, by the names of readHloProto(). BadInput where the file brings none,
/// or one that leaves something without a place.
[[nodiscard]] Result<PlanFile> hloPlan(std::span<const std::byte> bytes, std::string_view wanted,
                                       const std::filesystem::path& file);

} // namespace plimsoll
