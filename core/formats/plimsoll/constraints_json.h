#pragma once

#include "core/base/result.h"
#include "core/formats/files/json_input.h"
#include "core/plan/constraints.h"

#include <nlohmann/json_fwd.hpp>

namespace plimsoll {

/// As reports and sessions list them: [{"kind": "apart", "of": "h", "other": "y"}].
[[nodiscard]] nlohmann::ordered_json constraintsJson(const Constraints& constraints);
/// From the field "constraints" of an object; none where it is missing. An Error has the place.
[[nodiscard]] Result<Constraints> readConstraints(const JsonPlace& object);

} // namespace plimsoll
