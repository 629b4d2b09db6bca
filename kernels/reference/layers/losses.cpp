#include "kernels/common/call_tools.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/reference/layers/softmax.h"

namespace plimsoll::kernels {
namespace {

/// Scores as [batch, classes, places] and the class that each place should have.
struct Classification
{
    std::int64_t classes = 0;
    std::int64_t places = 0;
    Shape targetShape;
    std::vector<std::int64_t> targets;
    std::vector<double> weights; ///< By class; empty: all 1.
};

Result<Classification> classificationOf(const KernelCall& call, const TensorView& scores)
{
    PLIMSOLL_TRY(requireRank(call, scores, 2));
    PLIMSOLL_ASSIGN(target, inputTensor(call, 1));
    Shape expected = scores.shape;
    expected.erase(expected.begin() + 1);
    if (target.shape != expected) return refuse(call, say("kernel.target-misfit", describe(target), describe(scores)));
    Classification task {
        scores.shape[1], productOf(scores.shape, 2, scores.shape.size()), expected, integersOf(target), {}};
    if (const TensorView* weights = optionalInput(call, 2)) {
        if (weights->elements() != task.classes) return refuse(call, say("kernel.class-weights", describe(*weights)));
        task.weights = doublesOf(*weights);
    }
    return task;
}

/// Minus the weighted log-probability of the right class, reduced as the attribute says.
Status writeLoss(KernelCall& call, const Classification& task, const std::vector<double>& logProbabilities, DType dtype)
{
    const bool ignores = hasAttribute(call, "ignore_index");
    const std::int64_t ignored = intAttribute(call, "ignore_index", -1);
    std::vector<double> losses;
    double weightSum = 0;
    double lossSum = 0;
    for (std::size_t i = 0; i < task.targets.size(); ++i) {
        const std::int64_t target = task.targets[i];
        if (ignores && target == ignored) {
            losses.push_back(0);
            continue;
        }
        if (target < 0 || target >= task.classes)
            return refuse(call, say("kernel.target-no-class", word::Number(target)));
        const std::int64_t place = static_cast<std::int64_t>(i);
        const std::int64_t at = (place / task.places * task.classes + target) * task.places + place % task.places;
        const double weight = task.weights.empty() ? 1 : task.weights[static_cast<std::size_t>(target)];
        losses.push_back(-logProbabilities[static_cast<std::size_t>(at)] * weight);
        weightSum += weight;
        lossSum += losses.back();
    }
    const std::string reduction = textAttribute(call, "reduction", "mean");
    if (reduction == "none") return writeNumbers(call, 0, dtype, task.targetShape, losses);
    return writeNumbers(call, 0, dtype, {}, std::vector<double> {reduction == "mean" ? lossSum / weightSum : lossSum});
}

Status negativeLogLikelihoodLoss(KernelCall& call)
{
    PLIMSOLL_ASSIGN(scores, inputTensor(call, 0));
    if (!isFloatingPoint(scores.dtype)) return refuseType(call, scores.dtype);
    PLIMSOLL_ASSIGN(task, classificationOf(call, scores));
    return writeLoss(call, task, doublesOf(scores), scores.dtype);
}

Status softmaxCrossEntropyLoss(KernelCall& call)
{
    PLIMSOLL_ASSIGN(scores, inputTensor(call, 0));
    if (!isFloatingPoint(scores.dtype)) return refuseType(call, scores.dtype);
    PLIMSOLL_ASSIGN(task, classificationOf(call, scores));
    std::vector<double> numbers = doublesOf(scores);
    std::vector<double> slice(static_cast<std::size_t>(task.classes));
    for (std::int64_t i = 0; task.classes > 0 && i < scores.shape[0] * task.places; ++i) {
        double* base = numbers.data() + i / task.places * task.classes * task.places + i % task.places;
        for (std::int64_t c = 0; c < task.classes; ++c)
            slice[static_cast<std::size_t>(c)] = base[c * task.places];
        logSoftmaxInPlace(slice);
        for (std::int64_t c = 0; c < task.classes; ++c)
            base[c * task.places] = slice[static_cast<std::size_t>(c)];
    }
    PLIMSOLL_TRY(writeLoss(call, task, numbers, scores.dtype));
    return call.wantsOutput(1) ? writeNumbers(call, 1, scores.dtype, scores.shape, numbers) : Status();
}

constexpr KernelEntry LossKernels[] = {
    {"", "NegativeLogLikelihoodLoss", negativeLogLikelihoodLoss},
    {"", "SoftmaxCrossEntropyLoss", softmaxCrossEntropyLoss},
};

} // namespace

constinit const KernelTable lossKernels = LossKernels;

} // namespace plimsoll::kernels
