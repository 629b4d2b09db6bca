#pragma once

#include "core/facts/report.h"

namespace plimsoll {

/// What was asked of the gradient of one variable, and where it is handed out.
struct GradientRow
{
    ValueId variable;
    GradientRequest request = GradientRequest::Write;
    ValueId gradient; ///< Invalid where none is computed: it was not asked for, or the loss does not depend on it.
    ValueId buffer;   ///< The caller's, that it is added to.
};

/// One for each variable that required a gradient when the graph was handed in; of several calls, one for each
/// gradient.
[[nodiscard]] std::vector<GradientRow> gradientRows(const Report& report);

} // namespace plimsoll
