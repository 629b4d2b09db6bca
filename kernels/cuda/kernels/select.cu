#include "kernels/common/broadcast.h"
#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/launch/cuda_walk.h"
#include "kernels/cuda/launch/map.h"
#include "kernels/cuda/launch/triangle.h"

#include <limits>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

template <typename T>
struct WhereBody
{
    const std::uint8_t* condition;
    const T* whenTrue;
    const T* whenFalse;
    T* out;
    Walk<3> walk;

    PLIMSOLL_DEVICE T read(std::int64_t i) const
    {
        const Offsets<3> at = walk.at(i);
        return condition[at[0]] != 0 ? whenTrue[at[1]] : whenFalse[at[2]];
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, T value) const { out[i] = value; }
};

Status where(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(condition, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(x, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(y, inputTensor(call, 2));
    if (condition.dtype != DType::Bool || x.dtype != y.dtype) return declineType(call, x.dtype);
    if (!isMovable(x.dtype)) return declineType(call, x.dtype);
    PLIMSOLL_ASSIGN(shape, broadcastAllInputs(call));
    const auto walk = walkOver<3>(shape, {broadcastStrides(condition.shape, shape), broadcastStrides(x.shape, shape),
                                          broadcastStrides(y.shape, shape)});
    if (!walk) return decline(call, say("cuda.operand-repeats"));
    PLIMSOLL_ASSIGN(out, call.output(0, x.dtype, shape));
    for (const int i : {1, 2}) {
        if (call.input(static_cast<std::size_t>(i)).tensor.shape == shape) call.mayLieOver(0, i);
    }
    visitWidth(x.dtype, [&]<typename T>() {
        forEach(
            call.queue(), walk->count,
            WhereBody<T> {condition.as<const std::uint8_t>(), x.as<const T>(), y.as<const T>(), out.as<T>(), *walk});
    });
    return {};
}

/// Bounds lie on the device, or are numbers of the node.
template <typename T>
struct ClipBody
{
    const T* x;
    T* y;
    const T* lowAt;
    const T* highAt;
    Computed<T> low;
    Computed<T> high;

    PLIMSOLL_DEVICE Computed<T> read(std::int64_t i) const
    {
        const Computed<T> from = lowAt ? load(*lowAt) : low;
        const Computed<T> to = highAt ? load(*highAt) : high;
        const Computed<T> raised = load(x[i]) < from ? from : load(x[i]);
        return to < raised ? to : raised;
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, Computed<T> value) const { y[i] = rounded<T>(value); }
};

/// The address of a bound that is an input, nullptr for none.
const TensorView* boundOf(const DeviceCall& call, std::size_t index)
{
    const TensorView* bound = optionalInput(call, index);
    return bound && bound->elements() > 0 ? bound : nullptr;
}

/// Bounds are attributes before opset 11 and inputs since.
Status clip(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    for (std::size_t i = 1; i <= 2; ++i) {
        const TensorView* bound = optionalInput(call, i);
        if (bound && bound->dtype != x.dtype) return decline(call, say("cuda.bound-type"));
    }
    if (!isAmong<float, Half, BFloat16, std::int64_t, std::int32_t>(x.dtype)) return declineType(call, x.dtype);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    call.mayLieOver(0, 0);
    visitAmong<float, Half, BFloat16, std::int64_t, std::int32_t>(x.dtype, [&]<typename T>() {
        using Limits = std::numeric_limits<Computed<T>>;
        const TensorView* lowAt = boundOf(call, 1);
        const TensorView* highAt = boundOf(call, 2);
        Computed<T> low = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
        Computed<T> high = Limits::has_infinity ? Limits::infinity() : Limits::max();
        if (hasAttribute(call, "min")) low = static_cast<Computed<T>>(floatAttribute(call, "min", 0));
        if (hasAttribute(call, "max")) high = static_cast<Computed<T>>(floatAttribute(call, "max", 0));
        forEach(call.queue(), x.elements(),
                ClipBody<T> {x.as<const T>(), y.as<T>(), lowAt ? lowAt->as<const T>() : nullptr,
                             highAt ? highAt->as<const T>() : nullptr, low, high});
    });
    return {};
}

/// A number on its way from one type to another: whole, or not.
struct AnyNumber
{
    std::int64_t whole;
    double real;
    bool isReal;
};

PLIMSOLL_DEVICE inline AnyNumber readNumber(const void* x, DType dtype, std::int64_t i)
{
    const auto at = [x, i](auto type) { return static_cast<const decltype(type)*>(x)[i]; };
    switch (dtype) {
    case DType::Float64:
        return {0, at(double {}), true};
    case DType::Float32:
        return {0, at(float {}), true};
    case DType::Float16:
        return {0, load(at(Half {})), true};
    case DType::BFloat16:
        return {0, load(at(BFloat16 {})), true};
    case DType::Int64:
        return {at(std::int64_t {}), 0, false};
    case DType::Int32:
        return {at(std::int32_t {}), 0, false};
    case DType::Int8:
        return {at(std::int8_t {}), 0, false};
    default: // uint8 and bool
        return {at(std::uint8_t {}), 0, false};
    }
}

/// NaN is 0, what is beyond 64 bits is the end of the range.
PLIMSOLL_DEVICE inline std::int64_t cutOff(double x)
{
    if (x != x) return 0;
    if (x >= 0x1p63) return INT64_MAX;
    if (x < -0x1p63) return INT64_MIN;
    return static_cast<std::int64_t>(x);
}

/// To a float in one rounding.
PLIMSOLL_DEVICE inline float asFloat(const AnyNumber& number)
{
    return number.isReal ? static_cast<float>(number.real) : static_cast<float>(number.whole);
}

PLIMSOLL_DEVICE inline void writeNumber(void* y, DType dtype, std::int64_t i, const AnyNumber& number)
{
    const std::int64_t whole = number.isReal ? cutOff(number.real) : number.whole;
    switch (dtype) {
    case DType::Float64:
        static_cast<double*>(y)[i] = number.isReal ? number.real : static_cast<double>(number.whole);
        break;
    case DType::Float32:
        static_cast<float*>(y)[i] = asFloat(number);
        break;
    case DType::Float16:
        static_cast<Half*>(y)[i] = roundedToHalf(asFloat(number));
        break;
    case DType::BFloat16:
        static_cast<BFloat16*>(y)[i] = roundedToBFloat16(asFloat(number));
        break;
    case DType::Int64:
        static_cast<std::int64_t*>(y)[i] = whole;
        break;
    case DType::Int32:
        static_cast<std::int32_t*>(y)[i] = static_cast<std::int32_t>(whole);
        break;
    case DType::Bool:
        static_cast<std::uint8_t*>(y)[i] = number.isReal ? number.real != 0 : number.whole != 0;
        break;
    default: // of 8 bits
        static_cast<std::uint8_t*>(y)[i] = static_cast<std::uint8_t>(whole);
    }
}

struct CastBody
{
    const void* x;
    void* y;
    DType from;
    DType to;
    PLIMSOLL_DEVICE AnyNumber read(std::int64_t i) const { return readNumber(x, from, i); }
    PLIMSOLL_DEVICE void write(std::int64_t i, const AnyNumber& number) const { writeNumber(y, to, i, number); }
};

bool isCast(DType dtype)
{
    using enum DType;
    for (const DType known : {Float64, Float32, Float16, BFloat16, Int64, Int32, Int8, UInt8, Bool}) {
        if (dtype == known) return true;
    }
    return false;
}

Status castTo(DeviceCall& call, DType dtype)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    // To float16 and bfloat16 from float32 and what is exact there: others would be rounded twice.
    const bool isNarrow = dtype == DType::Float16 || dtype == DType::BFloat16;
    const bool isWide = x.dtype == DType::Float64 || x.dtype == DType::Int64 || x.dtype == DType::Int32;
    const bool known = isCast(x.dtype) && isCast(dtype) && !(isNarrow && isWide);
    if (!known) return declineType(call, isCast(x.dtype) ? dtype : x.dtype);
    PLIMSOLL_ASSIGN(y, call.output(0, dtype, x.shape));
    if (dtype == x.dtype) {
        call.mayLieOver(0, 0);
        copyElements(call.queue(), x, y);
    } else {
        forEach(call.queue(), x.elements(), CastBody {x.data, y.data, x.dtype, dtype});
    }
    return {};
}

Status cast(DeviceCall& call)
{
    return castTo(call, dtypeFromOnnx(intAttribute(call, "to", 0)));
}

Status castLike(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(like, inputTensor(call, 1));
    return castTo(call, like.dtype);
}

Status trilu(DeviceCall& call)
{
    PLIMSOLL_TRY(call.readOnHost(1));
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_TRY(requireRank(call, x, 2));
    if (!isMovable(x.dtype)) return declineType(call, x.dtype);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    call.mayLieOver(0, 0);
    visitWidth(x.dtype, [&]<typename T>() {
        keepTriangle<T>(call.queue(), x.shape, x.as<const T>(), y.as<T>(), intInput(call, 1, 0),
                        intAttribute(call, "upper", 1) != 0);
    });
    return {};
}

constexpr DeviceKernel Table[] = {
    {"", "Cast", "elementwise", cast},   {"", "CastLike", "elementwise", castLike}, {"", "Clip", "elementwise", clip},
    {"", "Trilu", "elementwise", trilu}, {"", "Where", "elementwise", where},
};

} // namespace

constinit const DeviceTable selectKernels = Table;

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
