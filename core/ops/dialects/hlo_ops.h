#pragma once

#include <cstddef>
#include <string_view>

namespace plimsoll {

/// Whether an opcode of XLA makes element i of its result of element i of that operand, and of no other of its
/// elements (HloInstruction::IsElementwiseOnOperand).
[[nodiscard]] bool isElementwiseInXla(std::string_view opcode, std::size_t operand);

} // namespace plimsoll
