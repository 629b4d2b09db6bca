#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/launch/number.h"
#include "kernels/cuda/launch/sliding.h"
#include "kernels/cuda/libraries/library_layers.h"

#include <cfloat>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

/// A thread makes one number of a window; a NaN wins.
template <typename T>
struct MaxPoolBody
{
    struct Found
    {
        float most;
        std::int64_t at; ///< In the whole tensor; -1: the window lies in the padding.
    };
    const T* x;
    T* y;
    std::int64_t* indices; ///< May be absent.
    Sliding sliding;
    bool columnMajor;

    PLIMSOLL_DEVICE Found read(std::int64_t i) const
    {
        const std::int64_t first = i / sliding.windowCount * sliding.planeSize.size;
        const auto window = static_cast<std::int32_t>(i % sliding.windowCount);
        Found found {0, -1};
        for (std::int32_t k = 0; k < sliding.kernelSize.size; ++k) {
            const std::int64_t source = sliding.source(window, k);
            if (source < 0) continue;
            const float candidate = load(x[first + source]);
            if (found.at < 0 || candidate > found.most || candidate != candidate) found = {candidate, first + source};
        }
        return found;
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, const Found& found) const
    {
        y[i] = rounded<T>(found.at < 0 ? -FLT_MAX : found.most);
        if (!indices) return;
        std::int64_t at = found.at < 0 ? 0 : found.at;
        if (columnMajor && found.at >= 0) { // within the plane
            const std::int64_t inside = at % sliding.planeSize;
            at += inside % sliding.plane[2] * sliding.plane.number(1) + inside / sliding.plane[2] - inside;
        }
        indices[i] = at;
    }
};

template <typename T>
struct AveragePoolBody
{
    const T* x;
    T* y;
    Sliding sliding;
    bool includePad;

    PLIMSOLL_DEVICE float read(std::int64_t i) const
    {
        const T* plane = x + i / sliding.windowCount * sliding.planeSize.size;
        const auto window = static_cast<std::int32_t>(i % sliding.windowCount);
        float sum = 0;
        std::int64_t count = 0;
        for (std::int32_t k = 0; k < sliding.kernelSize.size; ++k) {
            const std::int64_t source = sliding.source(window, k);
            if (source >= 0) sum += load(plane[source]);
            if (source >= 0 || (includePad && source == Sliding::InPad)) ++count;
        }
        return count == 0 ? 0 : sum / static_cast<float>(count);
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, float value) const { y[i] = rounded<T>(value); }
};

struct Pooling
{
    TensorView x;
    Windows windows;
    Shape shape; ///< Of the output.
    Sliding sliding;
};

Result<Pooling> poolingOf(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isComputedReal(x.dtype)) return declineType(call, x.dtype);
    PLIMSOLL_ASSIGN(spatial, spatialShape(call, x));
    PLIMSOLL_ASSIGN(windows, windowsOver(call, spatial, {}));
    const auto sliding = slidingOf(windows, x.shape[0] * x.shape[1]);
    if (!sliding) return decline(call, say("cuda.empty-or-spatial-rank"));
    Shape shape {x.shape[0], x.shape[1]};
    shape.insert(shape.end(), windows.output.begin(), windows.output.end());
    return Pooling {x, windows, shape, *sliding};
}

Status maxPool(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(pooling, poolingOf(call));
    const TensorView& x = pooling.x;
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, pooling.shape));
    std::int64_t* indices = nullptr;
    if (call.wantsOutput(1)) {
        PLIMSOLL_ASSIGN(places, call.output(1, DType::Int64, pooling.shape));
        indices = places.as<std::int64_t>();
    }
    const bool columnMajor = intAttribute(call, "storage_order", 0) != 0 && x.shape.size() == 4;
    visitReal(x.dtype, [&]<typename T>() {
        forEach(call.queue(), y.elements(),
                MaxPoolBody<T> {x.as<const T>(), y.as<T>(), indices, pooling.sliding, columnMajor});
    });
    return {};
}

Status averagePool(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(pooling, poolingOf(call));
    const TensorView& x = pooling.x;
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, pooling.shape));
    const bool includePad = intAttribute(call, "count_include_pad", 0) != 0;
    visitReal(x.dtype, [&]<typename T>() {
        forEach(call.queue(), y.elements(),
                AveragePoolBody<T> {x.as<const T>(), y.as<T>(), pooling.sliding, includePad});
    });
    return {};
}

/// The library makes no indices, and wants nothing over another tensor.
template <Status (*ownKernel)(DeviceCall&), LayerOver layerOver>
Status poolByCudnn(DeviceCall& call)
{
    if (standsInForLibrary(call.queue())) return ownKernel(call);
    if (call.wantsOutput(1)) return decline(call, say("cuda.cudnn-no-indices"));
    PLIMSOLL_ASSIGN(pooling, poolingOf(call));
    const TensorView& x = pooling.x;
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, pooling.shape));
    PLIMSOLL_ASSIGN(layer, layerOver(call, pooling.windows, x));
    return computeByLibrary(call, layer, {.x = x.data, .y = y.data});
}

constexpr DeviceKernel Table[] = {
    {"", "AveragePool", "pooling", averagePool},
    {"", "AveragePool", "cudnn:pooling", poolByCudnn<averagePool, libraryAveragePool>},
    {"", "MaxPool", "pooling", maxPool},
    {"", "MaxPool", "cudnn:pooling", poolByCudnn<maxPool, libraryMaxPool>},
};

} // namespace

constinit const DeviceTable poolingKernels = Table;

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
