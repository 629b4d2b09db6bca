#include "core/ops/mxnet/mxnet_families.h"

#include <algorithm>

namespace plimsoll::mxnet {

namespace {

struct Cut
{
    std::optional<std::int64_t> begin;
    std::optional<std::int64_t> end;
    std::int64_t step = 1;
};

/// Elements that a cut of an axis takes, under Python's rule: negative positions count from the end, positions outside
/// are moved to the ends.
std::int64_t cutSize(const Cut& cut, std::int64_t size)
{
    if (size < 0) return UnknownSize;
    const bool back = cut.step < 0;
    const auto place = [&](std::optional<std::int64_t> at, std::int64_t fallback) {
        if (!at) return fallback;
        const std::int64_t position = *at < 0 ? *at + size : *at;
        return std::clamp<std::int64_t>(position, back ? -1 : 0, back ? size - 1 : size);
    };
    const std::int64_t begin = place(cut.begin, back ? size - 1 : 0);
    const std::int64_t end = place(cut.end, back ? -1 : size);
    const SafeInt distance = back ? SafeInt(begin) - end : SafeInt(end) - begin;
    const auto count = distance.ceilDiv(back ? SafeInt(0) - cut.step : SafeInt(cut.step)).get();
    return count && *count > 0 ? *count : 0;
}

Status inferSlice(NodeFacts& facts)
{
    const Attributes& attributes = facts.node().attributes;
    const auto begins = openTupleOf(attributes, "begin");
    const auto ends = openTupleOf(attributes, "end");
    const auto steps = openTupleOf(attributes, "step").value_or(OpenTuple {});
    if (!begins || !ends || begins->size() != ends->size())
        return facts.error("The attributes begin and end must be there, with as many numbers in one as in the other.");
    auto dims = facts.dims(0);
    if (dims && begins->size() > dims->size())
        return facts.error("It cuts " + std::to_string(begins->size()) + " axes, but its input is " +
                           describe(facts.type(0)) + ".");
    for (std::size_t axis = 0; dims && axis < begins->size(); ++axis) {
        const std::int64_t step = axis < steps.size() ? steps[axis].value_or(1) : 1;
        if (step == 0) return facts.error("A step must not be 0.");
        (*dims)[axis] = cutSize({(*begins)[axis], (*ends)[axis], step}, (*dims)[axis]);
    }
    facts.set(0, facts.dtype(0), dims);
    return {};
}

std::optional<std::int64_t> openNumber(const Attributes& attributes, std::string_view name)
{
    const auto tuple = openTupleOf(attributes, name);
    return tuple && tuple->size() == 1 ? tuple->front() : std::nullopt;
}

Status inferSliceAxis(NodeFacts& facts)
{
    const Attributes& attributes = facts.node().attributes;
    auto dims = facts.dims(0);
    if (dims) {
        PLIMSOLL_ASSIGN(axis, axisAttribute(facts, "axis", 0, dims->size()));
        const Cut cut {openNumber(attributes, "begin"), openNumber(attributes, "end")};
        (*dims)[axis] = cutSize(cut, (*dims)[axis]);
    }
    facts.set(0, facts.dtype(0), dims);
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

const OpSchema Schemas[] = {
    {.op = "Crop", .signature = "any any?", .infer = inferCrop},
    {.op = "SliceChannel", .signature = "any -> *", .infer = inferSliceChannel},
    {.op = "pick", .signature = "any any", .infer = inferPick},
    {.op = "slice", .signature = "any", .infer = inferSlice, .cheap = true},
    {.op = "slice_axis", .signature = "any", .infer = inferSliceAxis},
    {.op = "slice_like", .signature = "any any", .infer = inferSliceLike},
    {.op = "take", .signature = "any any", .infer = inferTake},
};

} // namespace

std::span<const OpSchema> sliceSchemas()
{
    return Schemas;
}

} // namespace plimsoll::mxnet
