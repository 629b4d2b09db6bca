#include "kernels/common/call_tools.h"
#include "kernels/common/moved_elements.h"
#include "kernels/common/numbers.h"
#include "kernels/common/random_numbers.h"
#include "kernels/reference/kernel_families.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <numbers>

namespace plimsoll::kernels {
namespace {

/// The run's seed, mixed with the node's own where it has one.
RandomNumbers randomNumbers(const KernelCall& call)
{
    const auto own = std::bit_cast<std::uint64_t>(floatAttribute(call, "seed", 0));
    return RandomNumbers(call.seed() ^ own);
}

template <typename Next>
Status fillRandom(KernelCall& call, DType dtype, const Shape& shape, const Next& next)
{
    if (!isFloatingPoint(dtype)) return refuseType(call, dtype);
    PLIMSOLL_ASSIGN(out, call.output(0, dtype, shape));
    RandomNumbers random = randomNumbers(call);
    std::vector<double> numbers(static_cast<std::size_t>(out.elements()));
    for (double& number : numbers)
        number = next(random);
    storeNumbers(numbers.data(), out);
    return {};
}

Status fillNormal(KernelCall& call, DType dtype, const Shape& shape)
{
    const double mean = floatAttribute(call, "mean", 0);
    const double scale = floatAttribute(call, "scale", 1);
    return fillRandom(call, dtype, shape, [=](RandomNumbers& random) { return mean + scale * random.normal(); });
}

Status fillUniform(KernelCall& call, DType dtype, const Shape& shape)
{
    const double low = floatAttribute(call, "low", 0);
    const double high = floatAttribute(call, "high", 1);
    return fillRandom(call, dtype, shape, [=](RandomNumbers& random) { return low + (high - low) * random.uniform(); });
}

DType askedType(const KernelCall& call, DType fallback)
{
    return hasAttribute(call, "dtype") ? dtypeFromOnnx(intAttribute(call, "dtype", 1)) : fallback;
}

/// Like the input, or as the attributes say.
template <Status (*fill)(KernelCall&, DType, const Shape&), bool Like>
Status draw(KernelCall& call)
{
    if (!Like) return fill(call, askedType(call, DType::Float32), intsAttribute(call, "shape").value_or(Shape()));
    PLIMSOLL_ASSIGN(like, inputTensor(call, 0));
    return fill(call, askedType(call, like.dtype), like.shape);
}

Status bernoulli(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    std::vector<double> numbers = doublesOf(x);
    RandomNumbers random = randomNumbers(call);
    for (double& number : numbers)
        number = random.uniform() < number ? 1 : 0;
    return writeNumbers(call, 0, askedType(call, x.dtype), x.shape, numbers);
}

/// Draws classes from rows of unnormalised log-probabilities.
Status multinomial(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    const std::int64_t draws = intAttribute(call, "sample_size", 1);
    if (x.shape.size() != 2 || x.shape[1] < 1 || draws < 0) return refuse(call, say("kernel.no-rows", describe(x)));
    PLIMSOLL_ASSIGN(out, call.output(0, askedType(call, DType::Int32), {x.shape[0], draws}));
    RandomNumbers random = randomNumbers(call);
    const std::vector<double> scores = doublesOf(x);
    std::vector<std::int64_t> chosen;
    const auto classes = static_cast<std::size_t>(x.shape[1]);
    for (std::size_t row = 0; row < static_cast<std::size_t>(x.shape[0]); ++row) {
        std::vector<double> sums(classes, 0);
        for (std::size_t c = 0; c < classes; ++c)
            sums[c] = (c == 0 ? 0 : sums[c - 1]) + std::exp(scores[row * classes + c]);
        for (std::int64_t i = 0; i < draws; ++i) {
            const double at = random.uniform() * sums.back();
            const auto below = [at](double sum) { return sum <= at; };
            chosen.push_back(std::partition_point(sums.begin(), std::prev(sums.end()), below) - sums.begin());
        }
    }
    storeNumbers(chosen.data(), out);
    return {};
}

/// Training only with the input or, in the oldest versions, without is_test; a kept element is scaled up.
Status dropout(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    const double ratio = scalarInput(call, 1, floatAttribute(call, "ratio", 0.5));
    const bool training = call.opset() >= 12 && intInput(call, 2, 0) != 0 && ratio != 0;
    const DType maskType = call.opset() > 0 && call.opset() < 10 ? x.dtype : DType::Bool;
    if (!training) {
        PLIMSOLL_TRY(writeReshaped(call, 0, x, x.shape));
        const std::vector<std::int64_t> ones(call.wantsOutput(1) ? static_cast<std::size_t>(x.elements()) : 0, 1);
        return call.wantsOutput(1) ? writeIntegers(call, 1, maskType, x.shape, ones) : Status();
    }
    RandomNumbers random = randomNumbers(call);
    std::vector<double> numbers = doublesOf(x);
    std::vector<std::int64_t> mask;
    for (double& number : numbers) {
        mask.push_back(random.uniform() >= ratio ? 1 : 0);
        number = mask.back() != 0 ? number / (1 - ratio) : 0;
    }
    PLIMSOLL_TRY(writeNumbers(call, 0, x.dtype, x.shape, numbers));
    return call.wantsOutput(1) ? writeIntegers(call, 1, maskType, x.shape, mask) : Status();
}

constexpr KernelEntry RandomKernels[] = {
    {"", "Bernoulli", bernoulli},
    {"", "Dropout", dropout},
    {"", "Multinomial", multinomial},
    {"", "RandomNormal", draw<fillNormal, false>},
    {"", "RandomNormalLike", draw<fillNormal, true>},
    {"", "RandomUniform", draw<fillUniform, false>},
    {"", "RandomUniformLike", draw<fillUniform, true>},
};

} // namespace

constinit const KernelTable randomKernels = RandomKernels;

} // namespace plimsoll::kernels
