#pragma once

#include "core/graph/access_map.h"
#include "core/graph/graph.h"

#include <span>
#include <string_view>

namespace plimsoll {

/// One instruction of XLA: what its map needs. Types have known dimensions.
struct XlaOperation
{
    std::string_view opcode;
    const Attributes& attributes; ///< As HLO text has them: "{1,0}", "{[0:3:2]}", "0_1x2_0".
    std::span<const TensorType* const> operands;
    const TensorType& result;
};

/// Which elements of an operand an element of the result is made of. AccessAxis::moved counts start indices by their
/// position among the operands, as XLA clamps them: so that the slice lies inside.
[[nodiscard]] AccessMap accessInXla(const XlaOperation& operation, std::size_t operand);

} // namespace plimsoll
