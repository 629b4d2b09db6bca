#include "kernels/common/convolution_plan.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

/// Sizes and pads of one dimension of the output, from what the attributes ask.
void placeOutput(const KernelCall& call, Windows& windows, std::size_t d, std::int64_t extra)
{
    const std::int64_t reach = (windows.kernel[d] - 1) * windows.dilations[d] + 1;
    const std::int64_t full = windows.strides[d] * (windows.output[d] - 1) + extra + reach;
    const std::string autoPad = textAttribute(call, "auto_pad", "NOTSET");
    const bool same = autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER";
    const auto outputShape = intsAttribute(call, "output_shape");
    if (!outputShape && !same) {
        windows.input[d] = full - windows.padBegin[d] - windows.padEnd[d];
        return;
    }
    const std::size_t rank = windows.input.size();
    const bool given = outputShape && outputShape->size() >= rank;
    windows.input[d] = given ? (*outputShape)[outputShape->size() - rank + d] : windows.output[d] * windows.strides[d];
    const std::int64_t pad = std::max<std::int64_t>(full - windows.input[d], 0);
    windows.padBegin[d] = autoPad == "SAME_UPPER" ? pad / 2 : pad - pad / 2;
    windows.padEnd[d] = pad - windows.padBegin[d];
}

Shape shapeOf(std::int64_t batch, std::int64_t channels, const Shape& spatial)
{
    Shape shape {batch, channels};
    shape.insert(shape.end(), spatial.begin(), spatial.end());
    return shape;
}

} // namespace

double Convolution::products() const
{
    return loopPasses({batch, filters, channels / groups}) * loopPasses(windows.output) * loopPasses(windows.kernel);
}

Shape Convolution::windowShape() const
{
    return shapeOf(batch, filters, windows.output);
}

Shape Convolution::planeShape() const
{
    return shapeOf(batch, channels, windows.input);
}

Result<Convolution> planConvolution(const KernelCall& call, const TensorView& x, const TensorView& w)
{
    PLIMSOLL_ASSIGN(spatial, spatialShape(call, x));
    const std::int64_t groups = intAttribute(call, "group", 1);
    const bool fits = w.shape.size() == x.shape.size() && groups > 0 && w.shape[0] % groups == 0 &&
                      x.shape[1] % groups == 0 && w.shape[1] == x.shape[1] / groups;
    if (!fits) return refuse(call, say("kernel.group-weights", describe(w), describe(x), word::Number(groups)));
    PLIMSOLL_ASSIGN(windows, windowsOver(call, spatial, Shape(w.shape.begin() + 2, w.shape.end())));
    return Convolution {windows, x.shape[0], x.shape[1], w.shape[0], groups};
}

Result<Convolution> planTransposed(const KernelCall& call, const TensorView& x, const TensorView& w)
{
    PLIMSOLL_ASSIGN(spatial, spatialShape(call, x));
    const std::int64_t groups = intAttribute(call, "group", 1);
    if (w.shape.size() != x.shape.size() || groups < 1 || x.shape[1] % groups != 0 || w.shape[0] != x.shape[1]) {
        return refuse(call, say("kernel.weight-misfit", describe(w), describe(x)));
    }
    // Checks lengths and ranges of the attributes; its number of windows is for the other direction.
    PLIMSOLL_ASSIGN(windows, windowsOver(call, spatial, Shape(w.shape.begin() + 2, w.shape.end())));
    const Shape extra = intsAttribute(call, "output_padding").value_or(Shape(spatial.size(), 0));
    if (extra.size() != spatial.size()) return refuse(call, say("kernel.output-padding"));
    windows.output = spatial;
    if (textAttribute(call, "auto_pad", "NOTSET") != "NOTSET") {
        windows.padBegin.assign(spatial.size(), 0);
        windows.padEnd.assign(spatial.size(), 0);
    }
    for (std::size_t d = 0; d < spatial.size(); ++d) {
        placeOutput(call, windows, d, extra[d]);
        if (windows.input[d] < 0) return refuse(call, say("kernel.pads-leave-nothing", describe(x)));
    }
    return Convolution {windows, x.shape[0], w.shape[1] * groups, x.shape[1], groups};
}

} // namespace plimsoll::kernels
