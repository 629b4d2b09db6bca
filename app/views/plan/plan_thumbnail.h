#pragma once

#include "app/views/style.h"

#include <QImage>

namespace plimsoll {
struct Report;
}

namespace plimsoll::app {

/// The bars of the time × address picture and the bytes that findings contest, without words. \p pixels of the device;
/// may be called on any thread.
[[nodiscard]] QImage planThumbnail(const Report& report, QSize pixels, const Style& style);

} // namespace plimsoll::app
