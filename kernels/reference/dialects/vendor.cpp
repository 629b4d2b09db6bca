#include "kernels/common/functions.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/reference/layers/normalization.h"

namespace plimsoll::kernels {
namespace {

constexpr std::string_view Microsoft = "com.microsoft";

/// Adds an optional tensor that broadcasts to \p shape.
Status addBroadcast(const KernelCall& call, std::size_t input, const Shape& shape, std::vector<double>& numbers)
{
    const TensorView* tensor = optionalInput(call, input);
    if (!tensor) return {};
    if (broadcastShape(tensor->shape, shape) != shape)
        return refuse(call, say("ops.not-broadcast", describe(*tensor), plimsoll::describe(shape)));
    const std::vector<double> added = doublesOf(*tensor);
    const BroadcastPair pair {shape, rowMajorStrides(shape), broadcastStrides(tensor->shape, shape)};
    mapPairs(pair, numbers.data(), added.data(), numbers.data(), [](double a, double b) { return a + b; });
    return {};
}

template <typename Gelu>
Status biasGelu(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    std::vector<double> numbers = doublesOf(x);
    PLIMSOLL_TRY(addBroadcast(call, 1, x.shape, numbers));
    for (double& number : numbers)
        number = Gelu()(number);
    return writeNumbers(call, 0, x.dtype, x.shape, numbers);
}

/// Normalises the rows, scales with input \p gamma and moves by the one behind it.
Status scaledRows(const KernelCall& call, const Shape& shape, std::size_t gamma, std::size_t beta, RowNorm kind,
                  std::vector<double>& numbers)
{
    PLIMSOLL_ASSIGN(scaleTensor, inputTensor(call, gamma));
    const std::int64_t width = shape.back();
    const TensorView* moved = optionalInput(call, beta);
    if (scaleTensor.elements() != width || (moved && moved->elements() != width))
        return refuse(call, say("kernel.gamma-size", word::Number(width)));
    const std::vector<double> scale = doublesOf(scaleTensor);
    const double epsilon = floatAttribute(call, "epsilon", kind == RowNorm::Centred ? 1e-12 : 1e-5);
    for (std::size_t row = 0; width > 0 && row < numbers.size(); row += static_cast<std::size_t>(width)) {
        normalizeRow(numbers.data() + row, width, epsilon, kind);
        for (std::size_t i = 0; i < scale.size(); ++i)
            numbers[row + i] *= scale[i];
    }
    return moved ? addBroadcast(call, beta, shape, numbers) : Status();
}

/// Input plus skip (plus bias), normalised.
template <RowNorm kind>
Status skipNorm(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_TRY(requireRank(call, x, 1));
    const bool centred = kind == RowNorm::Centred;
    std::vector<double> numbers = doublesOf(x);
    PLIMSOLL_TRY(addBroadcast(call, 1, x.shape, numbers));
    PLIMSOLL_TRY(addBroadcast(call, centred ? 4 : 3, x.shape, numbers));
    const std::vector<double> sum = numbers;
    constexpr std::size_t None = 99; // no input: the kind without a centre is not moved
    PLIMSOLL_TRY(scaledRows(call, x.shape, 2, centred ? 3 : None, kind, numbers));
    PLIMSOLL_TRY(writeNumbers(call, 0, x.dtype, x.shape, numbers));
    if (call.wantsOutput(1) || call.wantsOutput(2)) return refuse(call, say("kernel.row-statistics"));
    return call.wantsOutput(3) ? writeNumbers(call, 3, x.dtype, x.shape, sum) : Status();
}

/// Adds row ids[i] of a table to row i, the ids repeating where there are fewer.
Status addRows(const KernelCall& call, std::size_t table, const std::vector<std::int64_t>& ids,
               std::vector<double>& numbers)
{
    PLIMSOLL_ASSIGN(tensor, inputTensor(call, table));
    if (tensor.shape.size() != 2 || ids.empty()) return refuse(call, say("kernel.no-table", describe(tensor)));
    const std::vector<double> rows = doublesOf(tensor);
    const auto width = static_cast<std::size_t>(tensor.shape[1]);
    for (std::size_t i = 0; width > 0 && i < numbers.size() / width; ++i) {
        const std::int64_t id = ids[i % ids.size()];
        if (id < 0 || id >= tensor.shape[0])
            return refuse(call, say("kernel.row-outside", word::Number(id), describe(tensor)));
        for (std::size_t k = 0; k < width; ++k)
            numbers[i * width + k] += rows[static_cast<std::size_t>(id) * width + k];
    }
    return {};
}

/// Word, position and segment rows, summed and normalised; the second output counts the mask.
Status embedLayerNormalization(KernelCall& call)
{
    PLIMSOLL_ASSIGN(ids, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(words, inputTensor(call, 2));
    PLIMSOLL_ASSIGN(positionTable, inputTensor(call, 3));
    if (ids.shape.size() != 2 || words.shape.size() != 2 || positionTable.shape.size() != 2 ||
        positionTable.shape[1] != words.shape[1]) {
        return refuse(call, say("kernel.not-ids", describe(ids), describe(words)));
    }
    const Shape shape {ids.shape[0], ids.shape[1], words.shape[1]};
    std::vector<std::int64_t> positions;
    for (std::int64_t i = 0; i < ids.shape[1]; ++i)
        positions.push_back(i);
    if (const TensorView* given = optionalInput(call, 8)) positions = integersOf(*given);
    PLIMSOLL_ASSIGN(out, call.output(0, words.dtype, shape));
    std::vector<double> numbers(static_cast<std::size_t>(out.elements()), 0);
    PLIMSOLL_TRY(addRows(call, 2, integersOf(ids), numbers));
    PLIMSOLL_TRY(addRows(call, 3, positions, numbers));
    const TensorView* segments = optionalInput(call, 1);
    if (segments && optionalInput(call, 4)) {
        if (call.input(4).tensor.shape.size() != 2 || call.input(4).tensor.shape[1] != words.shape[1])
            return refuse(call, say("kernel.segment-table"));
        PLIMSOLL_TRY(addRows(call, 4, integersOf(*segments), numbers));
    }
    const std::vector<double> sum = numbers;
    PLIMSOLL_TRY(scaledRows(call, shape, 5, 6, RowNorm::Centred, numbers));
    storeNumbers(numbers.data(), out);
    if (call.wantsOutput(1)) {
        std::vector<std::int64_t> counts(static_cast<std::size_t>(ids.shape[0]), 0);
        if (const TensorView* mask = optionalInput(call, 7)) {
            const std::vector<std::int64_t> marks = integersOf(*mask);
            for (std::size_t i = 0; i < marks.size() && ids.shape[1] > 0; ++i)
                counts[i / static_cast<std::size_t>(ids.shape[1]) % counts.size()] += marks[i];
        }
        PLIMSOLL_TRY(writeIntegers(call, 1, DType::Int32, {ids.shape[0]}, counts));
    }
    return call.wantsOutput(2) ? writeNumbers(call, 2, words.dtype, shape, sum) : Status();
}

constexpr KernelEntry VendorKernels[] = {
    {Microsoft, "BiasGelu", biasGelu<functions::ErfGelu>},
    {Microsoft, "EmbedLayerNormalization", embedLayerNormalization},
    {Microsoft, "FastGelu", biasGelu<functions::TanhGelu>},
    {Microsoft, "SkipLayerNormalization", skipNorm<RowNorm::Centred>},
    {Microsoft, "SkipSimplifiedLayerNormalization", skipNorm<RowNorm::RootMean>},
};

} // namespace

constinit const KernelTable vendorKernels = VendorKernels;

} // namespace plimsoll::kernels
