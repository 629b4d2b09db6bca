#include "core/ops/partial_tensor.h"

#include <algorithm>

namespace plimsoll {

bool PartialTensor::complete() const
{
    return tracked &&
           std::all_of(elements.begin(), elements.end(), [](const auto& element) { return element.has_value(); });
}

} // namespace plimsoll
