#pragma once

#include "core/plan/suppression.h"

#include "core/base/result.h"

#include <filesystem>

#include <nlohmann/json_fwd.hpp>

namespace plimsoll {

class JsonPlace;

[[nodiscard]] Result<Suppression> readSuppression(const JsonPlace& place);
[[nodiscard]] nlohmann::ordered_json suppressionJson(const Suppression& suppression);

/// Of a plimsoll.suppressions/1, or of a session.
[[nodiscard]] Result<std::vector<Suppression>> readSuppressions(const std::filesystem::path& file);

} // namespace plimsoll
