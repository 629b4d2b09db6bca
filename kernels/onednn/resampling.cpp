#include "kernels/onednn/recipe.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::kernels::onednn {
namespace {

/// Of one axis that changes its size.
struct Axis
{
    std::int64_t from = 0;
    std::int64_t to = 0;
};

struct Rules
{
    std::string coordinates;
    std::string nearest;
};

/// Where a place of the new axis comes from; empty for a rule that oneDNN does not have.
std::optional<double> origin(const Axis& axis, std::int64_t place, const std::string& coordinates)
{
    const double ratio = static_cast<double>(axis.from) / static_cast<double>(axis.to);
    const auto at = static_cast<double>(place);
    if (coordinates == "half_pixel" || coordinates == "half_pixel_symmetric") return (at + 0.5) * ratio - 0.5;
    if (coordinates == "pytorch_half_pixel") return axis.to == 1 ? -0.5 : (at + 0.5) * ratio - 0.5;
    if (coordinates == "asymmetric") return at * ratio;
    return std::nullopt;
}

double rounded(double origin, const std::string& rule)
{
    if (rule == "floor") return std::floor(origin);
    if (rule == "ceil") return std::ceil(origin);
    if (rule == "round_prefer_ceil") return std::floor(origin + 0.5);
    return std::ceil(origin - 0.5);
}

/// Whether oneDNN, which takes the nearest of half pixels, takes the same place everywhere.
bool sameNearest(const Axis& axis, const Rules& rules)
{
    for (std::int64_t place = 0; place < axis.to; ++place) {
        const auto wanted = origin(axis, place, rules.coordinates);
        if (!wanted) return false;
        const auto last = static_cast<double>(axis.from - 1);
        const float half = (static_cast<float>(place) + 0.5F) * static_cast<float>(axis.from);
        const double taken = std::round(half / static_cast<float>(axis.to) - 0.5F);
        if (std::clamp(rounded(*wanted, rules.nearest), 0.0, last) != std::clamp(taken, 0.0, last)) return false;
    }
    return true;
}

/// The scales may ask for a size that was rounded down: then they, and not the sizes, say where places come from.
bool scalesAgree(const NodeView& node, const Shape& source, const Shape& target)
{
    if (node.hasAttribute("axes") || node.text("keep_aspect_ratio_policy", "stretch") != "stretch") return false;
    const std::size_t position = node.node().op == "Upsample" || node.opset() < 11 ? 1 : 2;
    if (position == 2 && node.hasInput(3)) return true;
    const auto scales = node.constantFloats(position);
    if (!scales || scales->size() != source.size()) return false;
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (static_cast<double>((*scales)[i]) * static_cast<double>(source[i]) != static_cast<double>(target[i]))
            return false;
    }
    return true;
}

} // namespace

/// Images whose batch and channels stay, where oneDNN's half pixels mean the same as what is asked for.
std::optional<Recipe> makeResampling(const NodeView& node, const dnnl::engine& engine)
{
    const auto source = node.input(0);
    const auto target = node.output(0);
    if (!source || !target || source->size() < 3 || source->size() > 5 || target->size() != source->size())
        return std::nullopt;
    if (!std::equal(source->begin(), source->begin() + 2, target->begin()) || !scalesAgree(node, *source, *target))
        return std::nullopt;
    const bool old = node.node().op == "Upsample" || node.opset() < 11;
    const Rules rules {old ? "asymmetric" : node.text("coordinate_transformation_mode", "half_pixel"),
                       old ? "floor" : node.text("nearest_mode", "round_prefer_floor")};
    const std::string mode = node.text("mode", "nearest");
    const bool isNearest = mode == "nearest";
    if ((!isNearest && mode != "linear" && mode != "bilinear") || node.integer("antialias", 0) != 0 ||
        node.integer("exclude_outside", 0) != 0)
        return std::nullopt;
    for (std::size_t i = 2; i < source->size(); ++i) {
        const Axis axis {(*source)[i], (*target)[i]};
        const bool isHalfPixel = rules.coordinates == "half_pixel" || rules.coordinates == "half_pixel_symmetric" ||
                                 (rules.coordinates == "pytorch_half_pixel" && axis.to > 1);
        if (!(isNearest ? sameNearest(axis, rules) : isHalfPixel)) return std::nullopt;
    }
    const std::vector<Argument> arguments = fromTo(node.inputLayout(0, *source), node.outputLayout(0, *target));
    const auto algorithm = isNearest ? dnnl::algorithm::resampling_nearest : dnnl::algorithm::resampling_linear;
    const dnnl::resampling_forward::desc operation(dnnl::prop_kind::forward_inference, algorithm, arguments[0].layout,
                                                   arguments[1].layout);
    return recipeOf<dnnl::resampling_forward>(node, operation, arguments, engine);
}

} // namespace plimsoll::kernels::onednn
