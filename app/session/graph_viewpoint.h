#pragma once

#include <QString>

namespace plimsoll::app {

/// The file on disk of what was opened: of "FILE#NAME" the part in front. Empty where there is none.
[[nodiscard]] QString fileOnDisk(const QString& opened);

} // namespace plimsoll::app
