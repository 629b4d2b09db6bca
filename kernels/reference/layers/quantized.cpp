#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/reference/layers/convolution.h"
#include "kernels/reference/layers/matmul.h"
#include "kernels/reference/layers/quantization.h"

namespace plimsoll::kernels {
namespace {

/// Integers minus their zero points. A zero point is one for all, or one for each place along \p axis.
Result<std::vector<std::int32_t>> centred(const KernelCall& call, std::size_t input, std::size_t zeroInput,
                                          std::int64_t axis)
{
    PLIMSOLL_ASSIGN(tensor, inputTensor(call, input));
    std::vector<std::int32_t> numbers(static_cast<std::size_t>(tensor.elements()));
    loadNumbers(tensor, numbers.data());
    const TensorView* given = optionalInput(call, zeroInput);
    if (!given || numbers.empty()) return numbers;
    const std::vector<std::int64_t> zeros = integersOf(*given);
    const auto rank = static_cast<std::int64_t>(tensor.shape.size());
    const AxisSplit split =
        rank == 0 ? AxisSplit()
                  : splitAt(tensor.shape, std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank - 1));
    if (zeros.size() != 1 && static_cast<std::int64_t>(zeros.size()) != split.size) {
        return refuse(call, "the zero points " + describe(*given) + " do not fit " + describe(tensor) + ".");
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::int64_t place = static_cast<std::int64_t>(i) / split.inner % split.size;
        const std::int64_t zero = zeros.size() == 1 ? zeros[0] : zeros[static_cast<std::size_t>(place)];
        numbers[i] -= static_cast<std::int32_t>(zero);
    }
    return numbers;
}

Status matMulInteger(KernelCall& call)
{
    PLIMSOLL_ASSIGN(a, centred(call, 0, 2, -2));
    PLIMSOLL_ASSIGN(b, centred(call, 1, 3, -1));
    PLIMSOLL_ASSIGN(plan, planMatMul(call, call.input(0).tensor.shape, call.input(1).tensor.shape));
    PLIMSOLL_ASSIGN(out, call.output(0, DType::Int32, plan.outShape));
    multiplyBatches(plan, a.data(), b.data(), out.as<std::int32_t>());
    return {};
}

/// A scale that is one for all or one for each row (or column, or channel).
double scaleAt(const std::vector<double>& scales, std::int64_t place)
{
    return scales.size() == 1 ? scales[0] : scales[static_cast<std::size_t>(place) % scales.size()];
}

/// Inputs 0-2: a and its scale and zero point; 3-5: b's; 6-7: the outcome's.
Status qLinearMatMul(KernelCall& call)
{
    PLIMSOLL_ASSIGN(a, centred(call, 0, 2, -2));
    PLIMSOLL_ASSIGN(b, centred(call, 3, 5, -1));
    PLIMSOLL_ASSIGN(plan, planMatMul(call, call.input(0).tensor.shape, call.input(3).tensor.shape));
    std::vector<std::vector<double>> scales;
    for (const std::size_t input : {1, 4, 6}) {
        PLIMSOLL_ASSIGN(scale, inputTensor(call, input));
        if (scale.elements() < 1) return refuse(call, "a scale is empty.");
        scales.push_back(doublesOf(scale));
    }
    PLIMSOLL_ASSIGN(zeroPoint, inputTensor(call, 7));
    const double zero = scalarInput(call, 7, 0);
    PLIMSOLL_ASSIGN(out, call.output(0, zeroPoint.dtype, plan.outShape));
    std::vector<std::int32_t> product(static_cast<std::size_t>(out.elements()));
    multiplyBatches(plan, a.data(), b.data(), product.data());
    std::vector<double> numbers(product.size());
    const IntegerRange range = integerRange(zeroPoint.dtype);
    for (std::size_t i = 0; i < product.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        const double scale = scaleAt(scales[0], at / plan.size.columns % plan.size.rows) *
                             scaleAt(scales[1], at % plan.size.columns) / scales[2][0];
        numbers[i] = quantized(product[i] * scale, zero, range);
    }
    storeNumbers(numbers.data(), out);
    return {};
}

Status convInteger(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(w, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(plan, planConvolution(call, x, w));
    PLIMSOLL_ASSIGN(in, centred(call, 0, 2, 0));
    PLIMSOLL_ASSIGN(weights, centred(call, 1, 3, 0));
    PLIMSOLL_ASSIGN(y, call.output(0, DType::Int32, plan.windowShape()));
    std::fill_n(y.as<std::int32_t>(), y.elements(), 0);
    convolve(plan, in.data(), weights.data(), y.as<std::int32_t>());
    return {};
}

/// Inputs 0-2: x and its scale and zero point; 3-5: the weights'; 6-7: the outcome's; 8: the bias.
Status qLinearConv(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(w, inputTensor(call, 3));
    PLIMSOLL_ASSIGN(plan, planConvolution(call, x, w));
    PLIMSOLL_ASSIGN(in, centred(call, 0, 2, 0));
    PLIMSOLL_ASSIGN(weights, centred(call, 3, 5, 0));
    PLIMSOLL_ASSIGN(scaleTensor, inputTensor(call, 4));
    PLIMSOLL_ASSIGN(zeroPoint, inputTensor(call, 7));
    const std::vector<double> weightScales = doublesOf(scaleTensor);
    const TensorView* bias = optionalInput(call, 8);
    const bool scalesFit = weightScales.size() == 1 || static_cast<std::int64_t>(weightScales.size()) == plan.filters;
    if (!scalesFit || (bias && bias->elements() != plan.filters))
        return refuse(call, "scales or bias do not fit " + describe(w) + ".");
    PLIMSOLL_ASSIGN(y, call.output(0, zeroPoint.dtype, plan.windowShape()));
    std::vector<std::int32_t> sums(static_cast<std::size_t>(y.elements()), 0);
    convolve(plan, in.data(), weights.data(), sums.data());
    const std::vector<std::int64_t> added =
        bias ? integersOf(*bias) : std::vector<std::int64_t>(static_cast<std::size_t>(plan.filters), 0);
    const double ratio = scalarInput(call, 1, 1) / scalarInput(call, 6, 1);
    const double zero = scalarInput(call, 7, 0);
    const IntegerRange range = integerRange(zeroPoint.dtype);
    const std::int64_t plane = productOf(plan.windows.output);
    std::vector<double> numbers(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const std::int64_t filter = static_cast<std::int64_t>(i) / plane % plan.filters;
        const auto sum = static_cast<double>(sums[i] + added[static_cast<std::size_t>(filter)]);
        numbers[i] = quantized(sum * ratio * scaleAt(weightScales, filter), zero, range);
    }
    storeNumbers(numbers.data(), y);
    return {};
}

constexpr KernelEntry Table[] = {
    {"", "ConvInteger", convInteger},
    {"", "MatMulInteger", matMulInteger},
    {"", "QLinearConv", qLinearConv},
    {"", "QLinearMatMul", qLinearMatMul},
};

} // namespace

constinit const KernelTable quantizedKernels = Table;

} // namespace plimsoll::kernels
