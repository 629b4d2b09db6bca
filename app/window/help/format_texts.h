#pragma once

#include <QString>

namespace plimsoll::app {

/// What an open dialog lists: the extensions of all formats, and all files.
[[nodiscard]] QString graphFilters();

/// A paragraph for each format: how to get such a file.
[[nodiscard]] QString formatParagraphs();

/// A row of the manual's table for each format.
[[nodiscard]] QString formatRows();

/// A row of the manual's table for each policy: which rules enforce it.
[[nodiscard]] QString lawRows();

/// A section for each policy that has no heading on the page: what its row says.
[[nodiscard]] QString policySections(const QString& page);

/// A section for each bug of the gallery.
[[nodiscard]] QString bugSections();

} // namespace plimsoll::app
