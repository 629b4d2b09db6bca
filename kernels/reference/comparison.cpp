#include "kernels/common/functions.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/kernel_families.h"

#include <functional>
#include <string>

namespace plimsoll::kernels {
namespace {

using namespace functions;

template <typename T, typename Function>
void comparePairs(const BroadcastPair& pair, const TensorView& a, const TensorView& b, const TensorView& out)
{
    mapPairs(pair, a.as<const T>(), b.as<const T>(), out.as<std::uint8_t>(),
             [](const T& x, const T& y) { return Function()(x, y) ? 1 : 0; });
}

template <typename Function>
Status compare(KernelCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView& a = call.input(0).tensor;
    const TensorView& b = call.input(1).tensor;
    PLIMSOLL_ASSIGN(pair, broadcastInputs(call, a, b));
    const bool isText = a.dtype == DType::String;
    if (!isText && !visitNumericOrBool(a.dtype, []<typename T>() {})) return refuseType(call, a.dtype);
    PLIMSOLL_ASSIGN(out, call.output(0, DType::Bool, pair.shape));
    if (isText) {
        comparePairs<std::string, Function>(pair, a, b, out);
        return {};
    }
    visitNumericOrBool(a.dtype, [&]<typename T>() {
        const Reader<T> readerA(a);
        const Reader<T> readerB(b);
        mapPairs(pair, readerA.data(), readerB.data(), out.as<std::uint8_t>(),
                 [](T x, T y) { return Function()(x, y) ? 1 : 0; });
    });
    return {};
}

template <typename Function>
Status logic(KernelCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView& a = call.input(0).tensor;
    const TensorView& b = call.input(1).tensor;
    if (a.dtype != DType::Bool) return refuseType(call, a.dtype);
    PLIMSOLL_ASSIGN(pair, broadcastInputs(call, a, b));
    PLIMSOLL_ASSIGN(out, call.output(0, DType::Bool, pair.shape));
    mapPairs(pair, a.as<const std::uint8_t>(), b.as<const std::uint8_t>(), out.as<std::uint8_t>(),
             [](std::uint8_t x, std::uint8_t y) { return Function()(x != 0, y != 0) ? 1 : 0; });
    return {};
}

Status logicalNot(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (x.dtype != DType::Bool) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(y, call.output(0, DType::Bool, x.shape));
    for (std::int64_t i = 0, n = x.elements(); i < n; ++i) {
        y.as<std::uint8_t>()[i] = x.as<std::uint8_t>()[i] == 0 ? 1 : 0;
    }
    return {};
}

Status bitwiseNot(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isInteger(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    visitInteger(x.dtype, [&]<typename T>() {
        const Reader<T> in(x);
        Writer<T> out(y);
        for (std::int64_t i = 0, n = x.elements(); i < n; ++i)
            out[i] = static_cast<T>(~in[i]);
    });
    return {};
}

constexpr KernelEntry Table[] = {
    {"", "And", logic<And>},
    {"", "BitwiseAnd", binaryInteger<std::bit_and<>>},
    {"", "BitwiseNot", bitwiseNot},
    {"", "BitwiseOr", binaryInteger<std::bit_or<>>},
    {"", "BitwiseXor", binaryInteger<std::bit_xor<>>},
    {"", "Equal", compare<Equal>},
    {"", "Greater", compare<Greater>},
    {"", "GreaterOrEqual", compare<GreaterOrEqual>},
    {"", "Less", compare<Less>},
    {"", "LessOrEqual", compare<LessOrEqual>},
    {"", "Not", logicalNot},
    {"", "Or", logic<Or>},
    {"", "Xor", logic<Xor>},
};

} // namespace

constinit const KernelTable comparisonKernels = Table;

} // namespace plimsoll::kernels
