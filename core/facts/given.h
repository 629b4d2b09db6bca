#pragma once

#include "core/facts/report.h"

namespace plimsoll {

/// "The given plan needs 4.00 KiB (4,096 B); our own plan of the same graph, order and terms needs 3.00 KiB (3,072 B);
/// no plan of this order and terms is below 2.00 KiB (2,048 B), whatever shares." Empty for a plan of our own.
[[nodiscard]] Message givenSentence(const Report& report);

} // namespace plimsoll
