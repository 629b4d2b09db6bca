#include "core/graph/number_formats.h"
#include "core/graph/tensor_type.h"
#include "kernels/common/call_tools.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/reference/layers/convolution.h"
#include "kernels/reference/layers/product.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::kernels {
namespace {

/// The ends of an integer type of at most 32 bits, both included.
struct IntegerRange
{
    double lowest = 0;
    double highest = 0;
};

IntegerRange integerRange(DType dtype)
{
    const int bits = dtypeBits(dtype);
    const bool isSigned = dtype == DType::Int32 || dtype == DType::Int16 || dtype == DType::Int8 ||
                          dtype == DType::Int4 || dtype == DType::Int2;
    const double span = std::ldexp(1.0, isSigned ? bits - 1 : bits);
    return {isSigned ? -span : 0.0, span - 1};
}

/// Rounded half to even, moved by the zero point, cut to the range.
double quantized(double scaledNumber, double zeroPoint, const IntegerRange& range)
{
    return std::clamp(std::nearbyint(scaledNumber) + zeroPoint, range.lowest, range.highest);
}

/// Which scale belongs to an element: one for all, one for each place of an axis, or one for each block along it.
class ScaleIndex
{
public:
    static Result<ScaleIndex> of(const KernelCall& call, const TensorView& x, const TensorView& scale)
    {
        ScaleIndex index;
        if (scale.elements() == 1 && scale.shape.size() <= 1) return index;
        PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", 1), x.shape.size()));
        index.m_split = splitAt(x.shape, axis);
        index.m_places = index.m_split.size;
        if (scale.shape.size() == 1 && scale.shape[0] == index.m_split.size) return index;
        Shape blocks = x.shape;
        const std::int64_t block = intAttribute(call, "block_size", 0);
        const auto at = static_cast<std::size_t>(axis);
        if (scale.shape.size() == blocks.size()) blocks[at] = scale.shape[at];
        if (blocks != scale.shape || blocks[at] < 1)
            return refuse(call, say("kernel.scale-misfit", describe(scale), describe(x)));
        index.m_block = block > 0 ? block : (x.shape[at] + blocks[at] - 1) / blocks[at];
        index.m_places = blocks[at];
        index.m_blocked = true;
        if (index.m_split.size > index.m_block * index.m_places)
            return refuse(call, say("kernel.block-cover", describe(scale), describe(x)));
        return index;
    }

