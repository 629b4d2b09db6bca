#include "kernels/common/call_tools.h"
#include "kernels/common/number_formats.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/reference/layers/quantization.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::kernels {

IntegerRange integerRange(DType dtype)
{
    const int bits = dtypeBits(dtype);
    const bool isSigned = dtype == DType::Int32 || dtype == DType::Int16 || dtype == DType::Int8 ||
                          dtype == DType::Int4 || dtype == DType::Int2;
    const double span = std::ldexp(1.0, isSigned ? bits - 1 : bits);
    return {isSigned ? -span : 0.0, span - 1};
}

double quantized(double scaledNumber, double zeroPoint, const IntegerRange& range)
{
    return std::clamp(std::nearbyint(scaledNumber) + zeroPoint, range.lowest, range.highest);
}

namespace {

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
            return refuse(call, "the scale " + describe(scale) + " does not fit " + describe(x) + ".");
        index.m_block = block > 0 ? block : (x.shape[at] + blocks[at] - 1) / blocks[at];
        index.m_places = blocks[at];
        index.m_blocked = true;
        if (index.m_split.size > index.m_block * index.m_places)
            return refuse(call, "the blocks of " + describe(scale) + " do not cover " + describe(x) + ".");
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
        return refuse(call, "zero points " + describe(*given) + " and scales " + describe(scale) + " do not match.");
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

constexpr KernelEntry Table[] = {
    {"", "DequantizeLinear", dequantizeLinear},
    {"", "DynamicQuantizeLinear", dynamicQuantizeLinear},
    {"", "QuantizeLinear", quantizeLinear},
    {"com.microsoft", "DequantizeLinear", dequantizeLinear},
    {"com.microsoft", "QuantizeLinear", quantizeLinear},
};

} // namespace

constinit const KernelTable quantizeKernels = Table;

} // namespace plimsoll::kernels
