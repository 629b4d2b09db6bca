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

/// Why a value has no size, and the option that gives one: "the file gives no shape for 'x'; give one with --shape
/// x=…".
[[nodiscard]] std::string unplannedReason(const Report& report, const UnplannedValue& one);

/// "no broken rule in 104 steps", "2 errors (overlap, undersized)", "incomplete, so not judged as a whole".
[[nodiscard]] std::string verdict(const Report& report);

/// "storage 12", "the scratchpad of 'conv1'".
[[nodiscard]] std::string storageName(const Report& report, StorageId id);

/// "cpu [0, 64) B", or whose bytes they are.
[[nodiscard]] std::string placeText(const Report& report, const Storage& storage);

} // namespace plimsoll::cli
