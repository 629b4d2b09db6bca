#pragma once

#include "core/base/message.h"
#include "core/facts/report.h"
#include "core/picture/graph_picture.h"

#include <string>

namespace plimsoll::app {

/// Which boxes of \p open, where all groups are open, a filter of tables leaves: those with a row in the table of
/// nodes, or with a value that has one in the table of values.
[[nodiscard]] std::vector<char> matchesFilter(const GraphPicture& open, const Report& report, std::string_view filter);

/// What of it cannot be meant in either table; empty: nothing.
[[nodiscard]] Message filterComplaint(std::string_view filter);

} // namespace plimsoll::app
