#include "core/ops/onnx/op_families.h"
#include "core/ops/rules/shape_search.h"
#include "core/ops/safe_int.h"
#include "core/ops/window.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace plimsoll::ops {

namespace {

std::optional<std::int64_t> scaled(std::int64_t size, double scale)
{
    const double product = std::floor(static_cast<double>(size) * scale);
    if (!(product >= 0 && product < 9e15)) return std::nullopt;
    return static_cast<std::int64_t>(product);
}

/// Upsample-1 has two scales, 7 a list, both as attributes; 9 and Resize have inputs.
std::optional<std::vector<double>> scalesOf(NodeFacts& facts, std::size_t input)
{
    const Node& node = facts.node();
    if (const auto* scales = findAttribute<std::vector<double>>(node, "scales")) return *scales;
    if (const auto* height = findAttribute<double>(node, "height_scale")) {
        return std::vector<double> {1, 1, *height, attributeOr<double>(node, "width_scale", 1)};
    }
    if (!facts.has(input) || !facts.content(input).complete()) return std::nullopt;
    std::vector<double> numbers;
    for (const auto& element : facts.content(input).elements)
        numbers.push_back(element->asReal());
    return numbers;
}

/// The axes that are resized, in the order of scales and sizes.
std::optional<std::vector<std::size_t>> resizedAxes(const NodeFacts& facts, std::size_t rank)
{
    std::vector<std::size_t> axes;
    if (const auto* given = facts.integersAttribute("axes")) {
        for (const std::int64_t axis : *given) {
            const auto at = normalAxis(axis, rank);
            if (!at) return std::nullopt;
            axes.push_back(*at);
        }
        return axes;
    }
    axes.resize(rank);
    std::iota(axes.begin(), axes.end(), std::size_t {0});
    return axes;
}

Status setScaled(NodeFacts& facts, const std::vector<std::size_t>& axes, const std::vector<double>& scales)
{
    Dims dims = *facts.dims(0);
    if (scales.size() != axes.size())
        return facts.error(say("ops.scales-axes", word::Number {scales.size()}, word::Number {axes.size()}));
    for (std::size_t i = 0; i < axes.size(); ++i) {
        auto& size = dims[axes[i]];
        const auto wanted = size < 0 ? std::optional(UnknownSize) : scaled(size, scales[i]);
        if (!wanted) return facts.error(say("ops.scale-negative-too"));
        size = *wanted;
    }
    return facts.give(facts.dtype(0), dims);
}

/// keep_aspect_ratio_policy takes one scale, the smallest or the largest, for all axes. A size that is data stays open.
Status setSizes(NodeFacts& facts, const std::vector<std::size_t>& axes, const PartialTensor& sizes)
{
    Dims dims = *facts.dims(0);
    if (sizes.elements.size() != axes.size()) {
        return facts.error(say("ops.sizes-axes", word::Number {sizes.elements.size()}, word::Number {axes.size()}));
    }
    const std::string policy = facts.textAttribute("keep_aspect_ratio_policy", "stretch");
    const bool stretch = policy == "stretch";
    bool known = true;
    double scale = 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        auto& size = dims[axes[i]];
        const std::int64_t wanted = sizes.elements[i] ? sizes.elements[i]->integer : UnknownSize;
        if (wanted < UnknownSize || (sizes.elements[i] && wanted < 0)) return facts.error(say("ops.size-negative"));
        known = known && wanted >= 0 && size >= 0;
        const double ratio = static_cast<double>(wanted) / static_cast<double>(std::max<std::int64_t>(size, 1));
        scale = i == 0 ? ratio : (policy == "not_larger" ? std::min(scale, ratio) : std::max(scale, ratio));
        if (stretch) size = wanted;
    }
    for (std::size_t i = 0; !stretch && i < axes.size(); ++i) {
        auto& size = dims[axes[i]];
        size = known ? static_cast<std::int64_t>(std::floor(static_cast<double>(size) * scale + 0.5)) : UnknownSize;
    }
    return facts.give(facts.dtype(0), dims, say("size.sizes"));
}

Status inferResize(NodeFacts& facts)
{
    const auto from = facts.dims(0);
    if (!from) return facts.give(facts.dtype(0), std::nullopt);
    const auto axes = resizedAxes(facts, from->size());
    if (!axes) return facts.error(say("ops.an-axis-outside", describe(facts.type(0))));
    const bool separateRegion = facts.node().op == "Resize" && facts.opset() >= 11;
    if (separateRegion && facts.has(3)) {
        const PartialTensor& sizes = facts.content(3);
        if (sizes.tracked && !sizes.elements.empty()) return setSizes(facts, *axes, sizes);
    }
    const auto scales = scalesOf(facts, separateRegion ? 2 : 1);
    if (scales && !scales->empty()) return setScaled(facts, *axes, *scales);
    Dims dims = *from;
    for (const std::size_t axis : *axes)
        dims[axis] = UnknownSize;
    return facts.give(facts.dtype(0), dims, say("size.scales"));
}

