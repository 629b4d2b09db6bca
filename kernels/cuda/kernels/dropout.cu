#include "kernels/common/random_numbers.h"
#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/launch/map.h"

#include <bit>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

/// The mask is bool, and before opset 10 of the type of the numbers.
template <typename T, typename Mask>
struct DropoutBody
{
    struct Drawn
    {
        float value;
        bool kept;
    };
    const T* x;
    T* y;
    Mask* mask; ///< May be absent.
    std::uint64_t seed;
    double ratio;

    PLIMSOLL_DEVICE Drawn read(std::int64_t i) const
    {
        return {load(x[i]), uniformNumber(randomBits(seed, static_cast<std::uint64_t>(i))) >= ratio};
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, const Drawn& drawn) const
    {
        y[i] = rounded<T>(drawn.kept ? static_cast<float>(drawn.value / (1 - ratio)) : 0);
        if (mask) mask[i] = rounded<Mask>(static_cast<Computed<Mask>>(drawn.kept));
    }
};

/// Training only with the input; a kept element is scaled up.
Status dropout(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_TRY(call.readOnHost(1));
    PLIMSOLL_TRY(call.readOnHost(2));
    if (!isComputedReal(x.dtype)) return declineType(call, x.dtype);
    const double ratio = scalarInput(call, 1, floatAttribute(call, "ratio", 0.5));
    const bool training = call.opset() >= 12 && intInput(call, 2, 0) != 0 && ratio != 0;
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    const bool numberMask = call.opset() > 0 && call.opset() < 10;
    void* mask = nullptr;
    if (call.wantsOutput(1)) {
        PLIMSOLL_ASSIGN(kept, call.output(1, numberMask ? x.dtype : DType::Bool, x.shape));
        mask = kept.data;
    }
    call.mayLieOver(0, 0);
    if (!training && !call.wantsOutput(1)) {
        copyElements(call.queue(), x, y);
        return {};
    }
    const auto own = std::bit_cast<std::uint64_t>(floatAttribute(call, "seed", 0));
    const auto launch = [&]<typename T, typename Mask>() {
        forEach(call.queue(), x.elements(),
                DropoutBody<T, Mask> {x.as<const T>(), y.as<T>(), static_cast<Mask*>(mask), call.seed() ^ own,
                                      training ? ratio : 0.0});
    };
    visitReal(x.dtype, [&]<typename T>() {
        numberMask ? launch.template operator()<T, T>() : launch.template operator()<T, bool>();
    });
    return {};
}

constexpr DeviceKernel Table[] = {
    {"", "Dropout", "elementwise", dropout},
};

} // namespace

constinit const DeviceTable dropoutKernels = Table;

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
