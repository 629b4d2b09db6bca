#pragma once

#include "kernels/common/formula/formula_scope.h"

namespace plimsoll::kernels {

/// The steps of formulas as plain loops in double precision, in memory of the host.
[[nodiscard]] const FormulaSteps& hostSteps();

} // namespace plimsoll::kernels
