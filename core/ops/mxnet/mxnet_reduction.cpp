#include "core/ops/mxnet/mxnet_families.h"

#include <algorithm>

namespace plimsoll::mxnet {

namespace {

/// The listed axes, all where none is, all others with exclude.
Message reduced(const Node& node, const std::optional<Dims>& data, Counterpart& counterpart)
{
    auto axes = tupleOf(node.attributes, "axis").value_or(std::vector<std::int64_t> {});
    if (axes.empty()) return {};
    if (data && flagOf(node.attributes, "exclude", false)) {
        std::vector<std::int64_t> others;
        for (std::size_t axis = 0; axis < data->size(); ++axis) {
            const auto is = [&](std::int64_t given) { return normalAxis(given, data->size()) == axis; };
            if (std::ranges::none_of(axes, is)) others.push_back(static_cast<std::int64_t>(axis));
        }
        axes = others;
        counterpart.attributes["noop_with_empty_axes"] = std::int64_t {1};
    }
    counterpart.inputs.push_back({.integers = axes});
    return {};
}

/// One element of each row along the attribute axis.
template <std::int64_t Axis>
Message picked(const Node& node, const std::optional<Dims>&, Counterpart& counterpart)
{
    counterpart.inputs = {{.input = 0}, {.integers = Dims {numberOf(node.attributes, "axis", Axis)}}};
    return {};
}

/// The first k of each row along the axis: values, positions, both, or a mask.
Status inferTopK(NodeFacts& facts)
{
    const Attributes& attributes = facts.node().attributes;
    auto dims = facts.dims(0);
    const std::int64_t k = numberOf(attributes, "k", facts.node().op == "topk" ? 1 : 0);
    const std::string kind = textOf(attributes, "ret_typ", "indices");
    if (dims && kind != "mask" && k > 0) {
        PLIMSOLL_ASSIGN(axis, axisAttribute(facts, "axis", -1, dims->size()));
        if ((*dims)[axis] < 0 || k < (*dims)[axis]) (*dims)[axis] = k;
    }
    const DType positions = dtypeOf(attributes, "dtype", DType::Float32);
    const bool values = facts.node().op == "sort" || kind == "value" || kind == "both" || kind == "mask";
    facts.set(0, values ? facts.dtype(0) : positions, dims);
    facts.set(1, positions, dims);
    return {};
}

Status inferReduction(NodeFacts& facts)
{
    return inferLikeAs(facts, facts.dtype(0));
}

/// Has the types of a sum, and is none: no kernel of the standard computes it.
constexpr OpSchema typesOf(OpSchema row, CounterpartRule::Adapt adapt = reduced, InferFunction infer = inferReduction)
{
    row.infer = infer;
    row.counterpart = {.op = "ReduceSum", .attributes = "keepdims=keepdims|0", .adapt = adapt, .typesOnly = true};
    return row;
}

constexpr OpSchema reduction(std::string_view op, std::string_view onnx, bool cheap = false)
{
    return {.op = op,
            .signature = "any",
            .infer = inferReduction,
            .cheap = cheap,
            .counterpart = {onnx, "keepdims=keepdims|0", reduced}};
}

constexpr OpSchema MxnetReductionSchemas[] = {
    reduction("max", "ReduceMax"),
    reduction("mean", "ReduceMean", true),
    reduction("min", "ReduceMin"),
    reduction("prod", "ReduceProd"),
    reduction("sum", "ReduceSum", true),
    typesOf({.op = "_square_sum", .signature = "any"}),
    typesOf({.op = "argmax", .signature = "any"}),
    typesOf({.op = "argmin", .signature = "any"}),
    typesOf({.op = "nanprod", .signature = "any"}),
    typesOf({.op = "nansum", .signature = "any"}),
    typesOf({.op = "norm", .signature = "any"}, reduced,
            [](NodeFacts& facts) {
                return inferLikeAs(facts, dtypeOf(facts.node().attributes, "out_dtype", facts.dtype(0)));
            }),
    typesOf({.op = "SequenceLast", .signature = "any any?"}, picked<0>),
    typesOf({.op = "argmax_channel", .signature = "any"}, picked<1>),
    typesOf({.op = "pick", .signature = "any any"}, picked<-1>),
    {.op = "argsort",
     .signature = "any",
     .infer =
         [](NodeFacts& facts) {
             return inferSameShape(facts, dtypeOf(facts.node().attributes, "dtype", DType::Float32));
         }},
    {.op = "sort", .signature = "any -> 2", .infer = inferTopK},
    {.op = "topk", .signature = "any -> 2", .infer = inferTopK},
};

} // namespace

constinit const OpFamily mxnetReductionOperators {"mxnet", MxnetReductionSchemas};

} // namespace plimsoll::mxnet
