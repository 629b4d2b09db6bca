#include "kernels/common/movement.h"

#include "kernels/common/call_tools.h"
#include "kernels/common/moved_elements.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"

#include <algorithm>
#include <numeric>

namespace plimsoll::kernels {
namespace {

/// For each dimension of the output, where each place comes from; -1 where the constant goes.
using AxisSources = std::vector<std::vector<std::int64_t>>;

Status writeFromSources(KernelCall& call, const TensorView& x, const AxisSources& sources, const TensorView* constant)
{
    Shape shape;
    for (const auto& axis : sources)
        shape.push_back(static_cast<std::int64_t>(axis.size()));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, shape));
    const bool given = constant && constant->elements() > 0;
    const std::span<const std::byte> room = x.dtype == DType::String ? std::span<const std::byte> {} : y.byteSpan();
    const bool inside = !room.empty() && x.data >= room.data() && x.data < room.data() + room.size();
    if (!inside && given) fillWith(*constant, y);
    if (!inside && !given) fillZero(y);
    const Shape strides = rowMajorStrides(x.shape);
    std::vector<std::int64_t> from;
    from.reserve(static_cast<std::size_t>(y.elements()));
    for (IndexWalk walk(shape); walk.valid(); walk.advance()) {
        std::int64_t source = 0;
        for (std::size_t d = 0; d < shape.size() && source >= 0; ++d) {
            const std::int64_t at = sources[d][static_cast<std::size_t>(walk[d])];
            source = at < 0 ? -1 : source + at * strides[d];
        }
        from.push_back(source);
    }
    copyFrom(x, y, from);
    if (!inside) return {};
    // The plan has put x into its place: only what is around it is written.
    const HostTensor zero(x.dtype, {});
    std::ranges::transform(from, from.begin(), [](std::int64_t source) { return source < 0 ? 0 : -1; });
    copyFrom(given ? *constant : zero.view(), y, from);
    return {};
}

Status pad(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(pads, padsOf(call, x));
    PLIMSOLL_ASSIGN(mode, padMode(call));
    constexpr std::int64_t Limit = std::int64_t {1} << 32;
    AxisSources sources(x.shape.size());
    std::int64_t elements = 1;
    for (std::size_t d = 0; d < sources.size(); ++d) {
        const auto [begin, end] = pads[d];
        if (begin < -Limit || begin > Limit || end < -Limit || end > Limit)
            return refuse(call, say("kernel.pad-too-large"));
        const std::int64_t size = x.shape[d] + begin + end;
        if (size < 0 || __builtin_mul_overflow(elements, size, &elements) || elements > Limit) {
            return refuse(call, say("kernel.pad-misfit", word::Number(d), describe(x)));
        }
        const std::int64_t cutFront = std::max<std::int64_t>(-begin, 0);
        const std::int64_t left = std::max<std::int64_t>(x.shape[d] - cutFront - std::max<std::int64_t>(-end, 0), 0);
        for (std::int64_t i = 0; i < size; ++i) {
            const std::int64_t at = continuedPlace(mode, i - std::max<std::int64_t>(begin, 0), left);
            sources[d].push_back(at < 0 ? at : at + cutFront);
        }
    }
    const TensorView* constant = optionalInput(call, 2);
    if (constant && constant->dtype != x.dtype)
        return refuse(call, say("kernel.constant-type", describe(*constant), describe(x)));
    if (constant || !hasAttribute(call, "value")) return writeFromSources(call, x, sources, constant);
    const HostTensor value = scalarTensor(x.dtype, floatAttribute(call, "value", 0));
    return writeFromSources(call, x, sources, &value.view());
}

/// Cuts or pads around the centre of the named axes.
Status centerCropPad(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(wanted, inputTensor(call, 1));
    const std::vector<std::int64_t> sizes = integersOf(wanted);
    std::vector<std::int64_t> axes(x.shape.size());
    std::iota(axes.begin(), axes.end(), std::int64_t {0});
    axes = intsAttribute(call, "axes").value_or(axes);
    if (axes.size() != sizes.size()) return refuse(call, say("kernel.axis-shape"));
    AxisSources sources(x.shape.size());
    for (std::size_t d = 0; d < sources.size(); ++d) {
        sources[d].resize(static_cast<std::size_t>(x.shape[d]));
        std::iota(sources[d].begin(), sources[d].end(), std::int64_t {0});
    }
    constexpr std::int64_t Limit = std::int64_t {1} << 32;
    std::int64_t elements = 1;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        PLIMSOLL_ASSIGN(axis, normalAxis(call, axes[i], x.shape.size()));
        const std::int64_t size = x.shape[static_cast<std::size_t>(axis)];
        if (sizes[i] < 0 || __builtin_mul_overflow(elements, sizes[i], &elements) || elements > Limit) {
            return refuse(call, say("kernel.cut-shape", plimsoll::describe(sizes)));
        }
        const std::int64_t front = sizes[i] < size ? (size - sizes[i]) / 2 : -((sizes[i] - size) / 2);
        auto& places = sources[static_cast<std::size_t>(axis)];
        places.clear();
        for (std::int64_t k = 0; k < sizes[i]; ++k)
            places.push_back(continuedPlace(PadMode::Constant, k + front, size));
    }
    return writeFromSources(call, x, sources, nullptr);
}

constexpr KernelEntry PadKernels[] = {
    {"", "CenterCropPad", centerCropPad},
    {"", "Pad", pad},
};

} // namespace

constinit const KernelTable padKernels = PadKernels;

} // namespace plimsoll::kernels
