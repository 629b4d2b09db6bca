#pragma once

#include "core/formats/hlo/hlo_module.h"

namespace plimsoll::hlo {

/// Which results of an instruction may be written over which operands, by their leaves, where the table of operators
/// does not say it: fusions, by what they compute; custom calls, by what they declare; those that make several results
/// in place. Nothing: as the table says.
[[nodiscard]] std::optional<std::vector<AliasTrait>> inPlaceTraits(const Module& module, const Computation& computation,
                                                                   const Instruction& instruction);

/// What the operations inside a fusion read of each other and of its operands, by their leaves; null for others.
[[nodiscard]] std::shared_ptr<const InnerOperations> innerOperations(const Module& module,
                                                                     const Computation& computation,
                                                                     const Instruction& instruction);

} // namespace plimsoll::hlo
