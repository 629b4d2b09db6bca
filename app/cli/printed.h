#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

#include <initializer_list>
#include <string>
#include <string_view>

namespace plimsoll::cli {

/// Text for people. Names come from files: what a terminal would obey in them is written out, "\x1b", and a name of one
/// of \p graphs that has line breaks stays on its line, and very
/// long ones lose their middle.
[[nodiscard]] std::string printable(std::string_view text, std::initializer_list<const Graph*> graphs = {});

/// To standard output. What other programs read is for writeText (files.h).
[[nodiscard]] Status printText(std::string_view text, std::initializer_list<const Graph*> graphs = {});

} // namespace plimsoll::cli
