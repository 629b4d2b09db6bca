#pragma once

#include "core/facts/report.h"

#include <string>

namespace plimsoll::cli {

/// What `plan` prints: verdict, bytes with their bounds, the biggest storages, assumptions, what is unplanned,
/// findings.
[[nodiscard]] std::string summaryText(const Report& report);

/// The line that goes before all others where a plan is incomplete; empty where it is complete.
[[nodiscard]] std::string incompleteFirst(const Report& report);

/// One line for each finding and its fix; at most \p limit, then how many are left. Empty when there is none.
[[nodiscard]] std::string findingsText(const Report& report, std::size_t limit);

/// A line "note: …" for each note.
[[nodiscard]] std::string notesText(const Report& report);
/// "Assumed sizes (…): N = 1"; empty where all were given.
[[nodiscard]] std::string assumptionsText(const Report& report);

} // namespace plimsoll::cli
