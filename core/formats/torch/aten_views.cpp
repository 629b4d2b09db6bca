#include "core/formats/torch/aten_call.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <numeric>

/// Operators of PyTorch whose result is the argument's own bytes, seen in another way.
namespace plimsoll::fx {
namespace {

/// Bytes of one element; 0 where it is not known or has no bytes of its own.
std::int64_t elementBytes(const PrintedType& type)
{
    const int bits = dtypeBits(type.type.dtype);
    return bits % 8 == 0 ? bits / 8 : 0;
}

std::optional<std::int64_t> axisOf(std::int64_t axis, std::size_t rank)
{
    const auto count = static_cast<std::int64_t>(rank);
    const std::int64_t at = axis < 0 ? axis + count : axis;
    return at >= 0 && at < count ? std::optional(at) : std::nullopt;
}

/// By dimension, elements from one index to the next. Empty where that is not known.
DimList stridesOf(const Operand& operand)
{
    if (operand.type.strides) return *operand.type.strides;
    const auto shape = operand.type.type.shape();
    if (!shape || operand.strided || operand.expanded) return {};
    DimList strides(shape->size(), Dim {1, {}});
    for (std::size_t i = shape->size(); i-- > 1;) {
        const auto next = checkedMultiply(strides[i].size, std::max<std::int64_t>(1, (*shape)[i]));
        if (!next) return {};
        strides[i - 1].size = *next;
    }
    return strides;
}

/// A view of dense elements in the common vocabulary, where it can say it.
bool addReshape(Call& call, const ViewOf& view)
{
    const auto sizes = reshapeSizes(call.type(0).type);
    if (!sizes) return false;
    return call.addView(call.reshape(call.read("self"), *sizes), view);
}

/// Under its own name; the common vocabulary has nothing that leaves the bytes where they are.
NamedNode ownNode(Call& call, Attributes attributes = {})
{
    NamedNode node = call.nodeOf(call.rule().op, {call.read("self")}, std::move(attributes));
    node.node.domain = "aten";
    return node;
}

bool sameShape(Call& call)
{
    const Operand* self = call.operand("self");
    if (!self) return false;
    NamedNode node = call.nodeOf("Identity", {call.read("self")});
    const ViewOf view {call.name("self"), 0, self->strided, self->expanded, {}};
    if (self->expanded) call.setType(0, self->type.type);
    if (const auto strides = stridesOf(*self); !strides.empty()) call.setStrides(0, strides);
    return call.addView(std::move(node), view);
}

/// The elements in the same order under another shape.
bool reshape(Call& call)
{
    const Operand* self = call.operand("self");
    if (!self || !call.type(0).isTensor) return false;
    if (!self->strided && !self->expanded && addReshape(call, {call.name("self"), 0, false, false, {}})) return true;
    if (call.rule().op == "reshape" && self->strided) return false; // PyTorch copies here.
    const bool same = self->type.type.bytes() == call.type(0).type.bytes();
    if (self->expanded || !same) return false;
    return call.addView(ownNode(call), {call.name("self"), 0, self->strided, false, {}});
}

/// Whether only dimensions of size 1 change their places.
bool keepsOrder(const DimList& dims, const std::vector<std::int64_t>& permutation)
{
    std::int64_t last = -1;
    for (const std::int64_t axis : permutation) {
        if (dims[static_cast<std::size_t>(axis)].size == 1) continue;
        if (axis < last) return false;
        last = axis;
    }
    return true;
}

bool addPermutation(Call& call, const std::vector<std::int64_t>& permutation)
{
    const Operand* self = call.operand("self");
    const std::string name = call.name("self");
    if (self->expanded || !call.type(0).type.dims) return false;
    if (!self->strided && keepsOrder(*self->type.type.dims, permutation))
        return addReshape(call, {name, 0, false, false, {}});
    if (self->strided && !self->base.empty()) {
        const auto& baseDims = call.writer().operand(self->base).type.type.dims;
        if (baseDims && keepsOrder(*baseDims, afterwards(*self, permutation))) { // turned back
            const auto sizes = reshapeSizes(call.type(0).type);
            return sizes &&
                   call.addView(call.reshape(call.readName(self->base), *sizes), {self->base, 0, false, false, {}});
        }
    }
    NamedNode node = ownNode(call, {{"dims", permutation}});
    if (const DimList before = stridesOf(*self); !before.empty()) {
        DimList strides;
        for (const std::int64_t axis : permutation)
            strides.push_back(before[static_cast<std::size_t>(axis)]);
        call.setStrides(0, strides);
    }
    return call.addView(std::move(node), {name, 0, true, false, permutation});
}

const DimList* dimsOf(const Call& call)
{
    const Operand* self = call.operand("self");
    return self && self->type.isTensor && self->type.type.dims ? &*self->type.type.dims : nullptr;
}

bool permute(Call& call)
{
    const auto* dims = dimsOf(call);
    const auto given = call.integers("dims");
    if (!dims || !given || given->size() != dims->size()) return false;
    std::vector<std::int64_t> permutation;
    for (const std::int64_t axis : *given) {
        const auto at = axisOf(axis, dims->size());
        if (!at || std::count(permutation.begin(), permutation.end(), *at) > 0) return false;
        permutation.push_back(*at);
    }
    return addPermutation(call, permutation);
}

bool transpose(Call& call)
{
    const auto* dims = dimsOf(call);
    if (!dims) return false;
    const bool last = call.rule().op == "t" || dims->size() < 2;
    const auto a = last ? axisOf(0, dims->size()) : axisOf(call.integerOr("dim0", -1), dims->size());
    const auto b = last ? axisOf(-1, dims->size()) : axisOf(call.integerOr("dim1", -2), dims->size());
    if (!a || !b) return sameShape(call); // A scalar.
    std::vector<std::int64_t> permutation(dims->size());
    std::iota(permutation.begin(), permutation.end(), 0);
    std::swap(permutation[static_cast<std::size_t>(*a)], permutation[static_cast<std::size_t>(*b)]);
    return addPermutation(call, permutation);
}

/// What is repeated takes no bytes: the graph keeps size 1 there.
bool expand(Call& call)
{
    const auto* from = dimsOf(call);
    if (from && call.type(0).type.dims == *from) return sameShape(call);
    const Operand* self = call.dense("self");
    if (!from || !self || !call.type(0).type.dims || from->size() > call.type(0).type.dims->size()) return false;
    DimList kept = *call.type(0).type.dims;
    const std::size_t added = kept.size() - from->size();
    bool repeats = false;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const Dim held = i < added ? Dim {1, {}} : (*from)[i - added];
        repeats = repeats || held != kept[i];
        if (held.size != 1 && held != kept[i]) return false;
        kept[i] = held;
    }
    call.setType(0, {.dtype = call.type(0).type.dtype, .dims = kept});
    return addReshape(call, {call.name("self"), 0, false, repeats, {}});
}

/// Where a part begins that is cut out of one dimension, in bytes; and whether it is one piece.
struct Cut
{
    std::int64_t axis = 0;
    std::int64_t offset = 0;
    bool onePiece = false;
};

std::optional<Cut> cutAt(const Operand& self, std::int64_t axis, std::int64_t begin)
{
    const auto shape = self.type.type.shape();
    const auto at = shape ? axisOf(axis, shape->size()) : std::nullopt;
    if (!at || begin < 0 || begin > (*shape)[static_cast<std::size_t>(*at)] || elementBytes(self.type) == 0)
        return std::nullopt;
    Cut cut {*at, 0, true};
    std::int64_t inner = elementBytes(self.type);
    for (std::size_t i = shape->size(); i-- > static_cast<std::size_t>(*at) + 1;)
        inner *= (*shape)[i];
    cut.offset = inner * begin;
    for (std::int64_t i = 0; i < *at; ++i)
        cut.onePiece = cut.onePiece && (*shape)[static_cast<std::size_t>(i)] == 1;
    return cut;
}

/// How a part lies that has every \p step-th index of a dimension, or one of them and no such dimension.
void sayStrides(Call& call, std::size_t output, const Operand& self, std::int64_t axis, std::int64_t step,
                bool dropsAxis)
{
    DimList strides = stridesOf(self);
    if (strides.empty() || !strides[static_cast<std::size_t>(axis)].known()) return;
    const auto at = strides.begin() + axis;
    const auto stride = checkedMultiply(at->size, step);
    if (!stride) return;
    at->size = *stride;
    if (dropsAxis) strides.erase(at);
    call.setStrides(output, strides);
}

/// Python's bounds of a slice: negative ones count from the end, and what is outside is moved in.
std::int64_t boundOf(std::int64_t bound, std::int64_t size)
{
    return std::clamp(bound < 0 ? bound + size : bound, std::int64_t {0}, size);
}

/// What a slice keeps of its dimension.
struct Kept
{
    std::int64_t size = 0; ///< Of the dimension.
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t step = 1;

