#include "core/ops/safe_int.h"
#include "kernels/common/call_tools.h"
#include "kernels/common/moved_elements.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plimsoll::kernels {
namespace {

Status writeTexts(KernelCall& call, const Shape& shape, const std::vector<std::string>& texts)
{
    PLIMSOLL_ASSIGN(out, call.output(0, DType::String, shape));
    std::copy(texts.begin(), texts.end(), out.as<std::string>());
    return {};
}

Status constant(KernelCall& call)
{
    if (const auto* literal = findAttribute<TensorLiteral>(call.node(), "value")) {
        PLIMSOLL_ASSIGN(tensor, call.literal(*literal));
        return writeReshaped(call, 0, tensor, tensor.shape);
    }
    const auto length = [](const auto& list) { return Shape {static_cast<std::int64_t>(list.size())}; };
    if (const auto* number = findAttribute<double>(call.node(), "value_float")) {
        return writeNumbers(call, 0, DType::Float32, {}, std::vector<double> {*number});
    }
    if (const auto numbers = floatsAttribute(call, "value_floats")) {
        return writeNumbers(call, 0, DType::Float32, length(*numbers), *numbers);
    }
    if (const auto* number = findAttribute<std::int64_t>(call.node(), "value_int")) {
        return writeIntegers(call, 0, DType::Int64, {}, {*number});
    }
    if (const auto numbers = intsAttribute(call, "value_ints")) {
        return writeIntegers(call, 0, DType::Int64, length(*numbers), *numbers);
    }
    if (const auto* text = findAttribute<std::string>(call.node(), "value_string"))
        return writeTexts(call, {}, {*text});
    if (hasAttribute(call, "value_strings")) {
        const std::vector<std::string> texts = textsAttribute(call, "value_strings");
        return writeTexts(call, length(texts), texts);
    }
    return refuse(call, say("kernel.no-value"));
}

Status constantOfShape(KernelCall& call)
{
    Shape shape;
    if (const TensorView* wanted = optionalInput(call, 0)) shape = integersOf(*wanted);
    const auto* literal = findAttribute<TensorLiteral>(call.node(), "value");
    if (!literal) {
        PLIMSOLL_ASSIGN(zeros, call.output(0, DType::Float32, shape));
        fillZero(zeros);
        return {};
    }
    PLIMSOLL_ASSIGN(value, call.literal(*literal));
    if (value.elements() < 1) return refuse(call, say("kernel.empty-value"));
    PLIMSOLL_ASSIGN(out, call.output(0, value.dtype, shape));
    fillWith(value, out);
    return {};
}

/// Caffe2's operator before ConstantOfShape: everything in attributes.
Status constantFill(KernelCall& call)
{
    Shape shape = intsAttribute(call, "shape").value_or(Shape());
    if (const TensorView* given = optionalInput(call, 0)) {
        shape = intAttribute(call, "input_as_shape", 0) != 0 ? integersOf(*given) : given->shape;
        const Shape extra = intsAttribute(call, "extra_shape").value_or(Shape());
        shape.insert(shape.end(), extra.begin(), extra.end());
    }
    const DType dtype = dtypeFromOnnx(intAttribute(call, "dtype", 1));
    PLIMSOLL_ASSIGN(out, call.output(0, dtype, shape));
    const std::vector<double> numbers(static_cast<std::size_t>(out.elements()), floatAttribute(call, "value", 0));
    storeNumbers(numbers.data(), out);
    return {};
}

Status eyeLike(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (x.shape.size() != 2) return refuse(call, say("ops.no-matrix", describe(x)));
    const DType dtype = hasAttribute(call, "dtype") ? dtypeFromOnnx(intAttribute(call, "dtype", 0)) : x.dtype;
    const std::int64_t k = intAttribute(call, "k", 0);
    PLIMSOLL_ASSIGN(out, call.output(0, dtype, x.shape));
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(x.elements()), 0);
    for (std::int64_t row = 0; row < x.shape[0]; ++row) {
        std::int64_t column = 0;
        if (__builtin_add_overflow(row, k, &column) || column < 0 || column >= x.shape[1]) continue;
        numbers[static_cast<std::size_t>(row * x.shape[1] + column)] = 1;
    }
    storeNumbers(numbers.data(), out);
    return {};
}

template <typename T>
std::vector<T> rangeNumbers(T start, T delta, std::int64_t count)
{
    std::vector<T> numbers(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
        numbers[static_cast<std::size_t>(i)] = static_cast<T>(start + static_cast<T>(i) * delta);
    return numbers;
}

Status range(KernelCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 3));
    const DType dtype = call.input(0).tensor.dtype;
    if (isInteger(dtype)) {
        const std::int64_t start = intInput(call, 0, 0);
        const std::int64_t delta = intInput(call, 2, 1);
        if (delta == 0) return refuse(call, say("kernel.zero-delta"));
        const auto count = (SafeInt(intInput(call, 1, 0)) - start).ceilDiv(delta).get();
        if (!count) return refuse(call, say("kernel.too-many-elements"));
        const std::int64_t length = std::max<std::int64_t>(*count, 0);
        PLIMSOLL_ASSIGN(out, call.output(0, dtype, {length}));
        const std::vector<std::int64_t> numbers = rangeNumbers(start, delta, length);
        storeNumbers(numbers.data(), out);
        return {};
    }
    const double start = scalarInput(call, 0, 0);
    const double limit = scalarInput(call, 1, 0);
    const double delta = scalarInput(call, 2, 1);
    if (delta == 0) return refuse(call, say("kernel.zero-delta"));
    const std::int64_t length = truncated(std::max(std::ceil((limit - start) / delta), 0.0));
    PLIMSOLL_ASSIGN(out, call.output(0, dtype, {length}));
    const std::vector<double> numbers = rangeNumbers(start, delta, length);
    storeNumbers(numbers.data(), out);
    return {};
}

Status oneHot(KernelCall& call)
{
    PLIMSOLL_ASSIGN(indices, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(values, inputTensor(call, 2));
    if (values.elements() != 2) return refuse(call, say("kernel.off-and-on", describe(values)));
    const std::int64_t depth = intInput(call, 1, 0);
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", -1), indices.shape.size() + 1));
    Shape shape = indices.shape;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), depth);
    PLIMSOLL_ASSIGN(out, call.output(0, values.dtype, shape));
    const AxisSplit split = splitAt(shape, axis);
    const std::vector<std::int64_t> places = integersOf(indices);
    fillWith(values, out);
    visitElements(values.dtype, [&]<typename Elements>() {
        const auto on = Elements(values.data).get(1);
        Elements target(out.data);
        for (std::size_t i = 0; i < places.size(); ++i) {
            const std::int64_t place = places[i] < 0 ? places[i] + depth : places[i];
            if (place < 0 || place >= depth) continue;
            const std::int64_t outer = static_cast<std::int64_t>(i) / split.inner;
            const std::int64_t inner = static_cast<std::int64_t>(i) % split.inner;
            target.set((outer * depth + place) * split.inner + inner, on);
        }
    });
    return {};
}

constexpr KernelEntry ConstantKernels[] = {
    {"", "Constant", constant},
    {"", "ConstantFill", constantFill},
    {"", "ConstantOfShape", constantOfShape},
    {"", "EyeLike", eyeLike},
    {"", "OneHot", oneHot},
    {"", "Range", range},
};

} // namespace

constinit const KernelTable constantKernels = ConstantKernels;

} // namespace plimsoll::kernels
