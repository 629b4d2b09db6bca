#pragma once

#include "core/picture/plan_picture.h"

namespace plimsoll {

/// Stands each storage, or each value by itself, in a row of its own, the first that is born at the top. The rows of a
/// lane are equally high; a value takes as much of the row of its storage as of the bytes. Padding and alignment have
/// no row of a value.
///
///     | +--b--+                  | +--c-+
///     | +--a-----+       →       | +--a-----+
///     | +--c-+                   | +--b--+
void standInRows(const Report& report, PlanAxis axis, PlanPicture& picture);

} // namespace plimsoll
