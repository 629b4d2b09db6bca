#pragma once

#include "core/facts/report.h"

namespace plimsoll {

/// Warned: no rule is broken under the policies that were chosen, and yet something is dangerous or left out; or all
/// that is broken is suppressed. What is suppressed is no warning.
enum class VerdictLevel : std::uint8_t { Legal, Warned, Broken };
[[nodiscard]] VerdictLevel verdictLevel(const Report& report);

/// Whether the plan is legal: "Legal.", "Not legal: 2 errors (overlap, undersized), 1 suppressed.", "No rule is broken
/// under this policy, but 1 warning: …", "Incomplete, so not judged as a whole."
[[nodiscard]] Message legalityText(const Report& report);

/// That, and how good it is: "Legal. Peak 38.2 MiB at step 118, 12.7 % above the bound." \p remedy is said of a plan
/// that is incomplete.
[[nodiscard]] Message verdictText(const Report& report, const Message& remedy = {});

/// How many warnings there are and what the first one says: "1 warning: outputs a and b share bytes; …". Empty: none
/// that is not suppressed.
[[nodiscard]] Message warningText(const Report& report);

/// A size beside another: exact where both would read the same and are not.
[[nodiscard]] Argument sizeBeside(std::int64_t bytes, std::int64_t other);

/// Whether the lower bound says anything of plans that may be used: a sharing that is not legal has
/// one of its own. Of a plan that is too large it does.
[[nodiscard]] bool boundCounts(const Report& report);

/// Peak over lower bound, less one; 0 when there is no bound.
[[nodiscard]] double aboveBound(const Report& report);
/// What is taken beyond the lower bound, and "12.7 % above the lower bound".
[[nodiscard]] std::int64_t wasteBytes(const Report& report);
[[nodiscard]] Message wasteText(const Report& report);
/// "12.7 % above the bound, proved lowest"; empty where the plan is at its bound.
[[nodiscard]] Message aboveBoundText(const Report& report);

/// What stands above a document: "Memory plan of resnet18".
[[nodiscard]] Message reportTitle(const Report& report);

} // namespace plimsoll
