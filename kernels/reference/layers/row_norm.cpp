#include "kernels/reference/layers/row_norm.h"

#include "kernels/common/numbers.h"

#include <cmath>

namespace plimsoll::kernels {
namespace {

/// numbers · scale + bias, both broadcast to \p shape; either may be absent.
Status applyScale(const KernelCall& call, const Shape& shape, std::vector<double>& numbers)
{
    for (std::size_t input = 1; input <= 2; ++input) {
        const TensorView* tensor = optionalInput(call, input);
        if (!tensor) continue;
        if (broadcastShape(tensor->shape, shape) != shape)
            return refuse(call, describe(*tensor) + " does not broadcast to " + plimsoll::describe(shape) + ".");
        const std::vector<double> factors = doublesOf(*tensor);
        for (RowWalk walk(shape, {broadcastStrides(tensor->shape, shape), rowMajorStrides(shape)}); walk.valid();
             walk.advance()) {
            for (std::int64_t i = 0; i < walk.count(); ++i) {
                double& number = numbers[static_cast<std::size_t>(walk.offset(1) + i * walk.step(1))];
                const double factor = factors[static_cast<std::size_t>(walk.offset(0) + i * walk.step(0))];
                number = input == 1 ? number * factor : number + factor;
            }
        }
    }
    return {};
}

Status normalizeFromAxis(KernelCall& call, RowNorm kind)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", -1), x.shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    const std::int64_t rows = productOf(x.shape, 0, at);
    const std::int64_t count = productOf(x.shape, at, x.shape.size());
    std::vector<double> numbers = doublesOf(x);
    std::vector<double> means;
    std::vector<double> inverses;
    for (std::int64_t row = 0; row < rows; ++row) {
        const RowStatistics statistics =
            normalizeRow(numbers.data() + row * count, count, floatAttribute(call, "epsilon", 1e-5), kind);
        means.push_back(statistics.mean);
        inverses.push_back(statistics.inverse);
    }
    PLIMSOLL_TRY(applyScale(call, x.shape, numbers));
    PLIMSOLL_TRY(writeNumbers(call, 0, x.dtype, x.shape, numbers));
    Shape shape(x.shape.begin(), x.shape.begin() + static_cast<std::ptrdiff_t>(axis));
    shape.resize(x.shape.size(), 1);
    const DType stash = dtypeFromOnnx(intAttribute(call, "stash_type", 1));
    const bool centred = kind == RowNorm::Centred;
    if (call.wantsOutput(1)) PLIMSOLL_TRY(writeNumbers(call, 1, stash, shape, centred ? means : inverses));
    if (centred && call.wantsOutput(2)) PLIMSOLL_TRY(writeNumbers(call, 2, stash, shape, inverses));
    return {};
}

} // namespace

RowStatistics normalizeRow(double* row, std::int64_t count, double epsilon, RowNorm kind)
{
    RowStatistics statistics;
    if (kind == RowNorm::Centred) {
        for (std::int64_t i = 0; i < count; ++i)
            statistics.mean += row[i];
        statistics.mean /= static_cast<double>(count);
    }
    double squares = 0;
    for (std::int64_t i = 0; i < count; ++i)
        squares += (row[i] - statistics.mean) * (row[i] - statistics.mean);
    statistics.inverse = 1 / std::sqrt(squares / static_cast<double>(count) + epsilon);
    for (std::int64_t i = 0; i < count; ++i)
        row[i] = (row[i] - statistics.mean) * statistics.inverse;
    return statistics;
}

Status layerNormalization(KernelCall& call)
{
    return normalizeFromAxis(call, RowNorm::Centred);
}

Status rmsNormalization(KernelCall& call)
{
    return normalizeFromAxis(call, RowNorm::RootMean);
}

} // namespace plimsoll::kernels
