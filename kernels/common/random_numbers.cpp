#include "kernels/common/random_numbers.h"

#include <cmath>
#include <numbers>

namespace plimsoll::kernels {

double RandomNumbers::normal()
{
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
}

} // namespace plimsoll::kernels
