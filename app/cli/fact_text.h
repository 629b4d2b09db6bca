#pragma once

#include "core/facts/fact_table.h"

#include <string>

namespace plimsoll::cli {

/// A cell on a line of its own: sizes with their unit, sentences with what else is known, and with the option that
/// helps.
[[nodiscard]] std::string factText(const Cell& cell);

/// The first rows of a table in aligned columns under its title, after an empty line; columns with nothing in them are
/// left out. Empty where there is nothing to show.
[[nodiscard]] std::string tableText(const FactTable& table, const Plans& plans, std::size_t most);

} // namespace plimsoll::cli