    [[nodiscard]] std::size_t operator[](std::int64_t element) const
    {
        if (m_places == 0) return 0;
        const std::int64_t place = element / m_split.inner % m_split.size;
        if (!m_blocked) return static_cast<std::size_t>(place);
        const std::int64_t outer = element / (m_split.inner * m_split.size);
        return static_cast<std::size_t>((outer * m_places + place / m_block) * m_split.inner + element % m_split.inner);
    }

private:
    AxisSplit m_split;
    std::int64_t m_places = 0; ///< Along the axis; 0 for a single scale.
    std::int64_t m_block = 1;
    bool m_blocked = false;
};

/// The zero points, or zeros where there are none.
Result<std::vector<double>> zeroPointsOf(const KernelCall& call, std::size_t input, const TensorView& scale)
{
    const TensorView* given = optionalInput(call, input);
    if (!given) return std::vector<double>(static_cast<std::size_t>(scale.elements()), 0);
    if (given->elements() != scale.elements())
        return refuse(call, say("kernel.zero-points-scales", describe(*given), describe(scale)));
    return doublesOf(*given);
}

DType quantizedType(const KernelCall& call)
{
    if (const TensorView* zeroPoint = optionalInput(call, 2)) return zeroPoint->dtype;
    const std::int64_t asked = intAttribute(call, "output_dtype", 0);
    return asked == 0 ? DType::UInt8 : dtypeFromOnnx(asked);
}

Status quantizeLinear(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(scaleTensor, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(index, ScaleIndex::of(call, x, scaleTensor));
    PLIMSOLL_ASSIGN(zeroPoints, zeroPointsOf(call, 2, scaleTensor));
    const DType dtype = quantizedType(call);
    if (!isFloatingPoint(dtype) && !isInteger(dtype)) return refuseType(call, dtype);
    PLIMSOLL_ASSIGN(y, call.output(0, dtype, x.shape));
    const std::vector<float> in = floatsOf(x);
    const std::vector<float> scales = floatsOf(scaleTensor);
    std::vector<double> numbers(in.size());
    const bool toFloat = isFloatingPoint(dtype);
    const IntegerRange range = integerRange(dtype);
    for (std::size_t i = 0; i < in.size(); ++i) {
        const std::size_t s = index[static_cast<std::int64_t>(i)];
        const auto ratio = static_cast<double>(in[i] / scales[s]);
        numbers[i] = toFloat ? ratio + zeroPoints[s] : quantized(ratio, zeroPoints[s], range);
    }
    const FloatFormat* format = floatFormat(dtype);
    if (toFloat && format && dtypeBits(dtype) == 8) {
        const bool saturate = intAttribute(call, "saturate", 1) != 0;
        for (std::size_t i = 0; i < numbers.size(); ++i)
            y.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(encodeFloat(numbers[i], *format, saturate));
        return {};
    }
    storeNumbers(numbers.data(), y);
    return {};
}

Status dequantizeLinear(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(scaleTensor, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(index, ScaleIndex::of(call, x, scaleTensor));
    PLIMSOLL_ASSIGN(zeroPoints, zeroPointsOf(call, 2, scaleTensor));
    const std::int64_t asked = intAttribute(call, "output_dtype", 0);
    std::vector<double> numbers = doublesOf(x);
    const std::vector<double> scales = doublesOf(scaleTensor);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::size_t s = index[static_cast<std::int64_t>(i)];
        numbers[i] = (numbers[i] - zeroPoints[s]) * scales[s];
    }
    return writeNumbers(call, 0, asked == 0 ? scaleTensor.dtype : dtypeFromOnnx(asked), x.shape, numbers);
}

/// Scale and zero point from the range of the data, in single precision as the operator's definition has it.
Status dynamicQuantizeLinear(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    const std::vector<float> in = floatsOf(x);
    float least = 0;
    float most = 0;
    for (const float number : in) {
        least = std::min(least, number);
        most = std::max(most, number);
    }
    const float scale = most == least ? 1.0F : (most - least) / 255.0F;
    const IntegerRange range = integerRange(DType::UInt8);
    const double zeroPoint =
        std::clamp(std::nearbyint(static_cast<double>(0.0F - least / scale)), range.lowest, range.highest);
    std::vector<double> numbers;
    numbers.reserve(in.size());
    for (const float number : in)
        numbers.push_back(quantized(static_cast<double>(number / scale), zeroPoint, range));
    PLIMSOLL_TRY(writeNumbers(call, 0, DType::UInt8, x.shape, numbers));
    if (call.wantsOutput(1)) PLIMSOLL_TRY(writeNumbers(call, 1, DType::Float32, {}, std::vector<float> {scale}));
    if (call.wantsOutput(2)) PLIMSOLL_TRY(writeNumbers(call, 2, DType::UInt8, {}, std::vector<double> {zeroPoint}));
    return {};
}

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
        return refuse(call, say("kernel.zero-points", describe(*given), describe(tensor)));
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
    PLIMSOLL_TRY(call.announce(rowEffort(plan.products())));
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
        if (scale.elements() < 1) return refuse(call, say("kernel.scale-empty"));
        scales.push_back(doublesOf(scale));
    }
    PLIMSOLL_ASSIGN(zeroPoint, inputTensor(call, 7));
    const double zero = scalarInput(call, 7, 0);
    PLIMSOLL_TRY(call.announce(rowEffort(plan.products())));
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
    PLIMSOLL_TRY(call.announce(rowEffort(plan.products())));
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
        return refuse(call, say("kernel.scales-misfit", describe(w)));
    PLIMSOLL_TRY(call.announce(rowEffort(plan.products())));
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

constexpr KernelEntry QuantizeKernels[] = {
    {"", "ConvInteger", convInteger},
    {"", "DequantizeLinear", dequantizeLinear},
    {"", "DynamicQuantizeLinear", dynamicQuantizeLinear},
    {"", "MatMulInteger", matMulInteger},
    {"", "QLinearConv", qLinearConv},
    {"", "QLinearMatMul", qLinearMatMul},
    {"", "QuantizeLinear", quantizeLinear},
    {"com.microsoft", "DequantizeLinear", dequantizeLinear},
    {"com.microsoft", "QuantizeLinear", quantizeLinear},
};

} // namespace

constinit const KernelTable quantizeKernels = QuantizeKernels;

} // namespace plimsoll::kernels
