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

std::string sliced(const Node& node, const std::optional<Dims>&, Counterpart& counterpart)
{
    const auto begins = openTupleOf(node.attributes, "begin");
    const auto ends = openTupleOf(node.attributes, "end");
    if (!begins || !ends || begins->size() != ends->size())
        return "The attributes begin and end must be there, with as many numbers in one as in the other.";
    std::vector<std::int64_t> axes(begins->size());
    std::iota(axes.begin(), axes.end(), std::int64_t {0});
    cut(counterpart, axes, *begins, *ends, openTupleOf(node.attributes, "step").value_or(OpenTuple {}));
    return {};
}

std::string slicedAlongAxis(const Node& node, const std::optional<Dims>&, Counterpart& counterpart)
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
    if (!dims || !like) {
        facts.set(0, facts.dtype(0), std::nullopt);
        return {};
    }
    auto axes = tuple(facts, "axes").value_or(std::vector<std::int64_t> {});
    for (std::size_t axis = 0; axes.size() < dims->size() && !tuple(facts, "axes") && axis < dims->size(); ++axis)
        axes.push_back(static_cast<std::int64_t>(axis));
    for (const std::int64_t axis : axes) {
        const auto own = normalAxis(axis, dims->size());
        const auto other = normalAxis(axis, like->size());
        if (!own || !other || (*like)[*other] > (*dims)[*own])
            return facts.error(describe(facts.type(0)) + " cannot be cut to " + describe(facts.type(1)) +
                               " along axis " + std::to_string(axis) + ".");
        (*dims)[*own] = (*like)[*other];
    }
    facts.set(0, facts.dtype(0), dims);
    return {};
}

Status inferSliceChannel(NodeFacts& facts)
{
    const std::int64_t count = facts.attribute("num_outputs", 1);
    if (count < 1) return facts.error("The attribute num_outputs must be at least 1.");
    auto dims = facts.dims(0);
    if (dims) {
        PLIMSOLL_ASSIGN(axis, axisAttribute(facts, "axis", 1, dims->size()));
        const std::int64_t size = (*dims)[axis];
        if (size >= 0 && size % count != 0)
            return facts.error("Axis " + std::to_string(axis) + " of " + describe(facts.type(0)) +
                               " cannot be split into " + std::to_string(count) + " equal parts.");
        (*dims)[axis] = size < 0 ? UnknownSize : size / count;
        const bool squeezed = flag(facts, "squeeze_axis", false);
        if (squeezed && size >= 0 && size != count) return facts.error("squeeze_axis needs parts of size 1.");
        if (squeezed) dims->erase(dims->begin() + static_cast<std::ptrdiff_t>(axis));
    }
    for (std::size_t i = 0; i < facts.outputCount(); ++i)
        facts.set(i, facts.dtype(0), dims);
    return {};
}

/// Rows of input 0 chosen by input 1.
Status inferTake(NodeFacts& facts)
{
    const auto dims = facts.dims(0);
    const auto places = facts.dims(1);
    if (!dims || !places) {
        facts.set(0, facts.dtype(0), std::nullopt);
        return {};
    }
    PLIMSOLL_ASSIGN(axis, axisAttribute(facts, "axis", 0, dims->size()));
    Dims taken(dims->begin(), dims->begin() + static_cast<std::ptrdiff_t>(axis));
    taken.insert(taken.end(), places->begin(), places->end());
    taken.insert(taken.end(), dims->begin() + static_cast<std::ptrdiff_t>(axis) + 1, dims->end());
    facts.set(0, facts.dtype(0), taken);
    return {};
}

/// One element of each row.
Status inferPick(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    if (dims) {
        PLIMSOLL_ASSIGN(axis, axisAttribute(facts, "axis", -1, dims->size()));
        if (flag(facts, "keepdims", false))
            (*dims)[axis] = 1;
        else
            dims->erase(dims->begin() + static_cast<std::ptrdiff_t>(axis));
        if (dims->empty() && !hasNumpyShapes(facts.graph())) dims->push_back(1);
    }
    facts.set(0, facts.dtype(0), dims);
    return {};
}

/// A batch of rows cut to a crop: h_w, or the size of input 1.
Status inferCrop(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    const auto like = facts.dims(1);
    PLIMSOLL_ASSIGN(size, tupleOfLength(facts, "h_w", 2, 0));
    if (!dims || dims->size() != 4 || (facts.has(1) && (!like || like->size() != 4))) {
        facts.set(0, facts.dtype(0), std::nullopt);
        return {};
    }
    for (std::size_t axis = 2; axis < 4; ++axis) {
        const std::int64_t wanted = like ? (*like)[axis] : size[axis - 2];
        if ((*dims)[axis] >= 0 && wanted > (*dims)[axis])
            return facts.error("The crop is larger than " + describe(facts.type(0)) + ".");
        (*dims)[axis] = wanted;
    }
    facts.set(0, facts.dtype(0), dims);
    return {};
}

constexpr OpSchema Schemas[] = {
    {.op = "Crop", .signature = "any any?", .infer = inferCrop},
    {.op = "SliceChannel",
     .signature = "any -> *",
     .infer = inferSliceChannel,
     .counterpart = {"Split", "axis=axis|1 num_outputs=num_outputs"}},
    {.op = "pick", .signature = "any any", .infer = inferPick},
    {.op = "slice", .signature = "any", .infer = inferLike, .cheap = true, .counterpart = {"Slice", "", sliced}},
    {.op = "slice_axis", .signature = "any", .infer = inferLike, .counterpart = {"Slice", "", slicedAlongAxis}},
    {.op = "slice_like", .signature = "any any", .infer = inferSliceLike},
    {.op = "take", .signature = "any any", .infer = inferTake},
};

} // namespace

std::span<const OpSchema> sliceSchemas()
{
    return Schemas;
}

} // namespace plimsoll::mxnet
