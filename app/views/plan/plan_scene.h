#pragma once

#include "app/views/canvas_text.h"
#include "app/views/plan/plan_viewport.h"
#include "app/views/style.h"
#include "core/facts/focus.h"
#include "core/picture/plan_picture.h"

#include <QRectF>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace plimsoll::app {

/// A bar of the plan before that is not where it was: steps × stacked bytes, in the lanes of that plan.
struct GhostBar
{
    QRectF was;
    std::optional<QRectF> is; ///< Where it moved; nothing: it is no more.
};

/// Why a value is outlined.
enum class ValueMark : char { None, Picked, Read, Written };

/// What stands out because of the selection.
struct PlanEmphasis
{
    bool any = false;              ///< Something is picked, so the rest is dimmed.
    std::vector<char> storages;    ///< By StorageId: keeps its full colour.
    std::vector<ValueMark> values; ///< By ValueId.
    Accesses accesses;             ///< Of the picked value.
    std::int32_t finding = -1;
    std::int32_t hole = -1; ///< In Report::holes.
    PlanArea area;
};

[[nodiscard]] PlanEmphasis emphasise(const Report& report, const Focus& focus);

/// What a run has measured, by step: of all memories together.
struct MeasuredSteps
{
    std::vector<double> ms;
    std::vector<std::int64_t> bytes;
    /// What devices held, and of other memories what was in use; empty where no device was used.
    std::vector<std::int64_t> held;
};
[[nodiscard]] MeasuredSteps measuredSteps(const RunResult& run);
/// "measured: 0.012 ms, 4 KiB in use in cuda:0, which held 12 KiB"; empty for a step that was not run.
[[nodiscard]] QString measuredText(const RunResult& run, std::int64_t step);

struct LaidBars;

/// All that the time × address picture shows, however it is looked at.
struct PlanScene
{
    std::shared_ptr<const Report> report;
    PlanPicture picture;
    PlanEmphasis emphasis;
    QString namePrefix;     ///< That of all inner names; labels leave it out.
    NameEndings endings;    ///< Labels are cut to what tells them apart.
    bool showHoles = false; ///< All of them, and not only one that is picked.
    MeasuredSteps measured; ///< Empty: the plan was not run.
    QString caption {};     ///< Of two plans; empty: there is one.
    /// Of the view in which a large plan is seen first; null: they are laid when they are painted.
    std::shared_ptr<const LaidBars> laid {};

    /// Not of a report or plan that was handed in without it, nor of a plan with errors.
    [[nodiscard]] bool knowsBound() const;
};

/// What a click on it picks.
[[nodiscard]] inline Focus focusOn(const PlanBar& bar)
{
    return bar.value.valid() ? Focus::on(bar.value) : Focus::on(bar.storage);
}

/// Steps × stacked bytes of what is picked: of all its bars, and of what a finding is about. Null: no bytes.
[[nodiscard]] QRectF pickedWorld(const PlanScene& scene, const Focus& picked);

/// The parts of the canvas, from top to bottom.
///
///     +---------------------------------+
///     |            header               |
///     | axis |          bars            |
///     |      |          ruler           |
///     |      |          curve           |
///     |      |          strip           |
struct PlanRegions
{
    QRectF header;
    QRectF axis;
    QRectF bars;
    QRectF ruler;
    QRectF curve;
    QRectF strip;
};
[[nodiscard]] PlanRegions planRegions(const QRectF& area, const PlanScene& scene, const Style& style);

/// What moves over the picture without changing it.
struct PlanPointer
{
    std::int64_t step = -1;         ///< The step cursor.
    std::optional<std::size_t> bar; ///< Under the pointer.
    const FindingMark* finding = nullptr;
    QPointF at;
    PlanArea drawn {}; ///< Being drawn with the pointer.
};

/// The whole picture; \p view has its area set to the bars of \p regions.
void paintPlan(QPainter& painter, const PlanRegions& regions, const PlanScene& scene, const PlanViewport& view,
               const Style& style);
/// Step cursor, what is under the pointer and its tip.
void paintPlanPointer(QPainter& painter, const PlanRegions& regions, const PlanScene& scene, const PlanViewport& view,
                      const PlanPointer& pointer, const Style& style);

/// The bar at a point; where there is none, the nearest that is too small to be pointed at, a few pixels away at most.
[[nodiscard]] std::optional<std::size_t> barUnder(const PlanScene& scene, const PlanViewport& view, QPointF at);
/// Which bars are seen, and the image of those that are too small for outlines: of many bars that is most of what there
/// is to do. Those of the scene if they are of this view, its looks and its selection; \p scale is pixels of the device
/// for one of the picture.
[[nodiscard]] std::shared_ptr<const LaidBars> layBars(const PlanScene& scene, const PlanViewport& view,
                                                      const Style& style, double scale);
/// Bars, lanes, findings and outlines, in regions.bars. Part of paintPlan.
void paintBars(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const Style& style);
/// Live bytes over the steps that are seen, with peak and lower bound. Part of paintPlan.
void paintLiveCurve(QPainter& painter, const QRectF& area, const PlanScene& scene, const PlanViewport& view,
                    const Style& style);
/// Over the curve, whose height is \p top bytes: a line of the bytes that a run had in use, a thin one of what its
/// devices held for that (at the upper edge where it is more), and how long each step took. Part of paintPlan.
void paintMeasured(QPainter& painter, const QRectF& area, const MeasuredSteps& measured, const PlanViewport& view,
                   double top, const Style& style);
/// The whole run in one strip: live bytes, findings, and what part of it is seen. Part of paintPlan.
void paintOverview(QPainter& painter, const QRectF& area, const PlanScene& scene, const PlanViewport& view,
                   const Style& style);

} // namespace plimsoll::app
