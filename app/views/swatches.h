#pragma once

#include "core/picture/storage_colours.h"

#include <QPixmap>
#include <QVariant>

#include <memory>

namespace plimsoll::app {

/// The colours of storages as the pictures have them, to stand beside the names of storages elsewhere.
struct Swatches
{
    std::shared_ptr<const StorageColours> colours; ///< Null: not known yet.

    /// A small square for what StorageRole gave; null for a storage that is in no picture.
    [[nodiscard]] QPixmap pixmapOf(const QVariant& storage, double ratio) const;
};

/// Edge of the square, in pixels.
inline constexpr int SwatchSize = 10;

} // namespace plimsoll::app