    [[nodiscard]] std::int64_t count() const { return begin < end ? (end - begin + step - 1) / step : 0; }
};

std::optional<Kept> keptBy(const Call& call, const Operand& self)
{
    const bool literal = (!call.given("start") || call.integer("start")) && (!call.given("end") || call.integer("end"));
    const auto shape = self.type.type.shape();
    const auto rank = static_cast<std::int64_t>(shape ? shape->size() : 0);
    const std::int64_t axis = call.integerOr("dim", 0);
    Kept kept;
    kept.step = call.integerOr("step", 1);
    if (!literal || axis < -rank || axis >= rank || kept.step < 1) return std::nullopt;
    kept.size = (*shape)[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)];
    kept.begin = boundOf(call.integerOr("start", 0), kept.size);
    kept.end = boundOf(call.integerOr("end", kept.size), kept.size);
    return kept;
}

bool slice(Call& call)
{
    const Operand* self = call.dense("self");
    const auto kept = self ? keptBy(call, *self) : std::nullopt;
    const auto cut = kept ? cutAt(*self, call.integerOr("dim", 0), kept->begin) : std::nullopt;
    if (!cut || !call.type(0).type.bytes()) return false;
    if (kept->begin == 0 && kept->count() == kept->size) return sameShape(call);
    const bool strided = !cut->onePiece || (kept->step > 1 && kept->count() > 1);
    NamedNode node =
        strided ? ownNode(call, {{"dim", cut->axis}, {"start", kept->begin}, {"end", kept->end}, {"step", kept->step}})
                : call.nodeOf("Slice", {call.read("self"), call.constant("starts", {kept->begin}),
                                        call.constant("ends", {kept->end}), call.constant("axes", {cut->axis}),
                                        call.constant("steps", {kept->step})});
    sayStrides(call, 0, *self, cut->axis, kept->step, false);
    return call.addView(std::move(node), {call.name("self"), cut->offset, strided, false, {}});
}

