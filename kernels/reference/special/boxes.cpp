#include "kernels/common/numbers.h"
#include "kernels/common/sliding_windows.h"
#include "kernels/reference/kernel_families.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace plimsoll::kernels {
namespace {

struct Box
{
    double left = 0;
    double top = 0;
    double right = 0;
    double bottom = 0;

    [[nodiscard]] double area() const { return std::max(right - left, 0.0) * std::max(bottom - top, 0.0); }
};

/// From [y, x, y, x] of any two corners, or from [x, y, width, height] around the centre.
Box boxOf(const double* numbers, bool aroundCentre)
{
    if (aroundCentre) {
        return {numbers[0] - numbers[2] / 2, numbers[1] - numbers[3] / 2, numbers[0] + numbers[2] / 2,
                numbers[1] + numbers[3] / 2};
    }
    return {std::min(numbers[1], numbers[3]), std::min(numbers[0], numbers[2]), std::max(numbers[1], numbers[3]),
            std::max(numbers[0], numbers[2])};
}

/// Common area over joint area.
double overlap(const Box& a, const Box& b)
{
    const Box common {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
                      std::min(a.bottom, b.bottom)};
    const double joint = a.area() + b.area() - common.area();
    return joint > 0 ? common.area() / joint : 0;
}

struct Suppression
{
    std::int64_t most = 0;
    double overlap = 0;
    double score = -std::numeric_limits<double>::infinity();
    bool aroundCentre = false;
};

/// The boxes that stay, the best first.
std::vector<std::int64_t> keptBoxes(const double* boxes, const double* scores, std::int64_t count,
                                    const Suppression& rules)
{
    std::vector<std::int64_t> order;
    for (std::int64_t i = 0; i < count; ++i) {
        if (scores[i] > rules.score) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(),
                     [scores](std::int64_t a, std::int64_t b) { return scores[a] > scores[b]; });
    std::vector<std::int64_t> kept;
    for (const std::int64_t candidate : order) {
        if (static_cast<std::int64_t>(kept.size()) >= rules.most) break;
        const Box box = boxOf(boxes + 4 * candidate, rules.aroundCentre);
        const bool covered = std::any_of(kept.begin(), kept.end(), [&](std::int64_t other) {
            return overlap(box, boxOf(boxes + 4 * other, rules.aroundCentre)) > rules.overlap;
        });
        if (!covered) kept.push_back(candidate);
    }
    return kept;
}

Status nonMaxSuppression(KernelCall& call)
{
    PLIMSOLL_ASSIGN(boxTensor, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(scoreTensor, inputTensor(call, 1));
    const bool fits = boxTensor.shape.size() == 3 && scoreTensor.shape.size() == 3 && boxTensor.shape[2] == 4 &&
                      boxTensor.shape[0] == scoreTensor.shape[0] && boxTensor.shape[1] == scoreTensor.shape[2];
    if (!fits) return refuse(call, say("kernel.not-boxes", describe(boxTensor), describe(scoreTensor)));
    const std::vector<double> boxes = doublesOf(boxTensor);
    const std::vector<double> scores = doublesOf(scoreTensor);
    const Suppression rules {intInput(call, 2, 0), scalarInput(call, 3, 0),
                             scalarInput(call, 4, -std::numeric_limits<double>::infinity()),
                             intAttribute(call, "center_point_box", 0) != 0};
    const std::int64_t classes = scoreTensor.shape[1];
    const std::int64_t count = boxTensor.shape[1];
    std::vector<std::int64_t> chosen;
    for (std::int64_t i = 0; i < scoreTensor.shape[0] * classes; ++i) {
        const std::int64_t batch = i / classes;
        for (const std::int64_t box :
             keptBoxes(boxes.data() + batch * count * 4, scores.data() + i * count, count, rules)) {
            chosen.insert(chosen.end(), {batch, i % classes, box});
        }
    }
    return writeIntegers(call, 0, DType::Int64, {static_cast<std::int64_t>(chosen.size()) / 3, 3}, chosen);
}

/// One sample between four pixels; outside by more than one pixel there is nothing.
struct Sample
{
    std::int64_t corners[4] = {0, 0, 0, 0};
    double weights[4] = {0, 0, 0, 0};
};

Sample sampleAt(double y, double x, std::int64_t height, std::int64_t width)
{
    Sample sample;
    if (y < -1 || y > static_cast<double>(height) || x < -1 || x > static_cast<double>(width)) return sample;
    y = std::clamp(y, 0.0, static_cast<double>(height - 1));
    x = std::clamp(x, 0.0, static_cast<double>(width - 1));
    const auto top = static_cast<std::int64_t>(y);
    const auto left = static_cast<std::int64_t>(x);
    const double fy = y - static_cast<double>(top);
    const double fx = x - static_cast<double>(left);
    const std::int64_t bottom = std::min(top + 1, height - 1);
    const std::int64_t right = std::min(left + 1, width - 1);
    return {{top * width + left, top * width + right, bottom * width + left, bottom * width + right},
            {(1 - fy) * (1 - fx), (1 - fy) * fx, fy * (1 - fx), fy * fx}};
}

struct RoiRules
{
    std::int64_t outHeight = 1;
    std::int64_t outWidth = 1;
    std::int64_t ratio = 0; ///< Samples a bin in each direction; 0: as many as pixels.
    double scale = 1;
    bool halfPixel = true;
    bool largest = false;
};

/// The bins of a region, and how many samples each has.
struct Bins
{
    double left = 0;
    double top = 0;
    double width = 0; ///< Of one.
    double height = 0;
    double across = 0; ///< Samples.
    double down = 0;

    [[nodiscard]] double samples(const RoiRules& rules) const
    {
        return across * down * static_cast<double>(rules.outHeight) * static_cast<double>(rules.outWidth);
    }
};

Bins binsOf(const double* roi, const RoiRules& rules)
{
    const double shift = rules.halfPixel ? 0.5 : 0;
    const double least = rules.halfPixel ? -std::numeric_limits<double>::infinity() : 1;
    Bins bins {.left = roi[0] * rules.scale - shift, .top = roi[1] * rules.scale - shift};
    bins.width = std::max(roi[2] * rules.scale - shift - bins.left, least) / static_cast<double>(rules.outWidth);
    bins.height = std::max(roi[3] * rules.scale - shift - bins.top, least) / static_cast<double>(rules.outHeight);
    bins.across = rules.ratio > 0 ? static_cast<double>(rules.ratio) : std::max(std::ceil(bins.width), 0.0);
    bins.down = rules.ratio > 0 ? static_cast<double>(rules.ratio) : std::max(std::ceil(bins.height), 0.0);
    return bins;
}

/// The samples of every bin of a region, bin after bin; nothing where they are too many.
std::optional<std::vector<std::vector<Sample>>> samplesOf(const double* roi, const Shape& x, const RoiRules& rules)
{
    constexpr double Most = 1 << 24; // of a region, some gigabytes
    const Bins at = binsOf(roi, rules);
    if (!(at.samples(rules) <= Most)) return std::nullopt;
    const auto across = static_cast<std::int64_t>(at.across);
    const auto down = static_cast<std::int64_t>(at.down);
    std::vector<std::vector<Sample>> bins;
    for (std::int64_t bin = 0; bin < rules.outHeight * rules.outWidth; ++bin) {
        const std::int64_t row = bin / rules.outWidth;
        const std::int64_t column = bin % rules.outWidth;
        std::vector<Sample> samples;
        for (std::int64_t s = 0; s < across * down; ++s) {
            const std::int64_t lower = s / across;
            const std::int64_t further = s % across;
            const double inRow = (static_cast<double>(lower) + 0.5) / static_cast<double>(down);
            const double inColumn = (static_cast<double>(further) + 0.5) / static_cast<double>(across);
            const double y = at.top + (static_cast<double>(row) + inRow) * at.height;
            const double dx = at.left + (static_cast<double>(column) + inColumn) * at.width;
            samples.push_back(sampleAt(y, dx, x[2], x[3]));
        }
        bins.push_back(std::move(samples));
    }
    return bins;
}

double foldSamples(const double* plane, const std::vector<Sample>& samples, bool largest)
{
    double sum = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (const Sample& sample : samples) {
        double interpolated = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            interpolated += sample.weights[k] * plane[sample.corners[k]];
            most = std::max(most, sample.weights[k] * plane[sample.corners[k]]);
        }
        sum += interpolated;
    }
    if (samples.empty()) return 0;
    return largest ? most : sum / static_cast<double>(samples.size());
}

Status roiAlign(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(roiTensor, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(batchTensor, inputTensor(call, 2));
    if (x.shape.size() != 4 || roiTensor.shape.size() != 2 || roiTensor.shape[1] != 4 ||
        batchTensor.elements() != roiTensor.shape[0]) {
        return refuse(call, say("kernel.not-regions", describe(roiTensor), describe(x)));
    }
    RoiRules rules {intAttribute(call, "output_height", 1),
                    intAttribute(call, "output_width", 1),
                    intAttribute(call, "sampling_ratio", 0),
                    floatAttribute(call, "spatial_scale", 1),
                    true,
                    textAttribute(call, "mode", "avg") == "max"};
    rules.halfPixel =
        call.opset() >= 16 && textAttribute(call, "coordinate_transformation_mode", "half_pixel") == "half_pixel";
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, {roiTensor.shape[0], x.shape[1], rules.outHeight, rules.outWidth}));
    const std::vector<double> in = doublesOf(x);
    const std::vector<double> rois = doublesOf(roiTensor);
    const std::vector<std::int64_t> batches = integersOf(batchTensor);
    const std::int64_t plane = x.shape[2] * x.shape[3];
    double sampled = 0;
    for (std::size_t r = 0; r < batches.size(); ++r)
        sampled += binsOf(rois.data() + 4 * r, rules).samples(rules);
    PLIMSOLL_TRY(call.announce({sampled * static_cast<double>(x.shape[1])}));
    std::vector<double> out;
    for (std::size_t r = 0; r < batches.size(); ++r) {
        if (batches[r] < 0 || batches[r] >= x.shape[0] || plane == 0)
            return refuse(call, say("kernel.batch-outside", word::Number(batches[r]), describe(x)));
        const auto bins = samplesOf(rois.data() + 4 * r, x.shape, rules);
        if (!bins) return refuse(call, say("kernel.too-many-samples", word::Number(r)));
        for (std::int64_t c = 0; c < x.shape[1]; ++c) {
            for (const auto& samples : *bins)
                out.push_back(foldSamples(in.data() + (batches[r] * x.shape[1] + c) * plane, samples, rules.largest));
        }
    }
    storeNumbers(out.data(), y);
    return {};
}

