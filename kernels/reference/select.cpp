#include "kernels/common/moved_elements.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/kernel_families.h"

#include <limits>

namespace plimsoll::kernels {
namespace {

Status where(KernelCall& call)
{
    PLIMSOLL_ASSIGN(condition, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(x, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(y, inputTensor(call, 2));
    if (condition.dtype != DType::Bool) return refuse(call, say("kernel.condition-not-bool", describe(condition)));
    if (x.dtype != y.dtype) return refuse(call, say("kernel.types-differ", describe(x), describe(y)));
    PLIMSOLL_ASSIGN(shape, broadcastAllInputs(call));
    PLIMSOLL_ASSIGN(out, call.output(0, x.dtype, shape));
    const std::vector<Shape> strides {broadcastStrides(condition.shape, shape), broadcastStrides(x.shape, shape),
                                      broadcastStrides(y.shape, shape), rowMajorStrides(shape)};
    visitElements(x.dtype, [&]<typename Elements>() {
        const Elements whenTrue(x.data);
        const Elements whenFalse(y.data);
        Elements target(out.data);
        for (RowWalk walk(shape, strides); walk.valid(); walk.advance()) {
            for (std::int64_t i = 0; i < walk.count(); ++i) {
                const bool chosen = condition.as<std::uint8_t>()[walk.offset(0) + i * walk.step(0)] != 0;
                target.set(walk.offset(3) + i, chosen ? whenTrue.get(walk.offset(1) + i * walk.step(1))
                                                      : whenFalse.get(walk.offset(2) + i * walk.step(2)));
            }
        }
    });
    return {};
}

template <typename T>
T boundOf(const KernelCall& call, std::size_t input, std::string_view name, T none)
{
    const TensorView* tensor = optionalInput(call, input);
    if (tensor && tensor->elements() > 0) return Reader<T>(*tensor)[0];
    return hasAttribute(call, name) ? static_cast<T>(floatAttribute(call, name, 0)) : none;
}

/// Bounds are attributes before opset 11 and inputs since.
Status clip(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    for (std::size_t bound = 1; bound <= 2; ++bound) {
        const TensorView* tensor = optionalInput(call, bound);
        if (tensor && tensor->dtype != x.dtype)
            return refuse(call, say("kernel.bound-type", describe(*tensor), describe(x)));
    }
    if (!visitNumeric(x.dtype, []<typename T>() {})) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    visitNumeric(x.dtype, [&]<typename T>() {
        using Limits = std::numeric_limits<T>;
        const T none = Limits::has_infinity ? Limits::infinity() : Limits::max();
        const T low =
            boundOf<T>(call, 1, "min", Limits::has_infinity ? static_cast<T>(-Limits::infinity()) : Limits::lowest());
        const T high = boundOf<T>(call, 2, "max", none);
        const Reader<T> in(x);
        Writer<T> out(y);
        for (std::int64_t i = 0, n = x.elements(); i < n; ++i) {
            const T raised = in[i] < low ? low : in[i];
            out[i] = high < raised ? high : raised;
        }
    });
    return {};
}

Status compress(KernelCall& call)
{
    PLIMSOLL_ASSIGN(data, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(condition, inputTensor(call, 1));
    if (condition.dtype != DType::Bool) return refuse(call, say("kernel.condition-not-bool", describe(condition)));
    Shape shape {data.elements()};
    std::int64_t axis = 0;
    const bool flat = !hasAttribute(call, "axis");
    if (!flat) {
        PLIMSOLL_ASSIGN(normal, normalAxis(call, intAttribute(call, "axis", 0), data.shape.size()));
        axis = normal;
        shape = data.shape;
    }
    const AxisSplit split = splitAt(shape, axis);
    std::vector<std::int64_t> chosen;
    for (std::int64_t i = 0; i < condition.elements(); ++i) {
        if (condition.as<std::uint8_t>()[i] != 0) chosen.push_back(i);
    }
    if (!chosen.empty() && chosen.back() >= split.size)
        return refuse(call, say("kernel.flag-beyond", chosen.back(), split.size));
    shape[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(chosen.size());
    PLIMSOLL_ASSIGN(out, call.output(0, data.dtype, shape));
    for (std::size_t k = 0; k < chosen.size(); ++k) {
        const auto at = static_cast<std::int64_t>(k);
        const auto count = static_cast<std::int64_t>(chosen.size());
        copyRegion({data, chosen[k] * split.inner, {split.size * split.inner, 1}},
                   {out, at * split.inner, {count * split.inner, 1}}, {split.outer, split.inner});
    }
    return {};
}

Status nonZero(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    const std::vector<double> numbers = doublesOf(x);
    std::vector<Shape> found;
    std::size_t at = 0;
    for (IndexWalk walk(x.shape); walk.valid(); walk.advance()) {
        if (numbers[at++] != 0) found.push_back(walk.index());
    }
    const auto count = static_cast<std::int64_t>(found.size());
    PLIMSOLL_ASSIGN(out, call.output(0, DType::Int64, {static_cast<std::int64_t>(x.shape.size()), count}));
    for (std::size_t d = 0; d < x.shape.size(); ++d) {
        for (std::size_t k = 0; k < found.size(); ++k)
            out.as<std::int64_t>()[d * found.size() + k] = found[k][d];
    }
    return {};
}

Status trilu(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_TRY(requireRank(call, x, 2));
    const bool upper = intAttribute(call, "upper", 1) != 0;
    const std::int64_t diagonal = intInput(call, 1, 0);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    const std::int64_t rows = x.shape[x.shape.size() - 2];
    const std::int64_t columns = x.shape.back();
    visitElements(x.dtype, [&]<typename Elements>() {
        const Elements source(x.data);
        Elements target(y.data);
        for (std::int64_t i = 0, n = x.elements(); i < n; ++i) {
            const std::int64_t row = i / columns % rows;
            const std::int64_t above = i % columns - row; // distance from the main diagonal, upwards
            const bool kept = upper ? above >= diagonal : above <= diagonal;
            target.set(i, kept ? source.get(i) : typename Elements::Element());
        }
    });
    return {};
}

Status reverseSequence(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(lengthTensor, inputTensor(call, 1));
    PLIMSOLL_TRY(requireRank(call, x, 2));
    PLIMSOLL_ASSIGN(batch, normalAxis(call, intAttribute(call, "batch_axis", 1), x.shape.size()));
    PLIMSOLL_ASSIGN(time, normalAxis(call, intAttribute(call, "time_axis", 0), x.shape.size()));
    const auto batchAxis = static_cast<std::size_t>(batch);
    const auto timeAxis = static_cast<std::size_t>(time);
    const std::vector<std::int64_t> lengths = integersOf(lengthTensor);
    if (static_cast<std::int64_t>(lengths.size()) != x.shape[batchAxis]) {
        return refuse(call, say("kernel.batch-lengths", describe(lengthTensor), describe(x)));
    }
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    const Shape strides = rowMajorStrides(x.shape);
    std::vector<std::int64_t> source;
    for (IndexWalk walk(x.shape); walk.valid(); walk.advance()) {
        const std::int64_t length = std::min(lengths[static_cast<std::size_t>(walk[batchAxis])], x.shape[timeAxis]);
        const std::int64_t mirrored = walk[timeAxis] < length ? length - 1 - walk[timeAxis] : walk[timeAxis];
        const auto here = static_cast<std::int64_t>(source.size());
        source.push_back(here + (mirrored - walk[timeAxis]) * strides[timeAxis]);
    }
    copyFrom(x, y, source);
    return {};
}

constexpr KernelEntry SelectKernels[] = {
    {"", "Clip", clip},       {"", "Compress", compress},
    {"", "NonZero", nonZero}, {"", "ReverseSequence", reverseSequence},
    {"", "Trilu", trilu},     {"", "Where", where},
};

} // namespace

constinit const KernelTable selectKernels = SelectKernels;

} // namespace plimsoll::kernels