bool select(Call& call)
{
    const Operand* self = call.dense("self");
    const auto kept = self && call.integer("index") ? keptBy(call, *self) : std::nullopt;
    if (!kept) return false;
    const std::int64_t index = call.integerOr("index", 0);
    const std::int64_t begin = index < 0 ? index + kept->size : index;
    const auto cut = begin < kept->size ? cutAt(*self, call.integerOr("dim", 0), begin) : std::nullopt;
    if (!cut) return false;
    NamedNode node;
    if (cut->onePiece) {
        const std::string self0 = call.read("self");
        const auto at = call.scalar("index", DType::Int64, makeInteger(begin));
        node = call.nodeOf("Gather", {self0, at.value_or(std::string())}, {{"axis", cut->axis}});
    } else {
        node = ownNode(call, {{"dim", cut->axis}, {"index", begin}});
    }
    sayStrides(call, 0, *self, cut->axis, 1, true);
    return call.addView(std::move(node), {call.name("self"), cut->offset, !cut->onePiece, false, {}});
}

/// Every part is a view of the whole. Under its own name, as parts are seldom one piece.
bool split(Call& call)
{
    const Operand* self = call.dense("self");
    const auto shape = self ? self->type.type.shape() : std::nullopt;
    const std::int64_t dim = call.integerOr("dim", 0);
    const auto at = shape ? axisOf(dim, shape->size()) : std::nullopt;
    if (!at) return false;
    const bool dropsAxis = call.rule().op == "unbind";
    std::vector<Cut> cuts;
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < call.outputCount(); ++i) {
        const auto cut = cutAt(*self, *at, begin);
        const auto part = call.type(i).type.shape();
        if (!cut || (!dropsAxis && (!part || part->size() != shape->size()))) return false; // A part without a name.
        cuts.push_back(*cut);
        begin += dropsAxis ? 1 : (*part)[static_cast<std::size_t>(*at)];
    }
    NamedNode node = ownNode(call, {{"dim", *at}});
    for (std::size_t i = 0; i < cuts.size(); ++i)
        sayStrides(call, i, *self, *at, 1, dropsAxis);
    call.add(std::move(node));
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        if (call.wants(i))
            call.writer().makeView(call.output(i), {call.name("self"), cuts[i].offset, !cuts[i].onePiece, false, {}});
    }
    return true;
}

