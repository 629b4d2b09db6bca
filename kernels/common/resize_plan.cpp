#include "kernels/common/resize_plan.h"

#include "kernels/common/call_tools.h"
#include "kernels/common/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace plimsoll::kernels {
namespace {

Status scaleBySizes(const KernelCall& call, const TensorView& x, const TensorView& wanted, ResizeTarget& target)
{
    const std::vector<std::int64_t> sizes = integersOf(wanted);
    const std::vector<std::size_t>& axes = target.axes;
    if (sizes.size() != axes.size())
        return refuse(call, say("kernel.size-misfit", plimsoll::describe(sizes), describe(x)));
    const std::string policy = textAttribute(call, "keep_aspect_ratio_policy", "stretch");
    double common = policy == "not_larger" ? std::numeric_limits<double>::infinity() : 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const double scale = static_cast<double>(sizes[i]) / static_cast<double>(x.shape[axes[i]]);
        common = policy == "not_larger" ? std::min(common, scale) : std::max(common, scale);
        target.scales[axes[i]] = scale;
        target.sizes[axes[i]] = sizes[i];
    }
    if (policy == "stretch") return {};
    for (const std::size_t axis : axes) {
        target.scales[axis] = common;
        target.sizes[axis] = truncated(common * static_cast<double>(x.shape[axis]) + 0.5);
    }
    return {};
}

Status scaleByFactors(const KernelCall& call, const TensorView& x, const std::vector<double>& scales,
                      ResizeTarget& target)
{
    const std::vector<std::size_t>& axes = target.axes;
    if (scales.size() != axes.size()) return refuse(call, say("kernel.axis-scales", describe(x)));
    for (std::size_t i = 0; i < axes.size(); ++i) {
        target.scales[axes[i]] = scales[i];
        target.sizes[axes[i]] = truncated(std::floor(static_cast<double>(x.shape[axes[i]]) * scales[i]));
    }
    return {};
}

bool isOldForm(const KernelCall& call)
{
    return call.node().op == "Upsample" || (call.opset() > 0 && call.opset() < 11);
}

/// All axes, where none are named.
Result<std::vector<std::size_t>> axesOf(const KernelCall& call, const TensorView& x)
{
    std::vector<std::int64_t> named(x.shape.size());
    std::iota(named.begin(), named.end(), std::int64_t {0});
    named = intsAttribute(call, "axes").value_or(named);
    std::vector<std::size_t> axes;
    for (const std::int64_t axis : named) {
        PLIMSOLL_ASSIGN(normal, normalAxis(call, axis, x.shape.size()));
        axes.push_back(static_cast<std::size_t>(normal));
    }
    return axes;
}

} // namespace

ResizeOrigin resizeOrigin(const ResizeAxis& axis, const std::string& coordinates)
{
    const auto from = static_cast<double>(axis.from);
    const double to = axis.scale * from; // before it was rounded to a size
    const ResizeOrigin halfPixel {0.5, 1, axis.scale, -0.5, 0};
    if (coordinates == "align_corners") return to == 1 ? ResizeOrigin {0, 0} : ResizeOrigin {0, from - 1, to - 1};
    if (coordinates == "asymmetric") return {0, 1, axis.scale};
    if (coordinates == "tf_half_pixel_for_nn") return {0.5, 1, axis.scale};
    if (coordinates == "pytorch_half_pixel" && to == 1) return {0, 0, 1, -0.5};
    if (coordinates == "tf_crop_and_resize") {
        const double width = (axis.roiEnd - axis.roiBegin) * (from - 1);
        const double begin = axis.roiBegin * (from - 1);
        return axis.to == 1 ? ResizeOrigin {0, 0, 1, begin, width / 2}
                            : ResizeOrigin {0, width, static_cast<double>(axis.to - 1), begin};
    }
    if (coordinates != "half_pixel_symmetric") return halfPixel;
    return {0.5, 1, axis.scale, -0.5, from / 2 * (1 - static_cast<double>(axis.to) / to)};
}

Result<ResizeTarget> resizeTarget(const KernelCall& call, const TensorView& x)
{
    PLIMSOLL_ASSIGN(axes, axesOf(call, x));
    ResizeTarget target {std::move(axes), std::vector<double>(x.shape.size(), 1), x.shape};
    const TensorView* sizes = isOldForm(call) ? nullptr : optionalInput(call, 3);
    const TensorView* scales = optionalInput(call, isOldForm(call) ? 1 : 2);
    if (sizes && sizes->elements() > 0) {
        PLIMSOLL_TRY(scaleBySizes(call, x, *sizes, target));
    } else if (scales && scales->elements() > 0) {
        PLIMSOLL_TRY(scaleByFactors(call, x, doublesOf(*scales), target));
    } else if (const auto given = floatsAttribute(call, "scales")) {
        PLIMSOLL_TRY(scaleByFactors(call, x, *given, target));
    } else {
        std::vector<double> oldest(x.shape.size(), 1); // the first Upsample
        if (oldest.size() >= 2) {
            oldest[oldest.size() - 2] = floatAttribute(call, "height_scale", 1);
            oldest[oldest.size() - 1] = floatAttribute(call, "width_scale", 1);
        }
        PLIMSOLL_TRY(scaleByFactors(call, x, oldest, target));
    }
    for (std::size_t d = 0; d < x.shape.size(); ++d) {
        const bool fromNothing = x.shape[d] == 0 && target.sizes[d] > 0;
        if (target.sizes[d] < 0 || !(target.scales[d] > 0 || target.sizes[d] == 0) || fromNothing)
            return refuse(call, say("kernel.dimension-size", word::Number(d)));
    }
    return target;
}

ResizeRules resizeRules(const KernelCall& call)
{
    ResizeRules rules;
    const bool old = isOldForm(call);
    rules.mode = textAttribute(call, "mode", "nearest");
    if (rules.mode == "bilinear") rules.mode = "linear";
    rules.coordinates = old ? "asymmetric" : textAttribute(call, "coordinate_transformation_mode", "half_pixel");
    const std::string nearest = old ? "floor" : textAttribute(call, "nearest_mode", "round_prefer_floor");
    rules.nearest = nearest == "floor"               ? NearestRule::Floor
                    : nearest == "ceil"              ? NearestRule::Ceil
                    : nearest == "round_prefer_ceil" ? NearestRule::PreferCeil
                                                     : NearestRule::PreferFloor;
    rules.cubicA = floatAttribute(call, "cubic_coeff_a", -0.75);
    rules.excludeOutside = intAttribute(call, "exclude_outside", 0) != 0;
    rules.antialias = intAttribute(call, "antialias", 0) != 0;
    return rules;
}

const TensorView* resizeRegion(const KernelCall& call)
{
    return isOldForm(call) ? nullptr : optionalInput(call, 1);
}

} // namespace plimsoll::kernels
