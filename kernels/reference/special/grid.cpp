#include "kernels/common/numbers.h"
#include "kernels/common/sliding_windows.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/reference/layers/resize.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::kernels {
namespace {

struct GridRules
{
    std::string mode;    ///< nearest, linear, cubic
    std::string padding; ///< zeros, border, reflection
    bool alignCorners = false;
};

/// Mirrored at both ends until it lies between them.
double reflected(double at, double low, double high)
{
    const double range = high - low;
    if (range <= 0) return low;
    double distance = std::fabs(at - low);
    const double periods = std::floor(distance / range);
    distance -= periods * range;
    return std::fmod(periods, 2) == 0 ? low + distance : high - distance;
}

/// From [-1, 1] to places of a dimension, and back inside it where the padding says so.
double placeOf(double at, std::int64_t size, const GridRules& rules)
{
    const auto length = static_cast<double>(size);
    double place = rules.alignCorners ? (at + 1) / 2 * (length - 1) : ((at + 1) * length - 1) / 2;
    if (!std::isfinite(place)) return -2; // NaN or infinity: nowhere
    if (rules.mode == "nearest") place = std::nearbyint(place);
    const double low = rules.alignCorners ? 0 : -0.5;
    const double high = rules.alignCorners ? length - 1 : length - 0.5;
    if (place >= low && place <= high) return place;
    if (rules.padding == "border") return std::clamp(place, 0.0, length - 1);
    return rules.padding == "reflection" ? reflected(place, low, high) : std::clamp(place, -4.0, length + 4);
}

/// The places around one, with their weights; -1 for what is outside and counts as 0.
std::vector<std::pair<std::int64_t, double>> neighbours(double place, std::int64_t size, const GridRules& rules)
{
    std::vector<std::pair<std::int64_t, double>> found;
    const double base = std::floor(place);
    const double fraction = place - base;
    std::int64_t first = static_cast<std::int64_t>(base);
    std::vector<double> weights {1 - fraction, fraction};
    if (rules.mode == "nearest") {
        weights = {1};
        first = static_cast<std::int64_t>(std::nearbyint(place));
    } else if (rules.mode == "cubic") {
        weights = cubicWeights(fraction, -0.75);
        --first;
    }
    for (std::size_t k = 0; k < weights.size(); ++k) {
        std::int64_t at = first + static_cast<std::int64_t>(k);
        if (at < 0 || at >= size) {
            const auto last = static_cast<double>(size - 1);
            if (rules.padding == "border")
                at = std::clamp<std::int64_t>(at, 0, size - 1);
            else if (rules.padding == "reflection")
                at = static_cast<std::int64_t>(
                    std::clamp(std::nearbyint(reflected(static_cast<double>(at), rules.alignCorners ? 0 : -0.5,
                                                        rules.alignCorners ? last : last + 0.5)),
                               0.0, last));
            else
                at = -1;
        }
        found.emplace_back(at, weights[k]);
    }
    return found;
}

/// Weighted sum over the neighbours in all dimensions, the first one outermost.
double sampleAt(const double* plane, const Shape& sizes, std::size_t dimension,
                const std::vector<std::vector<std::pair<std::int64_t, double>>>& around)
{
    if (dimension == sizes.size()) return *plane;
    const std::int64_t stride = productOf(sizes, dimension + 1, sizes.size());
    double sum = 0;
    for (const auto& [at, weight] : around[dimension]) {
        if (at >= 0) sum += weight * sampleAt(plane + at * stride, sizes, dimension + 1, around);
    }
    return sum;
}

Status gridSample(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(gridTensor, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(sizes, spatialShape(call, x));
    const auto rank = static_cast<std::int64_t>(sizes.size());
    if (gridTensor.shape.size() != x.shape.size() || gridTensor.shape[0] != x.shape[0] ||
        gridTensor.shape.back() != rank || productOf(sizes) == 0) {
        return refuse(call, say("kernel.grid-misfit", describe(gridTensor), describe(x)));
    }
    Shape shape {x.shape[0], x.shape[1]};
    shape.insert(shape.end(), gridTensor.shape.begin() + 1, gridTensor.shape.end() - 1);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, shape));
    GridRules rules {textAttribute(call, "mode", "linear"), textAttribute(call, "padding_mode", "zeros"),
                     intAttribute(call, "align_corners", 0) != 0};
    if (rules.mode == "bilinear") rules.mode = "linear";
    if (rules.mode == "bicubic") rules.mode = "cubic";
    const double beside = rules.mode == "cubic" ? 4 : rules.mode == "nearest" ? 1 : 2;
    PLIMSOLL_TRY(call.announce({loopPasses(shape) * std::pow(beside, static_cast<double>(rank))}));
    const std::vector<double> in = doublesOf(x);
    const std::vector<double> grid = doublesOf(gridTensor);
    std::vector<double> out(static_cast<std::size_t>(y.elements()));
    const std::int64_t points = productOf(shape, 2, shape.size());
    const std::int64_t plane = productOf(sizes);
    std::vector<std::vector<std::pair<std::int64_t, double>>> around(sizes.size());
    for (std::int64_t i = 0; i < x.shape[0] * points; ++i) {
        for (std::size_t d = 0; d < sizes.size(); ++d) { // the grid names the last dimension first
            const double at = grid[static_cast<std::size_t>(i * rank + rank - 1) - d];
            around[d] = neighbours(placeOf(at, sizes[d], rules), sizes[d], rules);
        }
        for (std::int64_t c = 0; c < x.shape[1]; ++c) {
            const std::int64_t channel = i / points * x.shape[1] + c;
            out[static_cast<std::size_t>(channel * points + i % points)] =
                sampleAt(in.data() + channel * plane, sizes, 0, around);
        }
    }
    storeNumbers(out.data(), y);
    return {};
}

