#pragma once

#include "core/plan/search_record.h"

#include <string>

namespace plimsoll {

/// The best plan and the proved bound over the time of the search, as one svg element inside a page that defines the
/// classes with svgStyle(). Empty where there was only one plan.
[[nodiscard]] std::string searchSvg(const SearchRecord& record);

} // namespace plimsoll
