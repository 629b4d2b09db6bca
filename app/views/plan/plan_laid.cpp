#include "app/views/plan/plan_laid.h"

#include "app/views/coverage_image.h"
#include "core/base/beside.h"

#include <cmath>
#include <future>
#include <thread>
#include <type_traits>
#include <utility>

namespace plimsoll::app {
namespace {

/// From so many bars on, several threads look at them, each at its part of the picture.
constexpr std::size_t BarsOfOneThread = 100'000;
constexpr unsigned MostParts = 4;

Ink inkFor(Rgb rgb, const Style& style, bool dim)
{
    const Rgb fill = dim ? style.dimmed(rgb) : rgb;
    const Rgb text = textOn(fill);
    Ink ink {.fill = toColor(fill), .sliver = mix(fill, style.palette->text, dim ? 0.12 : 0.3)};
    ink.edge = toColor(ink.sliver);
    ink.text = toColor(dim ? style.legible(fill, style.palette->mutedText) : text);
    ink.faintText = dim ? ink.text : toColor(style.legible(fill, mix(fill, text, 0.78)));
    ink.pattern = toColor(text, dim ? 0.16 : 0.34);
    return ink;
}

/// Some columns of the picture.
struct Part
{
    QRectF area;
    Interval steps; ///< That are seen in it, and a few beside it.
    bool first = true;
    bool last = true;

    /// Of a bar of its steps; each begins in one part, and what begins before all of them in the first.
    [[nodiscard]] bool begins(const QRectF& bar) const
    {
        return (first || bar.left() >= area.left()) && (last || bar.left() < area.right());
    }
};

/// From left to right, with edges between the pixels of the device.
std::vector<Part> partsOf(const PlanScene& scene, const PlanViewport& view, double scale)
{
    const bool many = scene.picture.bars.size() >= BarsOfOneThread;
    const unsigned count = many ? std::clamp(std::thread::hardware_concurrency(), 1U, MostParts) : 1;
    const AxisWindow seen = view.seenSteps();
    const auto edge = [&](unsigned part) {
        if (part == count) return view.area.right();
        return view.area.left() + std::round(view.area.width() * scale * part / count) / scale;
    };
    std::vector<Part> parts;
    for (unsigned i = 0; i < count; ++i) {
        Part part {.area = view.area, .steps = {}, .first = i == 0, .last = i + 1 == count};
        part.area.setLeft(edge(i));
        part.area.setRight(edge(i + 1));
        part.steps = {
            static_cast<std::int64_t>(std::floor(part.first ? seen.first : view.stepAt(part.area.left() - 1))),
            static_cast<std::int64_t>(std::ceil(part.last ? seen.last() : view.stepAt(part.area.right() + 1)))};
        parts.push_back(part);
    }
    return parts;
}

/// What \p work makes of each, at once.
template <typename Work>
auto ofEach(const std::vector<Part>& parts, const Work& work)
{
    using Made = std::invoke_result_t<Work, const Part&>;
    std::vector<std::future<Made>> others;
    for (std::size_t i = 1; i < parts.size(); ++i)
        others.push_back(beside([&work, &part = parts[i]] { return work(part); }));
    std::vector<Made> made;
    made.push_back(work(parts.front()));
    for (std::future<Made>& other : others)
        made.push_back(other.get());
    return made;
}

template <typename Visitor>
void eachSeen(const PlanScene& scene, const PlanViewport& view, Interval steps, Visitor&& visitor)
{
    scene.picture.barIndex.visit(steps, [&](std::size_t position) {
        const PlanBar& bar = scene.picture.bars[position];
        const Interval bytes = stackedBytes(scene.picture, bar);
        if (double(bytes.end) <= view.bytes.first || double(bytes.begin) >= view.bytes.last()) return;
        visitor(bar, view.rectOf(bar.steps, bytes));
    });
}

Inks inksFor(const PlanScene& scene, const PlanViewport& view, const std::vector<Part>& parts, const Style& style)
{
    Inks inks;
    for (std::size_t i = 0; i < inks.all.size(); ++i) {
        const Rgb fill = style.fill(i < ColourCount ? static_cast<ColourIndex>(i) : NoColour);
        inks.all[i] = {inkFor(fill, style, false), inkFor(fill, style, true)};
    }
    if (!scene.emphasis.any) return inks;
    const auto picked = ofEach(parts, [&](const Part& part) {
        char any = 0;
        eachSeen(scene, view, part.steps,
                 [&](const PlanBar& bar, const QRectF&) { any |= scene.emphasis.storages[bar.storage.index()]; });
        return any;
    });
    inks.dim = std::ranges::any_of(picked, [](char any) { return any != 0; }); // else all would be grey
    return inks;
}

SeenBars barsIn(const Part& part, const PlanScene& scene, const PlanViewport& view, const Inks& inks, double scale)
{
    SeenBars seen {.at = part.area.topLeft(), .slivers = {}, .bars = {}};
    CoverageImage slivers(part.area, scale);
    eachSeen(scene, view, part.steps, [&](const PlanBar& bar, const QRectF& rect) {
        seen.nothing = false;
        if (rect.width() < SmallestBar || rect.height() < SmallestBar)
            slivers.add(rect, inks.of(bar, scene).sliver);
        else if (part.begins(rect))
            seen.bars.push_back({&bar, rect});
    });
    if (!slivers.empty()) seen.slivers = slivers.toImage();
    return seen;
}

} // namespace

std::shared_ptr<const LaidBars> layBars(const PlanScene& scene, const PlanViewport& view, const Style& style,
                                        double scale)
{
    LaidBars laid {scene.picture.bars.data(), view, style.theme, scale, {}};
    if (scene.emphasis.any) laid.lit = scene.emphasis.storages;
    if (scene.laid && scene.laid->ofSame(laid)) return scene.laid;
    const std::vector<Part> parts = partsOf(scene, view, scale);
    laid.inks = inksFor(scene, view, parts, style);
    laid.seen = ofEach(parts, [&](const Part& part) { return barsIn(part, scene, view, laid.inks, scale); });
    return std::make_shared<const LaidBars>(std::move(laid));
}

} // namespace plimsoll::app
