#include "kernels/cuda/kernels/losses.h"

#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/kernels/rows.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

/// Minus the weighted logarithm of the probability of the right class.
struct LossBody
{
    Loss loss;
    const float* logarithms;
    float* y;

    PLIMSOLL_DEVICE float read(std::int64_t place) const
    {
        const float weight = loss.weightOf(place);
        const std::int64_t label = weight == 0 ? 0 : loss.labelAt(place);
        return weight == 0 ? 0 : -logarithms[loss.scoreAt(place) + label * loss.places.size] * weight;
    }
    PLIMSOLL_DEVICE void write(std::int64_t place, float value) const { y[place] = value; }
};

/// The one number that is left.
struct QuotientBody
{
    const float* sum;
    const float* total; ///< Absent: it stays a sum.
    float* y;
    PLIMSOLL_DEVICE float read(std::int64_t /*i*/) const { return total ? *sum / *total : *sum; }
    PLIMSOLL_DEVICE void write(std::int64_t /*i*/, float value) const { *y = value; }
};

Status reduceLoss(DeviceCall& call, const Loss& loss, const float* logarithms)
{
    const std::string reduction = textAttribute(call, "reduction", "mean");
    if (reduction == "none") {
        PLIMSOLL_ASSIGN(y, call.output(0, DType::Float32, call.input(1).tensor.shape));
        forEach(call.queue(), loss.count, LossBody {loss, logarithms, y.as<float>()});
        return {};
    }
    if (reduction != "mean" && reduction != "sum") return decline(call, say("cuda.reduction", reduction));
    PLIMSOLL_ASSIGN(y, call.output(0, DType::Float32, {}));
    PLIMSOLL_ASSIGN(losses, call.scratch<float>(loss.count));
    forEach(call.queue(), loss.count, LossBody {loss, logarithms, losses});
    PLIMSOLL_ASSIGN(sum, sumOf(call, losses, loss.count));
    const float* total = nullptr;
    if (reduction == "mean") {
        PLIMSOLL_ASSIGN(weights, totalWeight(call, loss));
        total = weights;
    }
    forEach(call.queue(), 1, QuotientBody {sum, total, y.as<float>()});
    return {};
}

Result<Loss> weightedLoss(DeviceCall& call, const TensorView& scores)
{
    PLIMSOLL_ASSIGN(labels, inputTensor(call, 1));
    if (scores.dtype != DType::Float32) return declineType(call, scores.dtype);
    PLIMSOLL_ASSIGN(loss, lossOf(call, scores.shape, labels));
    const TensorView* weights = optionalInput(call, 2);
    if (!weights) return loss;
    if (weights->dtype != scores.dtype || weights->elements() != loss.classes)
        return decline(call, say("cuda.class-weights"));
    loss.weights = weights->as<const float>();
    return loss;
}

Status negativeLogLikelihoodLoss(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(scores, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(loss, weightedLoss(call, scores));
    return reduceLoss(call, loss, scores.as<const float>());
}

/// All logarithms are written out first: to the second output, or to the scratchpad.
Status softmaxCrossEntropyLoss(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(scores, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(loss, weightedLoss(call, scores));
    TensorView logarithms = scores;
    if (call.wantsOutput(1)) {
        PLIMSOLL_ASSIGN(out, call.output(1, DType::Float32, scores.shape));
        call.mayLieOver(1, 0);
        logarithms = out;
    } else {
        PLIMSOLL_ASSIGN(room, call.scratch<float>(scores.elements()));
        logarithms.data = room;
    }
    softmaxAlong<float, true>(call.queue(), splitAt(scores.shape, 1), scores.as<const float>(), logarithms.as<float>());
    return reduceLoss(call, loss, logarithms.as<const float>());
}

constexpr DeviceKernel Table[] = {
    {"", "NegativeLogLikelihoodLoss", "loss", negativeLogLikelihoodLoss},
    {"", "SoftmaxCrossEntropyLoss", "loss", softmaxCrossEntropyLoss},
};

} // namespace

constinit const DeviceTable lossKernels = Table;

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
