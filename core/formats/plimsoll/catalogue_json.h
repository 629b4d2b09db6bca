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
/// Only "backend" is required of an offer. In place of a list may stand the name of a node before it that has the same.
/// \p file is named in errors, which say the path in it.
[[nodiscard]] Result<Catalogue> readCatalogueJson(std::string_view text, const std::filesystem::path& file);
[[nodiscard]] Result<Catalogue> readCatalogue(const std::filesystem::path& file);

/// \p brief: on one line, and what has the same offers as a node before it names that one in place of a list.
[[nodiscard]] std::string catalogueJsonText(const Catalogue& catalogue, Wording words, bool brief = false);

} // namespace plimsoll
