#pragma once

#include "kernels/reference/call_tools.h"
#include "kernels/reference/numbers.h"

namespace plimsoll::kernels {

/// Shape of the outcome of a broadcast operation and how its first two inputs are walked.
struct BroadcastPair
{
    Shape shape;
    Shape stridesA; ///< Elements.
    Shape stridesB;
};

/// The broadcast of two inputs: numpy's rules from opset 7 on; before, the attributes "broadcast" and "axis" place the
/// second input inside the first.
[[nodiscard]] Result<BroadcastPair> broadcastInputs(const KernelCall& call, const TensorView& a, const TensorView& b);

/// The shape that all inputs broadcast to.
[[nodiscard]] Result<Shape> broadcastAllInputs(const KernelCall& call);

/// out[i] = f(a[i], b[i]) over a broadcast pair. \p out may be the bytes of an operand that has its shape.
template <typename A, typename B, typename Out, typename Function>
void mapPairs(const BroadcastPair& pair, const A* a, const B* b, Out* out, const Function& function)
{
    for (RowWalk walk(pair.shape, {pair.stridesA, pair.stridesB, rowMajorStrides(pair.shape)}); walk.valid();
         walk.advance()) {
        const A* rowA = a + walk.offset(0);
        const B* rowB = b + walk.offset(1);
        Out* row = out + walk.offset(2);
        for (std::int64_t i = 0; i < walk.count(); ++i) {
            row[i] = static_cast<Out>(function(rowA[i * walk.step(0)], rowB[i * walk.step(1)]));
        }
    }
}

/// T × T → T for the types that \p Visit visits.
template <typename Function, typename Visit>
Status binaryOver(KernelCall& call, const Visit& visit)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView& a = call.input(0).tensor;
    const TensorView& b = call.input(1).tensor;
    PLIMSOLL_ASSIGN(pair, broadcastInputs(call, a, b));
    if (!visit(a.dtype, []<typename T>() {})) return refuseType(call, a.dtype);
    PLIMSOLL_ASSIGN(out, call.output(0, a.dtype, pair.shape));
    visit(a.dtype, [&]<typename T>() {
        const Reader<T> readerA(a);
        const Reader<T> readerB(b);
        Writer<T> writer(out);
        mapPairs(pair, readerA.data(), readerB.data(), writer.data(), Function());
    });
    return {};
}

template <typename Function>
Status binaryNumeric(KernelCall& call)
{
    return binaryOver<Function>(call, [](DType dtype, const auto& visitor) { return visitNumeric(dtype, visitor); });
}

template <typename Function>
Status binaryInteger(KernelCall& call)
{
    return binaryOver<Function>(call, [](DType dtype, const auto& visitor) { return visitInteger(dtype, visitor); });
}

} // namespace plimsoll::kernels
