#include "core/ops/alike_rows.h"
#include "core/ops/onnx/op_families.h"
#include "core/ops/onnx_dtype.h"
#include "core/ops/rules/shape_search.h"
#include "core/ops/safe_int.h"

namespace plimsoll::ops {

namespace {

std::int64_t half(std::int64_t size)
{
    return size < 0 ? UnknownSize : size / 2 + 1;
}

/// [batch, …, length, 1 or 2]: the last dimension is real, or real and imaginary.
Status inferDft(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    if (!dims || dims->empty()) return facts.give(facts.dtype(0), std::nullopt);
    std::optional<std::int64_t> wanted = facts.attribute("axis", facts.opset() < 20 ? 1 : -2);
    if (facts.has(2)) wanted = facts.integer(2);
    const bool inverse = facts.attribute("inverse", 0) != 0;
    const bool oneSided = facts.attribute("onesided", 0) != 0;
    const auto axis = wanted ? normalAxis(*wanted, dims->size()) : std::nullopt;
    if (wanted && !axis) return facts.error(say("ops.outside-axis", describe(facts.type(0))));
    const Message because = say("size.transform");
    if (!axis) return facts.give(facts.dtype(0), Dims(dims->size(), UnknownSize), because);
    auto& length = (*dims)[*axis];
    if (facts.has(1)) {
        length = facts.integer(1).value_or(UnknownSize);
    } else if (inverse && oneSided && length >= 0) {
        length = (SafeInt(2) * (SafeInt(length) - 1)).get().value_or(UnknownSize); // Half a spectrum comes in.
    }
    if (oneSided && !inverse) length = half(length);
    dims->back() = inverse && oneSided ? 1 : 2;
    return facts.give(facts.dtype(0), dims, because);
}

/// Signal, step between frames, window, length of a frame → [batch, frames, bins, 2].
Status inferStft(NodeFacts& facts)
{
    const auto signal = facts.dims(0);
    const auto step = facts.integer(1);
    const auto window = facts.dims(2);
    std::int64_t frame = window && window->size() == 1 ? window->front() : UnknownSize;
    if (facts.has(3)) frame = facts.integer(3).value_or(UnknownSize);
    const std::int64_t length = sizeAt(signal, 1);
    const bool countable = step && *step > 0 && frame >= 0 && length >= frame;
    const std::int64_t frames = countable ? (length - frame) / *step + 1 : UnknownSize;
    const std::int64_t bins = facts.attribute("onesided", 1) != 0 ? half(frame) : frame;
    return facts.give(facts.dtype(0), Dims {sizeAt(signal, 0), frames, bins, 2}, say("size.frames"));
}

/// Number of mel bins, length of the transform, …
Status inferMelWeightMatrix(NodeFacts& facts)
{
    const std::int64_t bins = facts.integer(0).value_or(UnknownSize);
    return facts.give(dtypeAttribute(facts.node(), "output_datatype", DType::Float32),
                      Dims {half(facts.integer(1).value_or(UnknownSize)), bins}, say("size.bins"));
}

std::int64_t twice(std::int64_t number)
{
    return (SafeInt(number) * 2).get().value_or(number);
}

void melWeightContents(ShapeSearch& search)
{
    search.want(0, {search.outSize(1, 1)});
    search.want(1, {twice(std::max<std::int64_t>(1, search.outSize(0, 2) - 1))});
    search.want(2, {16000});
    search.wantReals(3, {0});
    search.wantReals(4, {8000});
}

void fourierContents(ShapeSearch& search)
{
    const std::int64_t axis = search.has(2) ? -2 : search.attribute("axis", 1);
    search.want(2, {-2});
    const auto dims = search.dims(0);
    const auto at = dims ? normalAxis(axis, dims->size()) : std::nullopt;
    const std::int64_t whole = at ? (*dims)[*at] : UnknownSize;
    const std::int64_t size = search.outSize(axis, UnknownSize);
    const bool half = search.attribute("onesided", 0) != 0;
    if (size < 1) return;
    search.want(1, {!half ? size : (whole / 2 + 1 == size ? whole : twice(size - 1))});
}

void shortFourierContents(ShapeSearch& search)
{
    const auto window = search.dims(2);
    const auto signal = search.dims(0);
    const std::int64_t bins = search.outSize(2, 2);
    const bool half = search.attribute("onesided", 1) != 0;
    const std::int64_t length =
        window && !window->empty() && window->front() > 0 ? window->front() : (half ? twice(bins - 1) : bins);
    const std::int64_t frames = search.outSize(1, 1);
    const std::int64_t all = signal && signal->size() > 1 ? (*signal)[1] : length;
    search.want(1, {frames > 1 ? std::max<std::int64_t>(1, (all - length) / (frames - 1)) : 1});
    search.want(3, {length});
}

constexpr OpSchema OwnRows[] = {
    {.op = "DFT", .signature = "float int? int?", .infer = inferDft, .contents = fourierContents},
    {.op = "MelWeightMatrix",
     .signature = "int int int float float",
     .infer = inferMelWeightMatrix,
     .contents = melWeightContents},
    {.op = "STFT", .signature = "float int float? int?", .infer = inferStft, .contents = shortFourierContents},
};

constexpr auto SignalSchemas =
    joined(std::to_array(OwnRows),
           alike<"BlackmanWindow HammingWindow HannWindow">(
               {.op = {},
                .signature = "int",
                .infer = [](NodeFacts& facts) -> Status {
                    return facts.give(dtypeAttribute(facts.node(), "output_datatype", DType::Float32),
                                      Dims {facts.integer(0).value_or(UnknownSize)}, say("size.window"));
                },
                .contents = [](ShapeSearch& search) { search.want(0, {search.outSize(0, 1)}); }}));

} // namespace

constinit const OpFamily signalOperators {"", SignalSchemas};

} // namespace plimsoll::ops
