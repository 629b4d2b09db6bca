#pragma once

#include "app/views/plan/plan_scene.h"
#include "core/facts/compare/plan_matches.h"

#include <vector>

class QFontMetricsF;

namespace plimsoll::app {

/// A bar that is big enough to be seen as one; its whole rectangle, also where it is out of view.
struct DrawnBar
{
    const PlanBar* bar = nullptr; ///< In PlanPicture::bars.
    QRectF rect;
};

/// What is on the canvas already, so that words and badges can keep out of its way.
struct DrawnPlan
{
    std::vector<DrawnBar> bars; ///< In painting order.
    std::vector<QRectF> words;  ///< Labels and badges.
    std::vector<QRectF> names;  ///< Of the words those of bars, which sizes give way for.
    bool nothing = true;        ///< Not even a sliver is seen.
};

enum class Hides : char { Some, All };
/// The x where a later bar begins to hide some or all of the height of \p part; the end of the bar if none does.
[[nodiscard]] double hiddenFrom(const DrawnPlan& drawn, const DrawnBar& of, const QRectF& part, Hides hides);

/// The name of a bar; where it does not fit, what tells it apart of its last parts, then that shortened, then only the
/// storage: "s12". Of a scratchpad "scratchpad of Conv_7", "scratchpad of C…", "scratchpad", "scr…".
[[nodiscard]] QString barName(const PlanScene& scene, const PlanBar& bar, const QFontMetricsF& metrics, double width);

/// The names of peak, lower bound and capacity, and their lines.
void paintLevels(QPainter& painter, const PlanScene& scene, const PlanViewport& view, DrawnPlan& drawn,
                 const Style& style);
/// Where bars are when none is seen.
void paintWayBack(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const Style& style);

/// The hatch of errors.
void paintFindingFills(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const Style& style);
/// Quiet outlines of the largest holes where they are asked for, and the one that is picked.
void paintHoles(QPainter& painter, const PlanScene& scene, const PlanViewport& view, DrawnPlan& drawn,
                const Style& style);
/// The area that is picked, or where in a bar was pointed at.
void paintArea(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const Style& style);
/// The one that is being drawn with the pointer, and how large it is.
void paintDrawnArea(QPainter& painter, const QRectF& bounds, const PlanScene& scene, const PlanViewport& view,
                    const PlanPointer& pointer, const Style& style);
/// Steps × bytes between two corners, in the arena of the first: whole steps, and bytes as round as a pixel is high.
[[nodiscard]] PlanArea areaBetween(const PlanScene& scene, const PlanViewport& view, QPointF from, QPointF to);
/// Dotted lines behind the bars of storages that some stream may not have yet, up to where the last one has waited.
void paintWaits(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const Style& style);
/// In the upper right corner: of a value whose place or partners are asked for.
void paintAskedCorner(QPainter& painter, const QRectF& bar, const QColor& ink);
void paintWaitLine(QPainter& painter, double left, double right, double y, const Style& style);
/// The largest hole there; null: none.
[[nodiscard]] const Hole* holeAt(const PlanScene& scene, std::int64_t step, std::int64_t stackedByte);

/// What is not where it was. Things are the same by name, since a change of policies may number them anew; values as
/// \p matches say, where there are any.
[[nodiscard]] std::vector<GhostBar> makeGhost(const PlanScene& now, const Report& before,
                                              const PlanMatches* matches = nullptr);
/// What is painted of it: all of few; of many the largest of those that are seen and are at least some pixels.
[[nodiscard]] std::vector<GhostBar> outlinedGhost(const std::vector<GhostBar>& ghost, const PlanViewport& view);
/// As thin outlines over what is there now, if they are few with an arrow from where a bar was to where it is.
void paintGhost(QPainter& painter, const std::vector<GhostBar>& ghost, const PlanViewport& view, const Style& style);

/// Around the bars that findings name, and around the contested bytes.
void paintFindingFrames(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const DrawnPlan& drawn,
                        const Style& style);
/// Says that there is a finding, and how bad it is.
struct Badge
{
    QRectF where;
    Severity severity;
};

/// One for each finding, where it hides least of what is drawn.
[[nodiscard]] std::vector<Badge> badgesOf(const PlanScene& scene, const PlanViewport& view, const DrawnPlan& drawn);
/// Above everything, even the labels.
void paintBadges(QPainter& painter, const std::vector<Badge>& badges, const Style& style);
/// What is picked, read and written.
void paintOutlines(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const DrawnPlan& drawn,
                   const Style& style);

} // namespace plimsoll::app
