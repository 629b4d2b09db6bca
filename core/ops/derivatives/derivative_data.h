#pragma once

#include <string_view>

/// The derivatives that are shipped, in the language of derivatives.h. The saving columns of PyTorch's table follow
/// from the formulas.
namespace plimsoll::ops {

extern const std::string_view ElementwiseDerivatives;
extern const std::string_view MatrixDerivatives;
extern const std::string_view MovementDerivatives;
extern const std::string_view NetworkDerivatives;
/// What was otherwise in 2019.
extern const std::string_view Derivatives2019;

} // namespace plimsoll::ops
