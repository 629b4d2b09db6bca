#include "core/ops/partial_tensor.h"

#include <algorithm>

namespace plimsoll {

bool PartialTensor::complete() const
{
    return tracked && std::ranges::all_of(elements, [](const auto& element) { return element.has_value(); });
}

} // namespace plimsoll
