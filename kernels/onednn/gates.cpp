#include "kernels/onednn/gates.h"

#include <numeric>

namespace plimsoll::kernels::onednn {

std::vector<std::size_t> gateOrder(std::int64_t gates)
{
    if (gates == 4) return {0, 2, 3, 1};
    std::vector<std::size_t> order(static_cast<std::size_t>(gates));
    std::iota(order.begin(), order.end(), std::size_t {0});
    return order;
}

void permuteGates(const float* from, const Shape& shape, float* to)
{
    const std::vector<std::size_t> order = gateOrder(shape[1]);
    const auto hidden = static_cast<std::size_t>(shape[2]);
    const auto inputs = static_cast<std::size_t>(shape[3]);
    const std::size_t all = order.size() * hidden * inputs;
    for (std::int64_t direction = 0; direction < shape[0]; ++direction, from += all, to += all) {
        for (std::size_t gate = 0; gate < order.size(); ++gate) {
            for (std::size_t out = 0; out < hidden; ++out) {
                const float* row = from + (order[gate] * hidden + out) * inputs;
                for (std::size_t in = 0; in < inputs; ++in)
                    to[(in * order.size() + gate) * hidden + out] = row[in];
            }
        }
    }
}

} // namespace plimsoll::kernels::onednn
