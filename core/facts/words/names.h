#pragma once

#include "core/facts/report.h"

#include <span>
#include <string>

namespace plimsoll {

[[nodiscard]] std::string storageText(StorageId storage); ///< "s12"; empty for none.
[[nodiscard]] std::string_view roleName(ValueRole role);  ///< "input", "parameter", "body-input", …
/// That of a value; "output" of what nodes make and the caller can look at.
[[nodiscard]] std::string_view roleOf(const Report& report, ValueId value);
[[nodiscard]] std::string_view sharedAsName(const PlannedValue& value); ///< "in-place", "view", …; empty: it does not.

/// Of a storage in no arena: whether its bytes are not the caller's, but made ahead of the run, as prepared weights
/// are.
[[nodiscard]] bool isMadeAhead(const Report& report, const Storage& storage);
/// The first value of a storage, or whose scratchpad it is.
[[nodiscard]] std::string storageTitle(const Report& report, StorageId storage);

/// Its space, with its number where the plan has several there: "cpu", "cpu #3".
[[nodiscard]] std::string arenaName(const Report& report, ArenaId arena);
/// The arena's name, or why it is in none: "cpu", "caller's bytes", "made ahead of the run".
[[nodiscard]] std::string whereText(const Report& report, const Storage& storage);
/// The same of a value, or why it has no storage: "at run time", "never stored, inside conv1".
[[nodiscard]] std::string whereText(const Report& report, ValueId value);

/// "a, b and 3 more".
[[nodiscard]] Message joinedNames(const Graph& graph, std::span<const ValueId> values, std::size_t most);

} // namespace plimsoll
