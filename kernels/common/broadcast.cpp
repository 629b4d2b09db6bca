#include "kernels/common/broadcast.h"

namespace plimsoll::kernels {
namespace {

constexpr std::int64_t NumpyRulesSince = 7;

Error mismatch(const KernelCall& call, const TensorView& a, const TensorView& b)
{
    return refuse(call, say("ops.not-broadcast-together", describe(a), describe(b)));
}

} // namespace

Result<BroadcastPair> broadcastInputs(const KernelCall& call, const TensorView& a, const TensorView& b)
{
    const bool isOld = call.node().domain.empty() && call.opset() > 0 && call.opset() < NumpyRulesSince;
    if (!isOld || intAttribute(call, "broadcast", 0) == 0) {
        const auto shape = broadcastShape(a.shape, b.shape);
        if (!shape) return mismatch(call, a, b);
        return BroadcastPair {*shape, broadcastStrides(a.shape, *shape), broadcastStrides(b.shape, *shape)};
    }
    const auto rankA = static_cast<std::int64_t>(a.shape.size());
    const auto rankB = static_cast<std::int64_t>(b.shape.size());
    const std::int64_t axis = intAttribute(call, "axis", rankA - rankB);
    const std::int64_t first = axis < 0 ? axis + rankA : axis;
    if (first < 0 || first > rankA - rankB) return mismatch(call, a, b);
    Shape placed(a.shape.size(), 1);
    for (std::size_t d = 0; d < b.shape.size(); ++d) {
        const std::size_t at = static_cast<std::size_t>(first) + d;
        if (b.shape[d] != a.shape[at] && b.shape[d] != 1) return mismatch(call, a, b);
        placed[at] = b.shape[d];
    }
    return BroadcastPair {a.shape, rowMajorStrides(a.shape), broadcastStrides(placed, a.shape)};
}

Result<Shape> broadcastAllInputs(const KernelCall& call)
{
    PLIMSOLL_ASSIGN(first, inputTensor(call, 0));
    Shape shape = first.shape;
    for (std::size_t i = 1; i < call.inputCount(); ++i) {
        PLIMSOLL_ASSIGN(next, inputTensor(call, i));
        const auto joined = broadcastShape(shape, next.shape);
        if (!joined) return mismatch(call, first, next);
        shape = *joined;
    }
    return shape;
}

} // namespace plimsoll::kernels
