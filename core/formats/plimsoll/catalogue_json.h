#pragma once

#include "core/base/result.h"
#include "core/plan/implementation.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace plimsoll {

/// Reads plimsoll.catalogue/1:
///
///     { "schema": "plimsoll.catalogue/1", "environment": {"onednn": "2.6.3"},
///       "absent": {BACKEND: "why it cannot run here"},
///       "offers": { NODE: [ {"backend", "name", "device", "scratchpadBytes", "requiredOutputBytes": [n…],
///                            "requiredInputBytes": [n…], "inputLayouts": ["plain", "nChw8c"…], "outputLayouts": […],
///                            "prepared": [ {"input", "layout", "bytes", "readAs": [n…]} ],
///                            "inPlace": [[output, input]…] or null, "alignment", "timeMs" or null, "provenance"} ] },
///       "reorders": { "float32[1,22,46,34]": [ an offer for each pair of layouts that was measured… ] } }
///
/// Only "backend" is required of an offer. \p file is named in errors, which say the path in it.
[[nodiscard]] Result<Catalogue> readCatalogueJson(std::string_view text, const std::filesystem::path& file);
[[nodiscard]] Result<Catalogue> readCatalogue(const std::filesystem::path& file);

[[nodiscard]] std::string catalogueJsonText(const Catalogue& catalogue, Wording words);

} // namespace plimsoll
