#include "kernels/common/functions.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/kernel_families.h"

#include <functional>
#include <string>

namespace plimsoll::kernels {
namespace {

using namespace functions;

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
        mapPairs(pair, a.as<const std::string>(), b.as<const std::string>(), out.as<std::uint8_t>(), Function());
        return {};
    }
    visitNumericOrBool(a.dtype, [&]<typename T>() {
        const Reader<T> readerA(a);
        const Reader<T> readerB(b);
        mapPairs(pair, readerA.data(), readerB.data(), out.as<std::uint8_t>(), Function());
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

constexpr KernelEntry ComparisonKernels[] = {
    {"", "And", logic<And>},
    {"", "BitwiseAnd", binaryInteger<std::bit_and<>>},
    {"", "BitwiseNot", unaryInteger<std::bit_not<>>},
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

constinit const KernelTable comparisonKernels = ComparisonKernels;

} // namespace plimsoll::kernels
