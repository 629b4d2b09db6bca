#include "core/ops/onnx/op_families.h"
#include "core/ops/rules/parameters.h"
#include "core/ops/safe_int.h"
#include "core/ops/window.h"

#include <algorithm>

namespace plimsoll::ops {

namespace {

Dims spatial(const Dims& dims)
{
    return dims.size() < 2 ? Dims {} : Dims(dims.begin() + 2, dims.end());
}

/// Along \p channels of them: the output's of a convolution, the input's of a transposed one.
Result<std::int64_t> readGroup(const NodeFacts& facts, std::int64_t channels)
{
    const std::int64_t group = facts.attribute("group", 1);
    if (group < 1) return facts.error(say("ops.attribute-group-least", word::Number {group}));
    if (channels >= 0 && channels % group != 0)
        return facts.error(say("ops.channels-weights-cannot", word::Number {channels}, word::Number {group}));
    return group;
}

/// \p channels of the result.
Status checkBias(const NodeFacts& facts, std::size_t bias, std::int64_t channels)
{
    return checkNumbers(facts, bias, channels, say("ops.one-a-channel-of-result"));
}

/// Which inputs are the weights and the bias; an operator without a bias says one that it cannot have.
struct ConvolutionInputs
{
    std::size_t weights = 1;
    std::size_t bias = 2;
};

Status inferConvolution(NodeFacts& facts, DType dtype, const ConvolutionInputs& inputs)
{
    const std::size_t weights = inputs.weights;
    const auto x = facts.dims(0);
    const auto w = facts.dims(weights);
    if (!x || !w) return facts.give(dtype, std::nullopt);
    const std::string data = describe(facts.type(0));
    const std::string filters = describe(facts.type(weights));
    if (x->size() < 3 || w->size() != x->size()) return facts.error(say("ops.input-do-same", data, filters));
    PLIMSOLL_ASSIGN(group, readGroup(facts, (*w)[0]));
    const auto channels = ((*w)[1] < 0 ? SafeInt(UnknownSize) : SafeInt((*w)[1]) * group).get();
    if (!channels || !sameSize((*x)[1], std::max(*channels, UnknownSize)))
        return facts.error(say("ops.input-do-same-number", data, filters, word::Number {group}));
    PLIMSOLL_TRY(checkBias(facts, inputs.bias, (*w)[0]));
    PLIMSOLL_ASSIGN(window, readWindow(facts, spatial(*w)));
    Dims dims {(*x)[0], (*w)[0]};
    for (std::size_t i = 0; i + 2 < x->size(); ++i) {
        const auto places = placesOf(window, i, (*x)[i + 2]);
        if (!places) return facts.error(say("ops.window-does-fit", describe(facts.type(0))));
        dims.push_back(*places);
    }
    return facts.give(dtype, dims);
}

/// One spatial size of the transposed convolution.
std::optional<std::int64_t> spreadOf(const NodeFacts& facts, const Window& window, std::size_t axis, std::int64_t size)
{
    if (const auto* wanted = facts.integersAttribute("output_shape");
        wanted && wanted->size() >= window.kernel.size()) {
        return (*wanted)[wanted->size() - window.kernel.size() + axis]; // Some files give batch and channels too.
    }
    if (size < 0 || window.kernel[axis] < 0) return UnknownSize;
    const SafeInt stride = window.strides[axis];
    if (window.autoPad.starts_with("SAME")) return (SafeInt(size) * stride).get();
    const auto* added = facts.integersAttribute("output_padding");
    const SafeInt extra = added && axis < added->size() ? (*added)[axis] : 0;
    const SafeInt reach = (SafeInt(window.kernel[axis]) - 1) * window.dilations[axis] + 1;
    SafeInt spread = stride * (SafeInt(size) - 1) + extra + reach;
    if (window.autoPad != "VALID") spread = spread - window.pads[axis] - window.pads[axis + window.kernel.size()];
    const auto places = spread.get();
    return places && *places >= 0 ? places : std::nullopt;
}

Status inferConvTranspose(NodeFacts& facts)
{
    const auto x = facts.dims(0);
    const auto w = facts.dims(1);
    if (!x || !w) return facts.give(facts.dtype(0), std::nullopt);
    const std::string data = describe(facts.type(0));
    const std::string filters = describe(facts.type(1));
    if (x->size() < 3 || w->size() != x->size()) return facts.error(say("ops.input-do-same", data, filters));
    if (!sameSize((*x)[1], (*w)[0])) return facts.error(say("ops.input-do-same-number-channels", data, filters));
    PLIMSOLL_ASSIGN(window, readWindow(facts, spatial(*w)));
    for (const std::string_view name : {"output_padding", "output_shape"}) {
        const auto* numbers = facts.integersAttribute(name);
        if (numbers && std::ranges::any_of(*numbers, [](std::int64_t number) { return number < 0; }))
            return facts.error(say("ops.attribute-number-less", name));
    }
    PLIMSOLL_ASSIGN(group, readGroup(facts, (*w)[0] < 0 ? (*x)[1] : (*w)[0]));
    const auto channels = ((*w)[1] < 0 ? SafeInt(UnknownSize) : SafeInt((*w)[1]) * group).get();
    PLIMSOLL_TRY(checkBias(facts, 2, channels.value_or(UnknownSize)));
    Dims dims {(*x)[0], channels.value_or(UnknownSize)};
    for (std::size_t i = 0; i + 2 < x->size(); ++i) {
        const auto size = spreadOf(facts, window, i, (*x)[i + 2]);
        if (!size) return facts.error(say("ops.pads-larger-than", describe(facts.type(0))));
        dims.push_back(*size);
    }
    return facts.give(facts.dtype(0), dims);
}

/// X [B,C,L], weights, bias, past state [B,C,K-1].
Status inferCausalConv(NodeFacts& facts)
{
    facts.setType(0, facts.type(0));
    if (facts.has(3)) {
        facts.setType(1, facts.type(3));
        return {};
    }
    const auto x = facts.dims(0);
    const auto w = facts.dims(1);
    if (!x || !w || x->size() < 2 || w->empty()) return {};
    facts.set(1, facts.dtype(0), Dims {(*x)[0], (*x)[1], w->back() > 0 ? w->back() - 1 : UnknownSize});
    return {};
}

constexpr OpSchema ConvolutionSchemas[] = {
    {.op = "CausalConvWithState", .signature = "float:T float:T float:T? float:T? -> 2", .infer = inferCausalConv},
    {.op = "Conv",
     .signature = "float:T float:T float:T?",
     .infer = [](NodeFacts& facts) { return inferConvolution(facts, facts.dtype(0), {.weights = 1, .bias = 2}); },
     .grows = First,
     .choices = {choices::Padding},
     .derivative = R"(
        (self, weight, bias?) = aten::convolution
          joint
          self: conv_input(g, weight)
          weight: conv_weight(g, self)
          bias: channels(g))"},
    {.op = "ConvInteger",
     .signature = "byte byte byte? byte?",
     .infer = [](NodeFacts& facts) { return inferConvolution(facts, DType::Int32, {.weights = 1, .bias = 4}); },
     .grows = First,
     .choices = {choices::Padding}},
    {.op = "ConvTranspose",
     .signature = "float:T float:T float:T?",
     .infer = inferConvTranspose,
     .grows = First,
     .choices = {choices::Padding},
     .derivative = R"(
        (self, weight, bias?)
          joint
          self: conv_transpose_input(g, weight)
          weight: conv_transpose_weight(g, self)
          bias: channels(g))"},
    // x, weights, offsets, bias, mask.
    {.op = "DeformConv",
     .signature = "float:T float:T float:T float:T? float:T?",
     .infer = [](NodeFacts& facts) { return inferConvolution(facts, facts.dtype(0), {.weights = 1, .bias = 3}); }},
    // x, its scale and zero point, w, its scale and zero point, scale and zero point of the result, bias.
    {.op = "QLinearConv",
     .signature = "byte:T float byte:T byte:U float byte:U float byte int32?",
     .infer = [](NodeFacts& facts) { return inferConvolution(facts, facts.dtype(7), {.weights = 3, .bias = 8}); },
     .grows = First,
     .choices = {choices::Padding}},
};

} // namespace

constinit const OpFamily convolutionOperators {"", ConvolutionSchemas};

} // namespace plimsoll::ops