/// X [N,C,…] and grid [N,…,spatial rank]: the places of the grid, with the channels of X.
Status inferGridSample(NodeFacts& facts)
{
    const auto x = facts.dims(0);
    const auto grid = facts.dims(1);
    if (!x || !grid || x->size() < 3 || grid->size() != x->size()) return facts.give(facts.dtype(0), std::nullopt);
    Dims dims {(*x)[0], (*x)[1]};
    dims.insert(dims.end(), grid->begin() + 1, grid->end() - 1);
    return facts.give(facts.dtype(0), dims);
}

/// theta [N,2,3] or [N,3,4], and the size [N,C,H,W] or [N,C,D,H,W] → [N,H,W,2] or [N,D,H,W,3].
Status inferAffineGrid(NodeFacts& facts)
{
    const auto size = facts.dims(1);
    if (!size || size->size() != 1 || (size->front() != 4 && size->front() != 5))
        return facts.give(facts.dtype(0), std::nullopt, say("size.size"));
    const PartialTensor& wanted = facts.content(1);
    const auto rank = static_cast<std::size_t>(size->front());
    Dims dims(rank, UnknownSize);
    for (std::size_t i = 0; wanted.tracked && i < rank; ++i) {
        if (i == 1 || !wanted.elements[i]) continue;
        dims[i == 0 ? 0 : i - 1] = wanted.elements[i]->integer;
    }
    dims.back() = size->front() - 2;
    return facts.give(facts.dtype(0), dims, say("size.size"));
}

/// As far as the size is known.
bool isMultiple(std::int64_t size, std::int64_t of)
{
    return size < 0 || size % of == 0;
}

Status inferBlocks(NodeFacts& facts, bool toDepth)
{
    auto dims = facts.dims(0);
    const std::int64_t block = facts.attribute("blocksize", 1);
    if (!dims) return facts.give(facts.dtype(0), std::nullopt);
    const bool fits = dims->size() == 4 && block >= 1 && block <= 65536 &&
                      (toDepth ? isMultiple((*dims)[2], block) && isMultiple((*dims)[3], block)
                               : isMultiple((*dims)[1], block * block));
    if (!fits) return facts.error(say("ops.input-block-size", describe(facts.type(0))));
    const auto scale = [](std::int64_t size, std::int64_t factor, bool up) {
        if (size < 0) return UnknownSize;
        return up ? (SafeInt(size) * factor).get().value_or(UnknownSize) : size / factor;
    };
    (*dims)[1] = scale((*dims)[1], block * block, toDepth);
    (*dims)[2] = scale((*dims)[2], block, !toDepth);
    (*dims)[3] = scale((*dims)[3], block, !toDepth);
    return facts.give(facts.dtype(0), dims);
}

/// In how many places of the image the block lies: so many columns there are.
Result<std::int64_t> columnsOf(const NodeFacts& facts, const Dims& image, const Dims& block)
{
    const Message both = say("ops.block-image", describe(block), describe(image));
    if (image.size() != block.size()) return facts.error(both);
    PLIMSOLL_ASSIGN(window, readWindow(facts, block));
    SafeInt columns = 1;
    for (std::size_t axis = 0; axis < image.size(); ++axis)
        columns = columns * (image[axis] < 0 ? 0 : placesOf(window, axis, image[axis]).value_or(0));
    const std::int64_t count = columns.get().value_or(0);
    return count < 1 ? Result<std::int64_t>(facts.error(both)) : count;
}

/// [N, C × block, columns], image shape, block shape → [N, C, image…].
Status inferCol2Im(NodeFacts& facts)
{
    const auto x = facts.dims(0);
    const auto image = facts.integers(1);
    const auto block = facts.integers(2);
    if (x && x->size() != 3) return facts.error(say("ops.takes-three-dimensions", describe(facts.type(0))));
    if (!x || !image || !block) return facts.give(facts.dtype(0), std::nullopt, say("size.shapes"));
    SafeInt cells = 1;
    for (const std::int64_t size : *block)
        cells = cells * std::max<std::int64_t>(size, 0); // two negative ones are none either
    const std::int64_t count = cells.get().value_or(0);
    if (count < 1) return facts.error(say("ops.block-not-positive"));
    PLIMSOLL_ASSIGN(columns, columnsOf(facts, *image, *block));
    if (!isMultiple((*x)[1], count) || !sameSize((*x)[2], columns))
        return facts.error(say("ops.input-columns-multiple", describe(facts.type(0)), word::Number {columns},
                               word::Number {count}, describe(*block), describe(*image)));
    Dims dims {(*x)[0], (*x)[1] < 0 ? UnknownSize : (*x)[1] / count};
    dims.insert(dims.end(), image->begin(), image->end());
    return facts.give(facts.dtype(0), dims);
}

