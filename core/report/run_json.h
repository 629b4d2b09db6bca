#pragma once

#include "core/base/result.h"
#include "core/plan/run_result.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace plimsoll {

/// The "run" object of plimsoll.report/1.
[[nodiscard]] nlohmann::ordered_json runJson(const RunResult& run);

/// The same back from the text of a report; absent fields keep their defaults. BadInput where the text is no JSON, or
/// the report of no run.
[[nodiscard]] Result<RunResult> readRunJson(std::string_view report);

} // namespace plimsoll
