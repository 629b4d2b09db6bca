#include "core/ops/mxnet/mxnet_families.h"
#include "core/ops/onnx/op_families.h"

#include <algorithm>
#include <numeric>

namespace plimsoll::mxnet {

namespace {

std::optional<Dims> firstKnown(const NodeFacts& facts)
{
    for (std::size_t i = 0; i < facts.inputCount(); ++i) {
        if (const auto dims = facts.dims(i)) return dims;
    }
    return std::nullopt;
}

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
    auto dims = firstKnown(facts);
    for (std::size_t i = 0; dims && i < facts.inputCount(); ++i)
        facts.require(i, facts.dtype(0), dims);
    if (dims) {
        PLIMSOLL_ASSIGN(axis, axisAttribute(facts, "axis", 0, dims->size() + 1));
        dims->insert(dims->begin() + static_cast<std::ptrdiff_t>(axis), static_cast<std::int64_t>(facts.inputCount()));
    }
    facts.set(0, facts.dtype(0), dims);
    return {};
}

/// Every axis as often as reps says; the shorter of the two is filled up with ones in front.
Status inferTile(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    auto reps = tuple(facts, "reps");
    if (dims && reps) {
        const std::size_t rank = std::max(dims->size(), reps->size());
        dims->insert(dims->begin(), rank - dims->size(), 1);
        reps->insert(reps->begin(), rank - reps->size(), 1);
        for (std::size_t axis = 0; axis < rank; ++axis)
            (*dims)[axis] = product((*dims)[axis], (*reps)[axis]);
    }
    facts.set(0, facts.dtype(0), reps ? dims : std::nullopt);
    return {};
}

Status inferRepeat(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    const std::int64_t repeats = facts.attribute("repeats", 1);
    if (dims && facts.node().attributes.contains("axis")) {
        PLIMSOLL_ASSIGN(axis, axisAttribute(facts, "axis", 0, dims->size()));
        (*dims)[axis] = product((*dims)[axis], repeats);
    } else if (dims) {
        dims = Dims {product(product(*dims, 0, dims->size()), repeats)};
    }
    facts.set(0, facts.dtype(0), dims);
    return {};
}

/// The attribute shape; 0 keeps a size.
Status inferBroadcastTo(NodeFacts& facts)
{
    const auto from = facts.dims(0);
    auto dims = tuple(facts, "shape");
    for (std::size_t axis = 0; dims && axis < dims->size(); ++axis) {
        const bool keeps = (*dims)[axis] <= 0;
        if (keeps) (*dims)[axis] = from && from->size() == dims->size() ? (*from)[axis] : UnknownSize;
    }
    if (dims && from && broadcast(*from, *dims) != dims)
        return facts.error(describe(facts.type(0)) + " does not broadcast to " +
                           describe(tensorOf(DType::Unknown, dims)) + ".");
    facts.set(0, facts.dtype(0), dims);
    return {};
}

Status inferBroadcastAxis(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    const auto axes = tuple(facts, "axis").value_or(std::vector<std::int64_t> {});
    const auto sizes = tuple(facts, "size").value_or(std::vector<std::int64_t> {});
    if (axes.size() != sizes.size()) return facts.error("The attributes axis and size have different lengths.");
    for (std::size_t i = 0; dims && i < axes.size(); ++i) {
        const auto axis = normalAxis(axes[i], dims->size());
        const bool fits = axis && ((*dims)[*axis] == 1 || (*dims)[*axis] < 0);
        if (!fits || sizes[i] < 0)
            return facts.error("Axis " + std::to_string(axes[i]) + " of " + describe(facts.type(0)) + " is not 1.");
        (*dims)[*axis] = sizes[i];
    }
    facts.set(0, facts.dtype(0), dims);
    return {};
}

Status inferBroadcastLike(NodeFacts& facts)
{
    facts.set(0, facts.dtype(0), tuple(facts, "lhs_axes") ? std::nullopt : facts.dims(1));
    return {};
}

/// The last step of each sequence: data [T,N,…] without its time axis.
Status inferSequenceLast(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    if (dims) {
        PLIMSOLL_ASSIGN(axis, axisAttribute(facts, "axis", 0, dims->size()));
        dims->erase(dims->begin() + static_cast<std::ptrdiff_t>(axis));
    }
    facts.set(0, facts.dtype(0), dims);
    return {};
}

/// No axes reverse all of them.
std::string transposed(const Node& node, const std::optional<Dims>&, Counterpart& counterpart)
{
    const auto axes = tupleOf(node.attributes, "axes");
    if (axes && !axes->empty()) counterpart.attributes.emplace("perm", *axes);
    return {};
}

std::string swapped(const Node& node, const std::optional<Dims>& data, Counterpart& counterpart)
{
    if (!data) return {};
    const auto a = normalAxis(numberOf(node.attributes, "dim1", 0), data->size());
    const auto b = normalAxis(numberOf(node.attributes, "dim2", 0), data->size());
    if (!a || !b) return "The attributes dim1 and dim2 are no axes of its input.";
    std::vector<std::int64_t> axes(data->size());
    std::iota(axes.begin(), axes.end(), std::int64_t {0});
    std::swap(axes[*a], axes[*b]);
    counterpart.attributes.emplace("perm", axes);
    return {};
}

/// Two numbers for each axis, where the standard has all that are added in front first.
std::string padded(const Node& node, const std::optional<Dims>& data, Counterpart& counterpart)
{
    const auto width = tupleOf(node.attributes, "pad_width").value_or(std::vector<std::int64_t> {});
    if (std::ranges::any_of(width, [](std::int64_t size) { return size < 0; })) return "A pad_width is negative.";
    if (data && !width.empty() && width.size() != 2 * data->size())
        return "The attribute pad_width has " + std::to_string(width.size()) + " numbers; it must have " +
               std::to_string(2 * data->size()) + ".";
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
std::string inBlocks(const Node& node, const std::optional<Dims>& data, Counterpart&)
{
    if (numberOf(node.attributes, "block_size", 1) < 1) return "The attribute block_size must be at least 1.";
    return data && data->size() != 4 ? "Its data must have 4 dimensions." : "";
}

constexpr OpSchema Schemas[] = {
    {.op = "Concat", .signature = "any+", .infer = inferConcat, .counterpart = {"Concat", "axis=dim|1"}},
    {.op = "Pad", .signature = "any", .infer = inferLike, .cheap = true, .counterpart = {"Pad", "mode=mode", padded}},
    {.op = "SequenceLast", .signature = "any any?", .infer = inferSequenceLast},
    {.op = "SequenceMask", .signature = "any any?", .infer = ops::inferLikeFirst},
    {.op = "SequenceReverse", .signature = "any any?", .infer = ops::inferLikeFirst},
    {.op = "SwapAxis", .signature = "any", .infer = inferLike, .counterpart = {"Transpose", "", swapped}},
    {.op = "broadcast_axis", .signature = "any", .infer = inferBroadcastAxis},
    {.op = "broadcast_like", .signature = "any any", .infer = inferBroadcastLike},
    {.op = "broadcast_to", .signature = "any", .infer = inferBroadcastTo, .cheap = true},
    {.op = "depth_to_space",
     .signature = "any",
     .infer = inferLike,
     .counterpart = {"DepthToSpace", "blocksize=block_size|1", inBlocks}},
    {.op = "repeat", .signature = "any", .infer = inferRepeat},
    {.op = "reverse", .signature = "any", .infer = ops::inferLikeFirst},
    {.op = "_rnn_param_concat", .signature = "any+", .infer = inferConcat, .counterpart = {"Concat", "axis=dim|1"}},
    {.op = "shuffle", .signature = "any", .infer = ops::inferLikeFirst, .pure = false},
    {.op = "space_to_depth",
     .signature = "any",
     .infer = inferLike,
     .counterpart = {"SpaceToDepth", "blocksize=block_size|1", inBlocks}},
    {.op = "stack", .signature = "any+", .infer = inferStack},
    {.op = "tile", .signature = "any", .infer = inferTile},
    {.op = "transpose",
     .signature = "any",
     .infer = inferLike,
     .cheap = true,
     .counterpart = {"Transpose", "", transposed}},
};

} // namespace

std::span<const OpSchema> movementSchemas()
{
    return Schemas;
}

} // namespace plimsoll::mxnet
