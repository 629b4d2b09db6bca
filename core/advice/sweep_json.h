#pragma once

#include "core/base/result.h"
#include "core/plan/policy_change.h"

#include <string>
#include <string_view>

namespace plimsoll {

/// plimsoll.sweep/1.
[[nodiscard]] std::string sweepJsonText(const Sweep& found);

/// The same back; of what was refused the words. BadInput where the text is none.
[[nodiscard]] Result<Sweep> readSweepJson(std::string_view text);

} // namespace plimsoll
