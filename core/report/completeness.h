#pragma once

#include "core/report/report.h"

#include <string>

namespace plimsoll {

/// What a plan leaves out: "253 of 416 values have no size (the file gives no shape for 'data'; give one with …)".
/// The reason is that of the first. Empty where every value has a size.
[[nodiscard]] std::string incompleteText(const Report& report);

} // namespace plimsoll
