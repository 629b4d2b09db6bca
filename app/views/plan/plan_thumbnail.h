#pragma once

#include "app/views/style.h"

#include <QImage>

namespace plimsoll {
struct Report;
}

namespace plimsoll::app {

/// The bars of the time × address picture and the bytes that findings contest, without words. May be called on any
/// thread. \p ratio: pixels of the device for one of \p size.
[[nodiscard]] QImage planThumbnail(const Report& report, QSize size, double ratio, const Style& style);

} // namespace plimsoll::app
