#pragma once

#include "core/formats/json_input.h"
#include "core/plan/implementation.h"

namespace plimsoll {

/// One offer as plimsoll.catalogue/1 and the nodes of plimsoll.report/1 carry it.
[[nodiscard]] nlohmann::ordered_json offerJson(const Implementation& offer);
/// \p unknown is given the places of keys that mean nothing here.
[[nodiscard]] Result<Implementation> readOffer(const JsonPlace& place, std::vector<std::string>& unknown);

} // namespace plimsoll
