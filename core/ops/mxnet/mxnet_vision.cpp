#include "core/ops/mxnet/mxnet_families.h"

#include <algorithm>

namespace plimsoll::mxnet {

namespace {

/// Pictures scaled up: each (nearest) or one with its own weights (bilinear). Several are put together along the
/// channels or added.
Status inferUpSampling(NodeFacts& facts)
{
    const std::int64_t scale = facts.attribute("scale", 1);
    if (scale < 1) return facts.error(say("ops.attribute-scale-least"));
    auto dims = facts.dims(0);
    if (dims && dims->size() != 4) return facts.error(say("ops.data-4-dimensions", describe(facts.type(0))));
    const bool nearest = facts.textAttribute("sample_type", "nearest") == "nearest";
    if (dims) {
        (*dims)[2] = product((*dims)[2], scale);
        (*dims)[3] = product((*dims)[3], scale);
    }
    const bool sum = facts.textAttribute("multi_input_mode", "concat") == "sum";
    for (std::size_t i = 1; dims && nearest && !sum && i < facts.inputCount(); ++i) {
        const auto other = facts.dims(i);
        const std::int64_t more = other && other->size() == 4 ? (*other)[1] : UnknownSize;
        (*dims)[1] = (*dims)[1] < 0 || more < 0 ? UnknownSize : known(SafeInt((*dims)[1]) + more);
    }
    facts.set(0, facts.dtype(0), dims);
    const std::int64_t kernel = known(SafeInt(scale) * 2 - scale % 2);
    if (!nearest) facts.require(1, facts.dtype(0), Dims {dims ? (*dims)[1] : UnknownSize, 1, kernel, kernel});
    return {};
}

Status inferResize(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    const Attributes& attributes = facts.node().attributes;
    const bool scaled = attributes.contains("scale_height") || attributes.contains("scale_width") || facts.has(1);
    if (dims && dims->size() == 4) {
        (*dims)[2] = scaled ? UnknownSize : facts.attribute("height", 1);
        (*dims)[3] = scaled ? UnknownSize : facts.attribute("width", 1);
    }
    return facts.give(facts.dtype(0), dims);
}

/// X [N,C,H,W] and regions [R,5]: [R,C,height,width], and where each maximum was.
Status inferRegions(NodeFacts& facts)
{
    PLIMSOLL_ASSIGN(size, tupleOfLength(facts, "pooled_size", 2, 1));
    const Dims dims = {sizeAt(facts.dims(1), 0), sizeAt(facts.dims(0), 1), size[0], size[1]};
    facts.set(1, facts.dtype(0), dims);
    return facts.give(facts.dtype(0), dims);
}

Status inferAdaptive(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    auto size = tuple(facts, "output_size").value_or(Dims {});
    if (size.empty()) size = {1};
    if (dims && dims->size() == 4) dims = Dims {(*dims)[0], (*dims)[1], size.front(), size.back()};
    return facts.give(facts.dtype(0), dims);
}

/// The second output holds positions while the boxes are sorted.
Status inferBoxNms(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    facts.setType(0, facts.type(0));
    if (dims && !dims->empty()) dims->back() = 1;
    facts.set(1, facts.dtype(0), dims);
    return {};
}

std::int64_t lengthOf(const NodeFacts& facts, std::string_view name)
{
    const auto found = facts.node().attributes.find(name);
    if (found == facts.node().attributes.end()) return 1;
    if (const auto* reals = std::get_if<std::vector<double>>(&found->second))
        return static_cast<std::int64_t>(reals->size());
    const auto* numbers = std::get_if<std::vector<std::int64_t>>(&found->second);
    return numbers ? static_cast<std::int64_t>(numbers->size()) : 1;
}

/// Anchors at each place of a feature map: [1, places × (sizes + ratios - 1), 4].
Status inferPriors(NodeFacts& facts)
{
    const auto dims = facts.dims(0);
    const std::int64_t each = lengthOf(facts, "sizes") + lengthOf(facts, "ratios") - 1;
    const std::int64_t places = dims && dims->size() == 4 ? product((*dims)[2], (*dims)[3]) : UnknownSize;
    return facts.give(facts.dtype(0), Dims {1, product(places, each), 4});
}

/// Anchors [1,A,4], labels, class scores [N,classes,A].
Status inferTargets(NodeFacts& facts)
{
    const auto anchors = facts.dims(0);
    const std::int64_t count = anchors && anchors->size() == 3 ? (*anchors)[1] : UnknownSize;
    const std::int64_t batch = sizeAt(facts.dims(2), 0);
    facts.set(0, facts.dtype(0), Dims {batch, product(count, 4)});
    facts.set(1, facts.dtype(0), Dims {batch, product(count, 4)});
    facts.set(2, facts.dtype(0), Dims {batch, count});
    return {};
}

/// Class scores [N,classes,A], … → [N,A,6].
Status inferDetections(NodeFacts& facts)
{
    const auto scores = facts.dims(0);
    const bool known = scores && scores->size() == 3;
    return facts.give(facts.dtype(0),
                      known ? Dims {(*scores)[0], (*scores)[2], 6} : Dims {UnknownSize, UnknownSize, 6});
}

/// Regions [images × rpn_post_nms_top_n, 5] and their scores.
Status inferProposal(NodeFacts& facts)
{
    const std::int64_t count = product(sizeAt(facts.dims(0), 0), facts.attribute("rpn_post_nms_top_n", 300));
    facts.set(1, facts.dtype(0), Dims {count, 1});
    return facts.give(facts.dtype(0), Dims {count, 5});
}

constexpr OpSchema MxnetVisionSchemas[] = {
    {.op = "ROIPooling", .signature = "any any -> 2", .infer = inferRegions},
    {.op = "UpSampling", .signature = "any+", .infer = inferUpSampling},
    {.op = "_contrib_AdaptiveAvgPooling2D", .signature = "any", .infer = inferAdaptive},
    {.op = "_contrib_BilinearResize2D", .signature = "any any?", .infer = inferResize},
    {.op = "_contrib_MultiBoxDetection", .signature = "any any any", .infer = inferDetections},
    {.op = "_contrib_MultiBoxPrior", .signature = "any", .infer = inferPriors},
    {.op = "_contrib_MultiBoxTarget", .signature = "any any any -> 3", .infer = inferTargets},
    {.op = "_contrib_MultiProposal", .signature = "any any any -> 2", .infer = inferProposal},
    {.op = "_contrib_Proposal", .signature = "any any any -> 2", .infer = inferProposal},
    {.op = "_contrib_ROIAlign", .signature = "any any", .infer = inferRegions},
    {.op = "_contrib_box_nms", .signature = "any -> 2", .infer = inferBoxNms},
};

} // namespace

constinit const OpFamily mxnetVisionOperators {"mxnet", MxnetVisionSchemas};

} // namespace plimsoll::mxnet
