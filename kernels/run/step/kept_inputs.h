#pragma once

#include "kernels/run/run.h"

namespace plimsoll::kernels {

/// After the last step: whether what belongs to the caller and was not given away holds the bytes that were given. What
/// the graph itself changes may differ. A mismatch of the rule input-overwritten names what was written there last;
/// what was written with equal bytes is one, too.
void checkKeptInputs(Run& run);

} // namespace plimsoll::kernels
