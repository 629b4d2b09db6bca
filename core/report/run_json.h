#pragma once

#include "core/facts/run_result.h"

#include <nlohmann/json.hpp>

namespace plimsoll {

/// The "run" object of plimsoll.report/1. For the .cpp files of JSON writers: the header is heavy.
[[nodiscard]] nlohmann::ordered_json runJson(const RunResult& run);

} // namespace plimsoll