/// A copy. What was permuted or repeated is read through: the copy is of what lies there.
bool clone(Call& call)
{
    const Operand* self = call.operand("self");
    if (!self || !self->type.isTensor) return false;
    if (!self->strided && !self->expanded) return call.add(call.node({call.read("self")}));
    const auto shape = call.type(0).type.shape();
    if (self->expanded && !self->strided && shape)
        return call.add(call.nodeOf("Expand", {call.read("self"), call.constant("shape", *shape)}));
    if (self->base.empty()) return false;
    return call.add(call.nodeOf("Transpose", {call.readName(self->base)}, {{"perm", self->permutation}}));
}

/// Any elements of the storage. What lies outside of the argument, or needs more bytes than it has, is left as it is.
bool asStrided(Call& call)
{
    const Operand* self = call.dense("self");
    const auto given = call.integers("stride");
    const auto shape = call.type(0).type.shape();
    const auto bytes = self ? self->type.type.bytes() : std::nullopt;
    const std::int64_t element = self ? elementBytes(self->type) : 0;
    if (!given || !shape || given->size() != shape->size() || !bytes || element == 0) return false;
    const bool placed = call.given("storage_offset");
    const auto begin = placed ? checkedMultiply(call.integerOr("storage_offset", -1), element) : self->offset;
    if (!begin || *begin < self->offset) return false;
    DimList strides;
    std::int64_t room = (*bytes - (*begin - self->offset)) / element - 1; // Elements behind the first.
    for (std::size_t i = 0; i < shape->size(); ++i) {
        const auto reach = checkedMultiply((*shape)[i] - 1, (*given)[i]);
        const bool repeats = (*given)[i] < 1 && (*shape)[i] > 1;
        if ((*shape)[i] < 1 || repeats || !reach || *reach > room) return false;
        room -= *reach;
        strides.push_back({(*given)[i], {}});
    }
    if (room < 0 || call.type(0).type.bytes().value_or(*bytes + 1) > *bytes - (*begin - self->offset)) return false;
    NamedNode node = ownNode(call, {{"size", *shape}, {"stride", *given}});
    if (placed) node.node.attributes.emplace("storage_offset", call.integerOr("storage_offset", 0));
    call.setStrides(0, strides);
    return call.addView(std::move(node), {call.name("self"), *begin - self->offset, true, false, {}});
}

bool contiguous(Call& call)
{
    return call.dense("self") ? sameShape(call) : clone(call);
}

constexpr AtenRule Rules[] = {
    {"_unsafe_view", "", "Reshape", reshape},
    {"alias", "self", "Identity", sameShape},
    {"as_strided", "self size stride storage_offset", "", asStrided},
    {"chunk", "self chunks dim", "", split},
    {"clone", "self memory_format", "Identity", clone},
    {"contiguous", "self memory_format", "Identity", contiguous},
    {"detach", "self", "Identity", sameShape},
    {"expand", "", "Reshape", expand},
    {"flatten", "", "Reshape", reshape},
    {"lift_fresh", "self", "Identity", sameShape},
    {"lift_fresh_copy", "self", "Identity", clone},
    {"permute", "self dims", "", permute},
    {"reshape", "", "Reshape", reshape},
    {"select", "self dim index", "", select},
    {"slice", "self dim start end step", "", slice},
    {"split", "self split_size dim", "", split},
    {"split_with_sizes", "self split_sizes dim", "", split},
    {"squeeze", "", "Reshape", reshape},
    {"t", "self", "", transpose},
    {"transpose", "self dim0 dim1", "", transpose},
    {"unbind", "self dim", "", split},
    {"unflatten", "", "Reshape", reshape},
    {"unsqueeze", "", "Reshape", reshape},
    {"view", "", "Reshape", reshape},
};

/// Beside those above: what they cannot say exactly is the argument's own bytes all the same.
constexpr std::string_view Views[] = {
    "T",         "alias",  "as_strided",       "chunk",     "detach",   "diagonal", "expand_as",
    "flatten",   "mT",     "movedim",          "narrow",    "numpy_T",  "permute",  "select",
    "slice",     "split",  "split_with_sizes", "squeeze",   "swapaxes", "t",        "tensor_split",
    "transpose", "unbind", "unflatten",        "unsqueeze", "view",
};

} // namespace

const std::span<const AtenRule> AtenViewRules = Rules;

bool isView(std::string_view op)
{
    return std::ranges::find(Views, op) != std::end(Views);
}

} // namespace plimsoll::fx
