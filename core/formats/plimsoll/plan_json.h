#pragma once

#include "core/base/result.h"
#include "core/plan/plan_file.h"

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace plimsoll {

class JsonPlace;

/// Reads plimsoll.plan/1, or the plan inside a plimsoll.report/1. \p file is named in errors, which say the path in it.
/// Offsets and sizes are not judged here, only that they are numbers: that is what `check` is for.
[[nodiscard]] Result<PlanFile> readPlanJson(std::string_view text, const std::filesystem::path& file);

/// The same that stands inside of another file; the place is named in errors.
[[nodiscard]] Result<PlanFile> readPlanJson(const JsonPlace& place);
[[nodiscard]] nlohmann::ordered_json planJson(const PlanFile& plan);

/// One of the "arenas" of either.
[[nodiscard]] Result<PlannedArena> readPlannedArena(const JsonPlace& place);

[[nodiscard]] std::string planJsonText(const PlanFile& plan);
[[nodiscard]] Status writePlanJson(const PlanFile& plan, const std::filesystem::path& file);

} // namespace plimsoll
