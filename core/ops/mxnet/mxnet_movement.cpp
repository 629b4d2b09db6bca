#include "core/ops/dialects/parts_by_shapes.h"
#include "core/ops/mxnet/mxnet_families.h"
#include "core/ops/onnx/op_families.h"

#include <algorithm>
#include <numeric>

namespace plimsoll::mxnet {

namespace {

/// All inputs have one shape but for the axis along which they are put together.
Status inferConcat(NodeFacts& facts)
{
    PLIMSOLL_TRY(inferLike(facts));
    auto each = dimsOf(facts.output(0).type);
    DType dtype = DType::Unknown;
    for (std::size_t i = facts.inputCount(); i > 0; --i)
        dtype = facts.dtype(i - 1) == DType::Unknown ? dtype : facts.dtype(i - 1);
    facts.output(0).type.dtype = dtype;
    if (!each) return {};
    PLIMSOLL_ASSIGN(axis, axisAttribute(facts, "dim", 1, each->size()));
    (*each)[axis] = UnknownSize;
    for (std::size_t i = 0; i < facts.inputCount(); ++i)
        facts.require(i, dtype, each);
    return {};
}

Status inferStack(NodeFacts& facts)
{
    std::optional<Dims> dims;
    for (std::size_t i = 0; !dims && i < facts.inputCount(); ++i)
        dims = facts.dims(i);
    for (std::size_t i = 0; dims && i < facts.inputCount(); ++i)
        facts.require(i, facts.dtype(0), dims);
    if (dims) {
        PLIMSOLL_ASSIGN(axis, axisAttribute(facts, "axis", 0, dims->size() + 1));
        dims->insert(dims->begin() + static_cast<std::ptrdiff_t>(axis), static_cast<std::int64_t>(facts.inputCount()));
    }
    return facts.give(facts.dtype(0), dims);
}

AccessMap stackAccess(NodeFacts& facts, std::size_t input, std::size_t)
{
    const auto dims = facts.dims(input);
    if (!dims) return {};
    const auto axis = axisAttribute(facts, "axis", 0, dims->size() + 1);
    return axis.ok() ? ops::stackedAlong(axis.value(), dims->size(), input) : AccessMap {};
}

/// Every axis as often as reps says; the shorter of the two is filled up with ones in front.
Message tiled(const Node& node, const std::optional<Dims>& data, Counterpart& counterpart)
{
    auto reps = tupleOf(node.attributes, "reps");
    if (!reps) return say("ops.attribute-reps-missing");
    if (data) {
        Dims dims = *data;
        const std::size_t rank = std::max(dims.size(), reps->size());
        dims.insert(dims.begin(), rank - dims.size(), 1);
        reps->insert(reps->begin(), rank - reps->size(), 1);
        counterpart.inputs[0].dims = dims;
    }
    counterpart.inputs.push_back({.integers = *reps});
    return {};
}

/// Each element several times, along the axis or, without one, of all in one row.
Message repeated(const Node& node, const std::optional<Dims>& data, Counterpart& counterpart)
{
    Dims dims = data.value_or(Dims {});
    std::optional<std::size_t> axis = 0;
    if (node.attributes.contains("axis"))
        axis = normalAxis(numberOf(node.attributes, "axis", 0), dims.size());
    else
        dims = {product(dims, 0, dims.size())};
    if (data && !axis) return say("ops.attribute-axis-axis", describe(*data));
    Dims times(dims.size(), 1);
    if (axis && *axis < times.size()) times[*axis] = numberOf(node.attributes, "repeats", 1);
    if (data) counterpart.inputs[0].dims = dims;
    counterpart.inputs.push_back({.integers = times});
    return {};
}

/// Stretches the axes of size 1 to the attribute shape; 0 keeps a size.
Message stretched(const Node& node, const std::optional<Dims>& data, Counterpart& counterpart)
{
    auto shape = tupleOf(node.attributes, "shape");
    if (!shape) return say("ops.attribute-shape-missing");
    const Dims from = data.value_or(Dims(shape->size(), UnknownSize));
    for (std::size_t axis = 0; axis < shape->size(); ++axis) {
        std::int64_t& size = (*shape)[axis];
        const std::int64_t own = from.size() == shape->size() ? from[axis] : UnknownSize;
        if (size > 0 && own > 1 && size != own) return say("ops.not-broadcast", describe(from), describe(*shape));
        if (size <= 0) size = 1;
    }
    counterpart.inputs[0].dims = from;
    counterpart.inputs.push_back({.integers = *shape});
    return {};
}

/// Stretches the listed axes, which have size 1.
Message stretchedAlong(const Node& node, const std::optional<Dims>& data, Counterpart& counterpart)
{
    const Dims axes = tupleOf(node.attributes, "axis").value_or(Dims {});
    const Dims sizes = tupleOf(node.attributes, "size").value_or(Dims {});
    if (axes.size() != sizes.size()) return say("ops.attributes-axis-size");
    Dims shape(data ? data->size() : 0, 1);
    for (std::size_t i = 0; data && i < axes.size(); ++i) {
        const auto axis = normalAxis(axes[i], shape.size());
        if (!axis || sizes[i] < 0 || (*data)[*axis] > 1 || (*data)[*axis] == 0)
            return say("ops.axis-1", word::Number {axes[i]}, describe(*data));
        shape[*axis] = sizes[i];
    }
    counterpart.inputs.push_back({.integers = shape});
    return {};
}

/// No axes reverse all of them.
Message transposed(const Node& node, const std::optional<Dims>&, Counterpart& counterpart)
{
    const auto axes = tupleOf(node.attributes, "axes");
    if (axes && !axes->empty()) counterpart.attributes.emplace("perm", *axes);
    return {};
}

Message swapped(const Node& node, const std::optional<Dims>& data, Counterpart& counterpart)
{
    if (!data) return {};
    const auto a = normalAxis(numberOf(node.attributes, "dim1", 0), data->size());
    const auto b = normalAxis(numberOf(node.attributes, "dim2", 0), data->size());
    if (!a || !b) return say("ops.attributes-dim1-dim2");
    std::vector<std::int64_t> axes(data->size());
    std::iota(axes.begin(), axes.end(), std::int64_t {0});
    std::swap(axes[*a], axes[*b]);
    counterpart.attributes.emplace("perm", axes);
    return {};
}

/// Two numbers for each axis, where the standard has all that are added in front first.
Message padded(const Node& node, const std::optional<Dims>& data, Counterpart& counterpart)
{
    const auto width = tupleOf(node.attributes, "pad_width").value_or(std::vector<std::int64_t> {});
    if (std::ranges::any_of(width, [](std::int64_t size) { return size < 0; })) return say("ops.pad-width-negative");
    if (data && !width.empty() && width.size() != 2 * data->size())
        return say("ops.attribute-pad-width-numbers", word::Number {width.size()}, word::Number {2 * data->size()});
    std::vector<std::int64_t> pads;
    for (const std::size_t side : {0U, 1U})
        for (std::size_t i = side; i < width.size(); i += 2)
            pads.push_back(width[i]);
    if (pads.empty() && data) pads.resize(2 * data->size(), 0);
    counterpart.inputs.push_back({.integers = pads});
    counterpart.inputs.push_back({.number = realOf(node.attributes, "constant_value", 0)});
    return {};
}

/// A block of channels for each place, or back.
Message inBlocks(const Node& node, const std::optional<Dims>& data, Counterpart&)
{
    if (numberOf(node.attributes, "block_size", 1) < 1) return say("ops.attribute-block-size-least");
    return data && data->size() != 4 ? say("ops.four-dimensions") : Message();
}

constexpr OpSchema MxnetMovementSchemas[] = {
    {.op = "Concat",
     .signature = "any+",
     .infer = inferConcat,
     .access = accessLike,
     .moves = true,
     .counterpart = {"Concat", "axis=dim|1"}},
    {.op = "Pad",
     .signature = "any",
     .infer = inferLike,
     .access = accessLike,
     .moves = true,
     .cheap = true,
     .counterpart = {"Pad", "mode=mode", padded}},
    {.op = "SequenceMask", .signature = "any any?", .infer = ops::inferLikeFirst},
    {.op = "SequenceReverse", .signature = "any any?", .infer = ops::inferLikeFirst},
    {.op = "SwapAxis", .signature = "any", .infer = inferLike, .counterpart = {"Transpose", "", swapped}},
    {.op = "broadcast_axis", .signature = "any", .infer = inferLike, .counterpart = {"Expand", "", stretchedAlong}},
    {.op = "broadcast_like",
     .signature = "any any",
     .infer =
         [](NodeFacts& facts) {
             return facts.give(facts.dtype(0), tuple(facts, "lhs_axes") ? std::nullopt : facts.dims(1));
         }},
    {.op = "broadcast_to",
     .signature = "any",
     .infer = inferLike,
     .cheap = true,
     .counterpart = {"Expand", "", stretched}},
    {.op = "depth_to_space",
     .signature = "any",
     .infer = inferLike,
     .counterpart = {"DepthToSpace", "blocksize=block_size|1", inBlocks}},
    {.op = "repeat",
     .signature = "any",
     .infer = inferLike,
     .counterpart = {.op = "Tile", .adapt = repeated, .typesOnly = true}},
    {.op = "reverse", .signature = "any", .infer = ops::inferLikeFirst},
    {.op = "_rnn_param_concat",
     .signature = "any+",
     .infer = inferConcat,
     .access = accessLike,
     .moves = true,
     .counterpart = {"Concat", "axis=dim|1"}},
    {.op = "shuffle", .signature = "any", .infer = ops::inferLikeFirst, .pure = false},
    {.op = "space_to_depth",
     .signature = "any",
     .infer = inferLike,
     .counterpart = {"SpaceToDepth", "blocksize=block_size|1", inBlocks}},
    {.op = "stack", .signature = "any+", .infer = inferStack, .access = stackAccess, .moves = true},
    {.op = "tile", .signature = "any", .infer = inferLike, .counterpart = {"Tile", "", tiled}},
    {.op = "transpose",
     .signature = "any",
     .infer = inferLike,
     .cheap = true,
     .counterpart = {"Transpose", "", transposed}},
};

} // namespace

constinit const OpFamily mxnetMovementOperators {"mxnet", MxnetMovementSchemas};

} // namespace plimsoll::mxnet
