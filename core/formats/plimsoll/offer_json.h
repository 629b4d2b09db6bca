#pragma once

#include "core/formats/files/json_input.h"
#include "core/plan/implementation.h"

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace plimsoll {

/// One offer as plimsoll.catalogue/1 and the nodes of plimsoll.report/1 carry it.
[[nodiscard]] nlohmann::ordered_json offerJson(const Implementation& offer);
/// \p unknown is given the places of keys that mean nothing here.
[[nodiscard]] Result<Implementation> readOffer(const JsonPlace& place, std::vector<std::string>& unknown);

/// By the name of what they are for, as plimsoll.catalogue/1 and plimsoll.plan/1 carry them.
using OfferTable = std::map<std::string, std::vector<Implementation>>;
[[nodiscard]] nlohmann::ordered_json offersJson(const OfferTable& all);
/// The same, but for what has the same offers as one before it stands the name of that one: a graph of 100,000 nodes
/// has a few dozen lists.
[[nodiscard]] nlohmann::ordered_json briefOffersJson(const OfferTable& all);
/// Those under \p key of \p root; none where it is absent.
[[nodiscard]] Status readOffers(const JsonPlace& root, const char* key, OfferTable& offers,
                                std::vector<std::string>& unknown);

} // namespace plimsoll
