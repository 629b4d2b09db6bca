#include "core/ops/mxnet/mxnet_families.h"

#include <numeric>

namespace plimsoll::mxnet {

namespace {

/// One cut for each listed axis. None is the end of the axis in the direction of the step.
void cut(Counterpart& counterpart, const std::vector<std::int64_t>& axes, const OpenTuple& begins,
         const OpenTuple& ends, const OpenTuple& steps)
{
    std::vector<std::int64_t> begin;
    std::vector<std::int64_t> end;
    std::vector<std::int64_t> step;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        step.push_back(i < steps.size() ? steps[i].value_or(1) : 1);
        begin.push_back(begins[i].value_or(step.back() < 0 ? INT64_MAX : 0));
        end.push_back(ends[i].value_or(step.back() < 0 ? -INT64_MAX : INT64_MAX));
    }
    for (const auto& numbers : {begin, end, axes, step})
        counterpart.inputs.push_back({.integers = numbers});
}

Message sliced(const Node& node, const std::optional<Dims>&, Counterpart& counterpart)
{
    const auto begins = openTupleOf(node.attributes, "begin");
    const auto ends = openTupleOf(node.attributes, "end");
    if (!begins || !ends || begins->size() != ends->size()) return say("ops.attributes-begin-end");
    std::vector<std::int64_t> axes(begins->size());
    std::iota(axes.begin(), axes.end(), std::int64_t {0});
    cut(counterpart, axes, *begins, *ends, openTupleOf(node.attributes, "step").value_or(OpenTuple {}));
    return {};
}

Message slicedAlongAxis(const Node& node, const std::optional<Dims>&, Counterpart& counterpart)
{
    const auto one = [&](std::string_view name) {
        const auto tuple = openTupleOf(node.attributes, name);
        return tuple && tuple->size() == 1 ? *tuple : OpenTuple {std::nullopt};
    };
    cut(counterpart, {numberOf(node.attributes, "axis", 0)}, one("begin"), one("end"), {});
    return {};
}

/// Input 0 cut to the sizes of input 1, along all axes or the listed ones.
Status inferSliceLike(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    const auto like = facts.dims(1);
    if (!dims || !like) return facts.give(facts.dtype(0), std::nullopt);
    auto axes = tuple(facts, "axes").value_or(std::vector<std::int64_t> {});
    for (std::size_t axis = 0; axes.size() < dims->size() && !tuple(facts, "axes") && axis < dims->size(); ++axis)
        axes.push_back(static_cast<std::int64_t>(axis));
    for (const std::int64_t axis : axes) {
        const auto own = normalAxis(axis, dims->size());
        const auto other = normalAxis(axis, like->size());
        if (!own || !other || (*like)[*other] > (*dims)[*own])
            return facts.error(
                say("ops.cannot-cut-along", describe(facts.type(0)), describe(facts.type(1)), word::Number {axis}));
        (*dims)[*own] = (*like)[*other];
    }
    return facts.give(facts.dtype(0), dims);
}

/// The axis is divided evenly.
Message inParts(const Node& node, const std::optional<Dims>& data, Counterpart&)
{
    const std::int64_t count = numberOf(node.attributes, "num_outputs", 1);
    if (count < 1) return say("ops.attribute-num-outputs-least");
    const auto axis = data ? normalAxis(numberOf(node.attributes, "axis", 1), data->size()) : std::nullopt;
    const std::int64_t size = axis ? (*data)[*axis] : UnknownSize;
    if (size >= 0 && size % count != 0)
        return say("ops.axis-cannot-split", word::Number {*axis}, describe(*data), word::Number {count});
    const bool squeezed = flagOf(node.attributes, "squeeze_axis", false);
    return squeezed && size >= 0 && size != count ? say("ops.squeeze-axis-needs-parts") : Message();
}

Status inferParts(NodeFacts& facts)
{
    PLIMSOLL_TRY(inferLike(facts));
    for (std::size_t i = 0; flag(facts, "squeeze_axis", false) && i < facts.outputCount(); ++i) {
        auto& dims = facts.output(i).type.dims;
        if (const auto axis = dims ? normalAxis(facts.attribute("axis", 1), dims->size()) : std::nullopt)
            dims->erase(dims->begin() + static_cast<std::ptrdiff_t>(*axis));
    }
    return {};
}

/// A batch of rows cut to a crop: h_w, or the size of input 1.
Status inferCrop(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    const auto like = facts.dims(1);
    PLIMSOLL_ASSIGN(size, tupleOfLength(facts, "h_w", 2, 0));
    if (!dims || dims->size() != 4 || (facts.has(1) && (!like || like->size() != 4)))
        return facts.give(facts.dtype(0), std::nullopt);
    for (std::size_t axis = 2; axis < 4; ++axis) {
        const std::int64_t wanted = like ? (*like)[axis] : size[axis - 2];
        if ((*dims)[axis] >= 0 && wanted > (*dims)[axis])
            return facts.error(say("ops.crop-larger-than", describe(facts.type(0))));
        (*dims)[axis] = wanted;
    }
    return facts.give(facts.dtype(0), dims);
}

constexpr OpSchema MxnetSliceSchemas[] = {
    {.op = "Crop", .signature = "any any?", .infer = inferCrop},
    {.op = "SliceChannel",
     .signature = "any -> *",
     .infer = inferParts,
     .access = accessLike,
     .moves = true,
     .counterpart = {"Split", "axis=axis|1 num_outputs=num_outputs|1", inParts}},
    {.op = "slice",
     .signature = "any",
     .infer = inferLike,
     .access = accessLike,
     .moves = true,
     .cheap = true,
     .counterpart = {"Slice", "", sliced}},
    {.op = "slice_axis",
     .signature = "any",
     .infer = inferLike,
     .access = accessLike,
     .moves = true,
     .counterpart = {"Slice", "", slicedAlongAxis}},
    {.op = "slice_like", .signature = "any any", .infer = inferSliceLike},
    {.op = "take", // clips indices
     .signature = "any any",
     .infer = inferLike,
     .counterpart = {.op = "Gather", .attributes = "axis=axis|0", .typesOnly = true}},
};

} // namespace

constinit const OpFamily mxnetSliceOperators {"mxnet", MxnetSliceSchemas};

} // namespace plimsoll::mxnet
