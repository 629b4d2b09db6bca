#pragma once

#include "core/facts/report.h"

#include <string>

namespace plimsoll {

/// Of what is planned, and no more: where every value and scratchpad lies, in which order nodes run, and which
/// implementations they take. Two plans with one digest are the same, whatever made them.
[[nodiscard]] std::string planDigest(const Report& report);

} // namespace plimsoll