/// A grid for GridSample from a matrix for each batch.
Status affineGrid(KernelCall& call)
{
    PLIMSOLL_ASSIGN(thetaTensor, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(sizeTensor, inputTensor(call, 1));
    const std::vector<std::int64_t> size = integersOf(sizeTensor);
    const std::size_t rank = size.size() < 4 ? 0 : size.size() - 2;
    const auto dimensions = static_cast<std::int64_t>(rank);
    if (rank < 2 || rank > 3 || thetaTensor.shape != Shape {size[0], dimensions, dimensions + 1}) {
        return refuse(call, say("kernel.matrix-misfit", describe(thetaTensor), plimsoll::describe(size)));
    }
    Shape shape {size[0]};
    shape.insert(shape.end(), size.begin() + 2, size.end());
    const Shape places = shape;
    shape.push_back(dimensions);
    PLIMSOLL_ASSIGN(grid, call.output(0, thetaTensor.dtype, shape));
    const bool aligned = intAttribute(call, "align_corners", 0) != 0;
    const std::vector<double> theta = doublesOf(thetaTensor);
    std::vector<double> out;
    out.reserve(static_cast<std::size_t>(grid.elements()));
    for (IndexWalk walk(places); walk.valid(); walk.advance()) {
        std::vector<double> point; // the last dimension first, then 1
        for (std::size_t d = rank; d > 0; --d) {
            const auto length = static_cast<double>(places[d]);
            const auto at = static_cast<double>(walk[d]);
            point.push_back(aligned ? (length > 1 ? 2 * at / (length - 1) - 1 : -1) : (2 * at + 1) / length - 1);
        }
        point.push_back(1);
        for (std::size_t row = 0; row < rank; ++row) {
            const double* matrix = theta.data() + (static_cast<std::size_t>(walk[0]) * rank + row) * (rank + 1);
            double sum = 0;
            for (std::size_t k = 0; k <= rank; ++k)
                sum += matrix[k] * point[k];
            out.push_back(sum);
        }
    }
    storeNumbers(out.data(), grid);
    return {};
}

constexpr KernelEntry GridKernels[] = {
    {"", "AffineGrid", affineGrid},
    {"", "GridSample", gridSample},
};

} // namespace

constinit const KernelTable gridKernels = GridKernels;

} // namespace plimsoll::kernels
