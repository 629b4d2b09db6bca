#pragma once

#include "kernels/run/world.h"

namespace plimsoll::kernels {

/// A value as a reference kernel reads it: row-major, whatever layout the world has it in. A weight that was prepared
/// is the weight that it was made of.
[[nodiscard]] RuntimeValue plainValue(const PlannedProgram& program, const World& world,
                                      const ExternalValues& externals, ValueId value);

} // namespace plimsoll::kernels