/// The factor for which the operator's rounding down gives \p to.
double factor(std::int64_t from, std::int64_t to)
{
    if (from <= 0 || to < 0) return 1;
    const auto plain = static_cast<double>(static_cast<float>(to) / static_cast<float>(from));
    const bool exact = std::floor(static_cast<double>(from) * plain) == static_cast<double>(to);
    return exact ? plain : (static_cast<double>(to) + 0.5) / static_cast<double>(from);
}

void resizeBy(ShapeSearch& search, std::size_t scales, std::size_t sizes)
{
    const auto from = search.dims(0);
    const auto to = search.outDims();
    if (!from || !to || from->size() != to->size()) return;
    Dims axes = firstNumbers(to->size());
    if (const auto* listed = findAttribute<std::vector<std::int64_t>>(search.node(), "axes")) axes = *listed;
    std::vector<double> factors;
    Dims targets;
    for (const std::int64_t axis : axes) {
        const auto at = normalAxis(axis, to->size());
        if (!at) return;
        factors.push_back(factor((*from)[*at], (*to)[*at]));
        targets.push_back(std::max<std::int64_t>(1, (*to)[*at]));
    }
    search.wantReals(scales, factors);
    search.want(sizes, targets);
}

/// The size of the picture has a channel that the grid does not say.
void affineGridContents(ShapeSearch& search)
{
    const auto to = search.outDims();
    if (!to || to->size() < 3 || !allKnown(*to)) return;
    Dims sizes(to->begin(), to->end() - 1);
    sizes.insert(sizes.begin() + 1, 1);
    search.want(1, sizes);
}

constexpr std::string_view Coordinates = "half_pixel|half_pixel_symmetric|pytorch_half_pixel|align_corners|asymmetric|"
                                         "tf_half_pixel_for_nn|tf_crop_and_resize";

constexpr OpSchema ImageSchemas[] = {
    {.op = "AffineGrid", .signature = "float int", .infer = inferAffineGrid, .contents = affineGridContents},
    {.op = "Col2Im", .signature = "any int int", .infer = inferCol2Im},
    {.op = "DepthToSpace",
     .signature = "any",
     .infer = [](NodeFacts& facts) { return inferBlocks(facts, false); },
     .choices = {{"mode", "DCR|CRD"}},
     .derivative = "(self) = aten::pixel_shuffle; self: moved_back(g)"},
    {.op = "GridSample",
     .signature = "any float",
     .infer = inferGridSample,
     .choices = {{"mode", "linear|bilinear|nearest|cubic|bicubic"}, {"padding_mode", "zeros|border|reflection"}}},
    {.op = "ImageDecoder",
     .signature = "uint8",
     .infer = [](NodeFacts& facts) -> Status {
         const std::int64_t channels = facts.textAttribute("pixel_format", "RGB") == "Grayscale" ? 1 : 3;
         return facts.give(DType::UInt8, Dims {UnknownSize, UnknownSize, channels}, say("size.image"));
     },
     .choices = {{"pixel_format", "RGB|BGR|Grayscale"}}},
    {.op = "Resize",
     .signature = "any float? float? int?",
     .infer = inferResize,
     .contents = [](ShapeSearch& search) -> void {
         const bool first = search.node().inputs.size() == 2; // opset 10
         resizeBy(search, first ? 1 : 2, 3);
     },
     .choices = {{"coordinate_transformation_mode", Coordinates},
                 {"keep_aspect_ratio_policy", "stretch|not_larger|not_smaller"},
                 {"mode", "nearest|linear|cubic"},
                 {"nearest_mode", "round_prefer_floor|round_prefer_ceil|floor|ceil"}},
     .derivative = "(self, roi#, scales#, sizes#); self: resized_back(g, roi, scales, sizes)"},
    {.op = "SpaceToDepth",
     .signature = "any",
     .infer = [](NodeFacts& facts) { return inferBlocks(facts, true); },
     .derivative = "(self) = aten::pixel_unshuffle; self: moved_back(g)"},
    {.op = "Upsample",
     .signature = "any float?9",
     .infer = inferResize,
     .contents = [](ShapeSearch& search) { resizeBy(search, 1, 3); },
     .choices = {{"mode", "nearest|linear|bilinear"}},
     .derivative = "(self, scales#); self: resized_back(g, scales)"},
};

} // namespace

constinit const OpFamily imageOperators {"", ImageSchemas};

} // namespace plimsoll::ops
