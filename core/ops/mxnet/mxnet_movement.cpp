#include "core/ops/mxnet/mxnet_families.h"

#include <algorithm>

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
    auto dims = firstKnown(facts);
    if (!dims) {
        facts.set(0, facts.dtype(0), std::nullopt);
        return {};
    }
    PLIMSOLL_ASSIGN(axis, axisAttribute(facts, "dim", 1, dims->size()));
    (*dims)[axis] = 0;
    DType dtype = DType::Unknown;
    for (std::size_t i = 0; i < facts.inputCount(); ++i) {
        const auto next = facts.dims(i).value_or(Dims(dims->size(), UnknownSize));
        dtype = dtype == DType::Unknown ? facts.dtype(i) : dtype;
        for (std::size_t a = 0; a < dims->size() && next.size() == dims->size(); ++a) {
            const auto size =
                a == axis
                    ? std::optional((*dims)[a] < 0 || next[a] < 0 ? UnknownSize : known(SafeInt((*dims)[a]) + next[a]))
                    : sameSize((*dims)[a], next[a]);
            if (!size)
                return facts.error("Input " + std::to_string(i) + " is " + describe(facts.type(i)) +
                                   ", which does not fit the others but for axis " + std::to_string(axis) + ".");
            (*dims)[a] = *size;
        }
        if (next.size() != dims->size())
            return facts.error("Input " + std::to_string(i) + " is " + describe(facts.type(i)) + "; all inputs need " +
                               std::to_string(dims->size()) + " dimensions.");
    }
    facts.set(0, dtype, dims);
    Dims each = *dims;
    each[axis] = UnknownSize;
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

Status inferTranspose(NodeFacts& facts)
{
    const auto from = facts.dims(0);
    if (!from) {
        facts.set(0, facts.dtype(0), std::nullopt);
        return {};
    }
    const auto axes = tuple(facts, "axes");
    Dims dims(from->rbegin(), from->rend());
    if (axes && !axes->empty()) {
        std::vector<bool> used(from->size(), false);
        if (axes->size() != from->size())
            return facts.error("The attribute axes does not permute the axes of " + describe(facts.type(0)) + ".");
        for (std::size_t i = 0; i < axes->size(); ++i) {
            const auto axis = normalAxis((*axes)[i], from->size());
            if (!axis || used[*axis])
                return facts.error("The attribute axes does not permute the axes of " + describe(facts.type(0)) + ".");
            used[*axis] = true;
            dims[i] = (*from)[*axis];
        }
    }
    facts.set(0, facts.dtype(0), dims);
    return {};
}

Status inferSwapAxis(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    if (dims) {
        PLIMSOLL_ASSIGN(a, axisAttribute(facts, "dim1", 0, dims->size()));
        PLIMSOLL_ASSIGN(b, axisAttribute(facts, "dim2", 0, dims->size()));
        std::swap((*dims)[a], (*dims)[b]);
    }
    facts.set(0, facts.dtype(0), dims);
    return {};
}

Status inferPad(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    if (dims) {
        PLIMSOLL_ASSIGN(width, tupleOfLength(facts, "pad_width", 2 * dims->size(), 0));
        for (std::size_t axis = 0; axis < dims->size(); ++axis) {
            if (width[2 * axis] < 0 || width[2 * axis + 1] < 0) return facts.error("A pad_width is negative.");
            if ((*dims)[axis] >= 0)
                (*dims)[axis] = known(SafeInt((*dims)[axis]) + width[2 * axis] + width[2 * axis + 1]);
        }
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

/// Blocks of places to channels, or back.
Status inferBlocks(NodeFacts& facts)
{
    const std::int64_t block = facts.attribute("block_size", 1);
    auto dims = facts.dims(0);
    if (block < 1) return facts.error("The attribute block_size must be at least 1.");
    if (dims && dims->size() != 4)
        return facts.error("Its data is " + describe(facts.type(0)) + "; it must have 4 dimensions.");
    if (dims) {
        const std::int64_t square = product(block, block);
        const bool toDepth = facts.node().op == "space_to_depth";
        const auto divided = [](std::int64_t a, std::int64_t b) { return a < 0 || b < 1 ? UnknownSize : a / b; };
        (*dims)[1] = toDepth ? product((*dims)[1], square) : divided((*dims)[1], square);
        for (std::size_t axis = 2; axis < 4; ++axis)
            (*dims)[axis] = toDepth ? divided((*dims)[axis], block) : product((*dims)[axis], block);
    }
    facts.set(0, facts.dtype(0), dims);
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

Status inferLikeFirst(NodeFacts& facts)
{
    facts.setType(0, facts.type(0));
    return {};
}

const OpSchema Schemas[] = {
    {.op = "Concat", .signature = "any+", .infer = inferConcat},
    {.op = "Pad", .signature = "any", .infer = inferPad, .cheap = true},
    {.op = "SequenceLast", .signature = "any any?", .infer = inferSequenceLast},
    {.op = "SequenceMask", .signature = "any any?", .infer = inferLikeFirst},
    {.op = "SequenceReverse", .signature = "any any?", .infer = inferLikeFirst},
    {.op = "SwapAxis", .signature = "any", .infer = inferSwapAxis},
    {.op = "broadcast_axis", .signature = "any", .infer = inferBroadcastAxis},
    {.op = "broadcast_like", .signature = "any any", .infer = inferBroadcastLike},
    {.op = "broadcast_to", .signature = "any", .infer = inferBroadcastTo, .cheap = true},
    {.op = "depth_to_space", .signature = "any", .infer = inferBlocks},
    {.op = "repeat", .signature = "any", .infer = inferRepeat},
    {.op = "reverse", .signature = "any", .infer = inferLikeFirst},
    {.op = "_rnn_param_concat", .signature = "any+", .infer = inferConcat},
    {.op = "shuffle", .signature = "any", .infer = inferLikeFirst, .pure = false},
    {.op = "space_to_depth", .signature = "any", .infer = inferBlocks},
    {.op = "stack", .signature = "any+", .infer = inferStack},
    {.op = "tile", .signature = "any", .infer = inferTile},
    {.op = "transpose", .signature = "any", .infer = inferTranspose, .cheap = true},
};

} // namespace

std::span<const OpSchema> movementSchemas()
{
    return Schemas;
}

} // namespace plimsoll::mxnet
