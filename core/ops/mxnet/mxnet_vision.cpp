#include "core/ops/mxnet/mxnet_families.h"

#include <algorithm>

namespace plimsoll::mxnet {

namespace {

/// Pictures scaled up: each (nearest) or one with its own weights (bilinear). Several are put together along the
/// channels or added.
Status inferUpSampling(NodeFacts& facts)
{
    const std::int64_t scale = facts.attribute("scale", 1);
    if (scale < 1) return facts.error("The attribute scale must be at least 1.");
    auto dims = facts.dims(0);
    if (dims && dims->size() != 4)
        return facts.error("Its data is " + describe(facts.type(0)) + "; it must have 4 dimensions.");
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
    facts.set(0, facts.dtype(0), dims);
    return {};
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
    facts.set(0, facts.dtype(0), Dims {1, product(places, each), 4});
    return {};
}

/// Anchors [1,A,4], labels, class scores [N,classes,A].
Status inferTargets(NodeFacts& facts)
{
    const auto anchors = facts.dims(0);
    const auto scores = facts.dims(2);
    const std::int64_t count = anchors && anchors->size() == 3 ? (*anchors)[1] : UnknownSize;
    const std::int64_t batch = scores && !scores->empty() ? scores->front() : UnknownSize;
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
    facts.set(0, facts.dtype(0), Dims {known ? (*scores)[0] : UnknownSize, known ? (*scores)[2] : UnknownSize, 6});
    return {};
}

/// Regions [images × rpn_post_nms_top_n, 5] and their scores.
Status inferProposal(NodeFacts& facts)
{
    const auto scores = facts.dims(0);
    const std::int64_t images = scores && !scores->empty() ? scores->front() : UnknownSize;
    const std::int64_t count = product(images, facts.attribute("rpn_post_nms_top_n", 300));
    facts.set(0, facts.dtype(0), Dims {count, 5});
    facts.set(1, facts.dtype(0), Dims {count, 1});
    return {};
}

constexpr OpSchema Schemas[] = {
    {.op = "UpSampling", .signature = "any+", .infer = inferUpSampling},
    {.op = "_contrib_BilinearResize2D", .signature = "any any?", .infer = inferResize},
    {.op = "_contrib_MultiBoxDetection", .signature = "any any any", .infer = inferDetections},
    {.op = "_contrib_MultiBoxPrior", .signature = "any", .infer = inferPriors},
    {.op = "_contrib_MultiBoxTarget", .signature = "any any any -> 3", .infer = inferTargets},
    {.op = "_contrib_MultiProposal", .signature = "any any any -> 2", .infer = inferProposal},
    {.op = "_contrib_Proposal", .signature = "any any any -> 2", .infer = inferProposal},
    {.op = "_contrib_box_nms", .signature = "any -> 2", .infer = inferBoxNms},
};

} // namespace

std::span<const OpSchema> visionSchemas()
{
    return Schemas;
}

} // namespace plimsoll::mxnet
