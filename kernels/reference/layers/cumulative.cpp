#include "kernels/common/call_tools.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"

namespace plimsoll::kernels {
namespace {

template <bool Product, typename T>
T joinNumbers(T a, T b)
{
    if constexpr (std::is_floating_point_v<T>) {
        return Product ? a * b : a + b;
    } else {
        const auto left = static_cast<std::uint64_t>(a);
        const auto right = static_cast<std::uint64_t>(b);
        return static_cast<T>(Product ? left * right : left + right);
    }
}

/// Running sums or products along an axis, forwards or backwards, with or without the element itself.
template <bool Product>
Status accumulate(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intInput(call, 1, 0), x.shape.size()));
    if (!visitNumeric(x.dtype, []<typename T>() {})) return refuseType(call, x.dtype);
    const bool exclusive = intAttribute(call, "exclusive", 0) != 0;
    const bool reverse = intAttribute(call, "reverse", 0) != 0;
    const AxisSplit split = splitAt(x.shape, axis);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    visitNumeric(x.dtype, [&]<typename T>() {
        const Reader<T> in(x);
        Writer<T> out(y);
        for (std::int64_t o = 0; o < split.outer * split.inner; ++o) {
            const std::int64_t base = o / split.inner * split.size * split.inner + o % split.inner;
            T running = Product ? T {1} : T {0};
            for (std::int64_t i = 0; i < split.size; ++i) {
                const std::int64_t at = base + (reverse ? split.size - 1 - i : i) * split.inner;
                const T next = joinNumbers<Product>(running, in[at]);
                out[at] = exclusive ? running : next;
                running = next;
            }
        }
    });
    return {};
}

constexpr KernelEntry Table[] = {
    {"", "CumProd", accumulate<true>},
    {"", "CumSum", accumulate<false>},
};

} // namespace

constinit const KernelTable cumulativeKernels = Table;

} // namespace plimsoll::kernels
