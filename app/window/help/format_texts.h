#pragma once

#include <QString>

namespace plimsoll::app {

/// What an open dialog lists: the extensions of all formats, and all files.
[[nodiscard]] QString graphFilters();

/// A paragraph for each format: how to get such a file.
[[nodiscard]] QString formatParagraphs();

/// A row of the manual's table for each format.
[[nodiscard]] QString formatRows();

} // namespace plimsoll::app
