#include "core/ops/mxnet/mxnet_families.h"

#include <algorithm>

namespace plimsoll::mxnet {

namespace {

bool hasChannelsLast(const Node& node)
{
    return textOf(node.attributes, "layout", "").ends_with('C');
}

/// NHWC from NCHW.
Dims channelsLast(Dims dims)
{
    if (dims.size() > 2) std::rotate(dims.begin() + 1, dims.begin() + 2, dims.end());
    return dims;
}

/// The data as the counterpart sees it: with the channels first, and of unknown sizes where nothing is known.
Dims seeData(const Node& node, const std::optional<Dims>& data, std::size_t axes, Counterpart& counterpart)
{
    if (hasChannelsLast(node)) counterpart.typesOnly = "only layouts with the channels first are computed.";
    Dims dims = data.value_or(Dims(axes + 2, UnknownSize));
    if (hasChannelsLast(node) && dims.size() > 2) std::rotate(dims.begin() + 1, dims.end() - 1, dims.end());
    return dims;
}

/// The rows of the table that the data names.
Message embedded(const Node& node, const std::optional<Dims>&, Counterpart& counterpart)
{
    const auto size = [&](const char* name) { return numberOf(node.attributes, name, UnknownSize); };
    counterpart.inputs = {{.input = 1, .dims = Dims {size("input_dim"), size("output_dim")}}, {.input = 0}};
    return {};
}

Status inferEmbedding(NodeFacts& facts)
{
    const DType dtype = dtypeOf(facts.node().attributes, "dtype", DType::Float32);
    PLIMSOLL_TRY(inferLayerAs(facts, dtype));
    facts.output(0).type.dtype = dtype;
    return {};
}

/// Of the data, with moments (BatchNorm: of each channel; LayerNorm: of each row; GroupNorm and InstanceNorm: of each
/// group or channel of a picture), and parameters with one number along the axis.
Status inferNormalization(NodeFacts& facts)
{
    const std::string& op = facts.node().op;
    const bool batch = op == "BatchNorm";
    const bool layer = op == "LayerNorm";
    const auto dims = facts.dims(0) || !(batch || layer) ? facts.dims(0) : dimsOf(facts.wanted(0));
    if (dims && dims->size() < 2 && !batch && !layer) return facts.error(say("ops.data-needs-least"));
    const DType data = facts.dtype(0);
    const bool half = data == DType::Float16 || data == DType::BFloat16;
    const DType dtype = batch && half ? DType::Float32 : data; // parameters and moments of halves are floats
    facts.set(0, data, dims);
    if (batch) facts.require(0, DType::Unknown, dims);
    std::optional<Dims> along;
    std::optional<Dims> moments = dims;
    if (dims) {
        PLIMSOLL_ASSIGN(axis, axisAttribute(facts, "axis", layer ? -1 : 1, dims->size()));
        along = Dims {(*dims)[axis]};
        (*moments)[axis] = 1;
        if (batch) moments = along;
        if (!batch && !layer)
            moments = {dims->front(), op == "GroupNorm" ? facts.attribute("num_groups", 1) : (*dims)[1]};
    }
    facts.set(1, dtype, moments);
    facts.set(2, dtype, moments);
    for (std::size_t i = 1; i < (batch ? 5U : 3U); ++i)
        facts.require(i, dtype, along);
    return {};
}

/// The second output holds the norms: of each picture, of each place, or of each channel.
Status inferL2Norm(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    if (dims && dims->size() < 2) return facts.error(say("ops.data-needs-least"));
    const std::string mode = facts.textAttribute("mode", "instance");
    if (dims && mode == "instance") dims->resize(1);
    if (dims && mode == "channel") (*dims)[1] = 1;
    for (std::size_t axis = 2; dims && mode == "spatial" && axis < dims->size(); ++axis)
        (*dims)[axis] = 1;
    facts.set(1, facts.dtype(0), dims);
    return facts.give(facts.type(0));
}

constexpr OpSchema MxnetLayerSchemas[] = {
    {.op = "BatchNorm",
     .signature = "any any* -> 3",
     .infer = inferNormalization,
     .pure = false}, // writes its moving averages while training
    {.op = "Convolution",
     .signature = "any any any?",
     .infer = [](NodeFacts& facts) { return inferLayerAs(facts, facts.dtype(0)); },
     .counterpart = {"Conv", FilterAttributes, convolved}},
    {.op = "Deconvolution",
     .signature = "any any any?",
     .infer = [](NodeFacts& facts) { return inferLayerAs(facts, facts.dtype(0)); },
     .counterpart = {"ConvTranspose",
                     "kernel_shape=kernel[] strides=stride[] dilations=dilate[] pads=pad[2] group=num_group|1 "
                     "output_padding=adj[]",
                     convolved}},
    {.op = "Embedding", .signature = "any any", .infer = inferEmbedding, .counterpart = {"Gather", "", embedded}},
    {.op = "FullyConnected",
     .signature = "any any any?",
     .infer = [](NodeFacts& facts) { return inferConnectedAs(facts, facts.dtype(0)); },
     .counterpart = {"Gemm", "transB=|1", connected}},
    {.op = "GroupNorm", .signature = "any any any -> 3", .infer = inferNormalization, .cheap = true},
    {.op = "InstanceNorm", .signature = "any any any -> 3", .infer = inferNormalization, .cheap = true},
    {.op = "L2Normalization", .signature = "any -> 2", .infer = inferL2Norm},
    {.op = "LRN",
     .signature = "any -> 2",
     .infer = [](NodeFacts& facts) -> Status {
         facts.setType(1, facts.type(0));
         return facts.give(facts.type(0));
     },
     .cheap = true},
    {.op = "LayerNorm", .signature = "any any any -> 3", .infer = inferNormalization, .cheap = true},
    {.op = "Pooling",
     .signature = "any -> 2",
     .infer = [](NodeFacts& facts) -> Status {
         PLIMSOLL_TRY(inferLayerAs(facts, DType::Unknown));
         facts.set(1, DType::Int32, dimsOf(facts.output(0).type)); // oneDNN builds: where each maximum was
         return {};
     },
     .cheap = true,
     .counterpart = {"MaxPool", WindowAttributes, pooled}},
};

} // namespace

Message convolved(const Node& node, const std::optional<Dims>& data, Counterpart& counterpart)
{
    const bool transposed = counterpart.op == "ConvTranspose";
    const auto kernel = tupleOf(node.attributes, "kernel").value_or(Dims {});
    if (kernel.empty()) return say("ops.attribute-kernel-missing");
    const std::int64_t filters = numberOf(node.attributes, "num_filter", 0);
    const std::int64_t groups = numberOf(node.attributes, "num_group", 1);
    if (filters < 1 || groups < 1 || filters % groups != 0)
        return say("ops.num-filter-num-group-they", word::Number {filters}, word::Number {groups});
    const Dims x = seeData(node, data, kernel.size(), counterpart);
    const std::int64_t channels = sizeAt(x, 1);
    Dims weights = {filters, channels < 0 ? UnknownSize : channels / groups};
    if (transposed) weights = {channels, filters / groups};
    weights.insert(weights.end(), kernel.begin(), kernel.end());
    counterpart.inputs = {{.input = 0, .dims = x}, {.input = 1, .dims = weights}};
    if (node.inputs.size() > 2 && !flagOf(node.attributes, "no_bias", false))
        counterpart.inputs.push_back({.input = 2, .dims = Dims {filters}});
    const auto target = tupleOf(node.attributes, "target_shape").value_or(Dims {});
    if (transposed && std::ranges::any_of(target, [](std::int64_t size) { return size > 0; })) {
        counterpart.attributes.emplace("output_shape", target);
        counterpart.typesOnly = "target_shape is not computed.";
    }
    return {};
}

Message connected(const Node& node, const std::optional<Dims>& data, Counterpart& counterpart)
{
    const std::int64_t hidden = numberOf(node.attributes, "num_hidden", 0);
    if (hidden < 1) return say("ops.attribute-num-hidden-least");
    if (data && data->empty()) return say("ops.data-dimensions");
    const std::size_t cut = !data || flagOf(node.attributes, "flatten", true) ? 1 : data->size() - 1;
    Dims rows = {UnknownSize, UnknownSize};
    if (data) rows = {product(*data, 0, cut), product(*data, cut, data->size())};
    counterpart.inputs = {{.input = 0, .dims = rows}, {.input = 1, .dims = Dims {hidden, rows[1]}}};
    if (node.inputs.size() > 2 && !flagOf(node.attributes, "no_bias", false))
        counterpart.inputs.push_back({.input = 2, .dims = Dims {hidden}});
    return {};
}

Message pooled(const Node& node, const std::optional<Dims>& data, Counterpart& counterpart)
{
    const auto kernel = tupleOf(node.attributes, "kernel").value_or(Dims {});
    if (data && data->size() < 3) return say("ops.data-needs-spatial", describe(*data));
    if (!data && kernel.empty()) return {};
    const Dims x = seeData(node, data, kernel.size(), counterpart);
    const std::size_t axes = x.size() - 2;
    const bool average = textOf(node.attributes, "pool_type", "max") == "avg";
    const bool all = flagOf(node.attributes, "global_pool", false);
    const std::string convention = textOf(node.attributes, "pooling_convention", "valid");
    const bool positions = node.outputs.size() > 1 && node.outputs[1].valid();
    if (positions || (!average && textOf(node.attributes, "pool_type", "max") != "max") ||
        (!all && convention == "same"))
        counterpart.typesOnly = "this kind of pooling is not computed.";
    counterpart.inputs = {{.input = 0, .dims = x}};
    counterpart.op = average ? (all ? "GlobalAveragePool" : "AveragePool") : (all ? "GlobalMaxPool" : "MaxPool");
    if (all) counterpart.attributes = {};
    if (average && !all)
        counterpart.attributes.emplace("count_include_pad",
                                       std::int64_t {flagOf(node.attributes, "count_include_pad", true)});
    if (all || convention == "valid") return {};
    if (convention == "same") {
        counterpart.attributes.emplace("auto_pad", "SAME_UPPER");
        return {};
    }
    if (convention != "full") return say("ops.attribute-pooling-convention-valid", word::Name {convention});
    const auto numbers = [&](const char* name, std::int64_t fallback) {
        const auto given = tupleOf(node.attributes, name).value_or(Dims {});
        return given.empty() ? Dims(axes, fallback) : given;
    };
    const Dims stride = numbers("stride", 1);
    Dims pads = numbers("pad", 0);
    if (kernel.size() != axes || stride.size() != axes || pads.size() != axes) return {}; // the counterpart refuses it
    pads.insert(pads.end(), pads.begin(), pads.end());
    for (std::size_t i = 0; i < axes; ++i) {
        const auto room = (SafeInt(x[i + 2]) + SafeInt(pads[i]) * 2 - kernel[i]).get();
        if (x[i + 2] < 0 || !room || *room < 0 || stride[i] < 1) continue;
        pads[axes + i] += (stride[i] - *room % stride[i]) % stride[i];
        if (average && pads[axes + i] != pads[i])
            counterpart.typesOnly = "averages over windows that are cut off are not computed.";
    }
    counterpart.attributes["pads"] = pads;
    return {};
}

Status inferLayerAs(NodeFacts& facts, DType parameters)
{
    const auto counterpart = counterpartOf(facts.node(), facts.dims(0));
    if (!counterpart.ok()) return facts.error(counterpart.error().message);
    PLIMSOLL_TRY(inferAs(facts, counterpart.value()));
    const bool last = hasChannelsLast(facts.node());
    for (const CounterpartInput& input : counterpart.value().inputs) {
        if (input.input > 0 && input.dims)
            facts.require(input.input, parameters, last ? channelsLast(*input.dims) : *input.dims);
    }
    if (const auto dims = dimsOf(facts.output(0).type); last && dims)
        facts.set(0, facts.output(0).type.dtype, channelsLast(*dims));
    return {};
}

Status inferConnectedAs(NodeFacts& facts, DType parameters)
{
    PLIMSOLL_TRY(inferLayerAs(facts, parameters));
    if (flag(facts, "flatten", true)) return {};
    auto dims = facts.dims(0);
    if (dims) dims->back() = facts.attribute("num_hidden", 0);
    return facts.give(facts.dtype(0), dims);
}

constinit const OpFamily mxnetLayerOperators {"mxnet", MxnetLayerSchemas};

} // namespace plimsoll::mxnet
