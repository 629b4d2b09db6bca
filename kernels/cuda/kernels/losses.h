#pragma once

#include "kernels/cuda/device/device_call.h"
#include "kernels/cuda/kernels/reduce.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// Scores of [batch, classes, places…] and the class that each place ought to have.
struct Loss
{
    const void* labels;
    bool wide;            ///< int64, else int32.
    const float* weights; ///< By class; may be absent.
    std::int64_t classes;
    Divisor places;     ///< Behind the classes.
    Divisor picture;    ///< Scores of all classes and places.
    std::int64_t count; ///< Labels.
    bool ignores;
    std::int64_t ignored;
    std::int32_t* fault; ///< Where a label that is no class is noted.

    PLIMSOLL_DEVICE std::int64_t labelAt(std::int64_t place) const
    {
        return wide ? static_cast<const std::int64_t*>(labels)[place] : static_cast<const std::int32_t*>(labels)[place];
    }
    /// 0 where the place does not count.
    PLIMSOLL_DEVICE float weightOf(std::int64_t place) const
    {
        const std::int64_t label = labelAt(place);
        if (ignores && label == ignored) return 0;
        if (label >= 0 && label < classes) return weights ? weights[label] : 1;
        *fault = 1;
        return 0;
    }
    /// Of class 0.
    PLIMSOLL_DEVICE std::int64_t scoreAt(std::int64_t place) const
    {
        return place / places * picture.size + place % places;
    }
};

/// The attributes of the operators of losses, whose scores have \p shape.
inline Result<Loss> lossOf(DeviceCall& call, const Shape& shape, const TensorView& labels)
{
    if (shape.size() < 2) return decline(call, say("cuda.no-classes"));
    if (labels.dtype != DType::Int64 && labels.dtype != DType::Int32) return declineType(call, labels.dtype);
    Shape expected = shape;
    expected.erase(expected.begin() + 1);
    if (labels.elements() != productOf(expected)) return decline(call, say("cuda.label-misfit"));
    return Loss {labels.data,
                 labels.dtype == DType::Int64,
                 nullptr,
                 shape[1],
                 Divisor(productOf(shape, 2, shape.size()), productOf(shape)),
                 Divisor(productOf(shape, 1, shape.size()), productOf(shape)),
                 labels.elements(),
                 hasAttribute(call, "ignore_index"),
                 intAttribute(call, "ignore_index", -1),
                 call.queue().fault};
}

struct LossWeightBody
{
    Loss loss;
    float* y;
    PLIMSOLL_DEVICE float read(std::int64_t place) const { return loss.weightOf(place); }
    PLIMSOLL_DEVICE void write(std::int64_t place, float weight) const { y[place] = weight; }
};

/// The sum of \p count numbers, in the scratchpad.
inline Result<const float*> sumOf(DeviceCall& call, const float* numbers, std::int64_t count)
{
    PLIMSOLL_ASSIGN(sum, call.scratch<float>(1));
    PLIMSOLL_TRY((reduceInto<float, float, SumStep<float>>(call, reductionOver({count}, {true}, false), numbers, sum)));
    return static_cast<const float*>(sum);
}

/// What a mean is divided by: the weights of all places that count.
inline Result<const float*> totalWeight(DeviceCall& call, const Loss& loss)
{
    PLIMSOLL_ASSIGN(weights, call.scratch<float>(loss.count));
    forEach(call.queue(), loss.count, LossWeightBody {loss, weights});
    return sumOf(call, weights, loss.count);
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