/// Places [begin, end) of a bin of a region, inside the picture.
std::pair<std::int64_t, std::int64_t> binOf(std::int64_t bin, std::int64_t bins, std::int64_t begin, std::int64_t end,
                                            std::int64_t size)
{
    const double length = static_cast<double>(std::max<std::int64_t>(end - begin + 1, 1)) / static_cast<double>(bins);
    const auto first = begin + static_cast<std::int64_t>(std::floor(static_cast<double>(bin) * length));
    const auto last = begin + static_cast<std::int64_t>(std::ceil(static_cast<double>(bin + 1) * length));
    return {std::clamp<std::int64_t>(first, 0, size), std::clamp<std::int64_t>(last, 0, size)};
}

/// What the bins of a region cover along one axis, all together.
double covered(std::int64_t bins, std::int64_t begin, std::int64_t end, std::int64_t size)
{
    double places = 0;
    for (std::int64_t bin = 0; bin < bins; ++bin) {
        const auto [first, last] = binOf(bin, bins, begin, end, size);
        places += static_cast<double>(std::max<std::int64_t>(last - first, 0));
    }
    return places;
}

Status maxRoiPool(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(roiTensor, inputTensor(call, 1));
    const Shape pooled = intsAttribute(call, "pooled_shape").value_or(Shape());
    if (x.shape.size() != 4 || roiTensor.shape.size() != 2 || roiTensor.shape[1] != 5 || pooled.size() != 2) {
        return refuse(call, say("kernel.not-regions", describe(roiTensor), describe(x)));
    }
    const double scale = floatAttribute(call, "spatial_scale", 1);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, {roiTensor.shape[0], x.shape[1], pooled[0], pooled[1]}));
    const std::vector<double> in = doublesOf(x);
    const std::vector<double> rois = doublesOf(roiTensor);
    const auto edgeOf = [&](const double* roi, std::size_t k) {
        return truncated(std::round(std::clamp(roi[k] * scale, -1e9, 1e9)));
    };
    double places = 0;
    for (const double* roi = rois.data(); roi != rois.data() + rois.size(); roi += 5)
        places += covered(pooled[0], edgeOf(roi, 2), edgeOf(roi, 4), x.shape[2]) *
                  covered(pooled[1], edgeOf(roi, 1), edgeOf(roi, 3), x.shape[3]);
    PLIMSOLL_TRY(call.announce({places * static_cast<double>(x.shape[1])}));
    std::vector<double> out;
    for (IndexWalk walk(y.shape); walk.valid(); walk.advance()) {
        const double* roi = rois.data() + 5 * walk[0];
        const auto edge = [&](std::size_t k) { return edgeOf(roi, k); };
        const std::int64_t batch = truncated(roi[0]);
        if (batch < 0 || batch >= x.shape[0])
            return refuse(call, say("kernel.batch-outside", word::Number(batch), describe(x)));
        const auto [top, bottom] = binOf(walk[2], pooled[0], edge(2), edge(4), x.shape[2]);
        const auto [left, right] = binOf(walk[3], pooled[1], edge(1), edge(3), x.shape[3]);
        double most = top < bottom && left < right ? -std::numeric_limits<double>::infinity() : 0;
        const double* plane = in.data() + (batch * x.shape[1] + walk[1]) * x.shape[2] * x.shape[3];
        for (std::int64_t row = top; row < bottom; ++row) {
            for (std::int64_t column = left; column < right; ++column)
                most = std::max(most, plane[row * x.shape[3] + column]);
        }
        out.push_back(most);
    }
    storeNumbers(out.data(), y);
    return {};
}

constexpr KernelEntry BoxKernels[] = {
    {"", "MaxRoiPool", maxRoiPool},
    {"", "NonMaxSuppression", nonMaxSuppression},
    {"", "RoiAlign", roiAlign},
};

} // namespace

constinit const KernelTable boxKernels = BoxKernels;

} // namespace plimsoll::kernels
