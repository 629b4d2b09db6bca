#pragma once

#include "app/session/plan_comparison.h"
#include "app/views/canvas.h"
#include "app/views/colour_key_bar.h"
#include "app/views/plan/plan_scene.h"
#include "core/facts/about.h"

#include <QTabWidget>

#include <functional>

namespace plimsoll::app {

class GraphCanvas;
class LiveRangeCanvas;
struct GraphLook;
struct StopMark;
class PlanCanvas;
class PlanPair;
class Selection;

/// The pictures of the plan, in tabs; each follows the selection and asks it.
class CanvasTabs : public QTabWidget
{
    Q_OBJECT

public:
    CanvasTabs(Selection& selection, JobRunner& worker, QWidget* parent = nullptr);

    /// \p colours: of its storages; null where they are still to be worked out.
    void setReport(std::shared_ptr<const Report> report, std::shared_ptr<const StorageColours> colours,
                   const Compared& compared);
    /// Of that report, which is shown or will be.
    void setCompared(const std::shared_ptr<const Report>& report, const Compared& compared);
    void setRun(std::shared_ptr<const RunResult> run); ///< Of the report; null: it was not run.
    void setStops(std::vector<StopMark> stops);        ///< Of the plan.
    void forget();                                     ///< Another graph comes.
    void setTheme(Theme theme);
    [[nodiscard]] bool showView(const QString& id); ///< "plan", "live", "graph"; false for another id.
    [[nodiscard]] Canvas* current() const;
    [[nodiscard]] Canvas* canvas(const QString& id) const;
    void frameSelection(); ///< In every picture: what is picked comes into view.
    void showHoles(bool show);
    void showBoth(bool both);                ///< The plan, and what it is compared with above it.
    [[nodiscard]] Canvas* otherPlan() const; ///< Hidden while there is one.
    void keepGhost(bool keep);               ///< Outlines of what it is compared with, and where its bars moved.
    void setPlanAxis(PlanAxis axis);         ///< What heights mean in the plan, which is shown.
    void compactSteps(bool compact);         ///< In all pictures over steps.
    void stepsByTime(bool byTime);           ///< Likewise, as long as there is a run: a step is as wide as it took.
    void setColourBy(ColourBy by);           ///< In all pictures, and in the swatches of the tables.
    void withGraph(const std::function<void(GraphCanvas&)>& change);    ///< Shows the graph, and changes its picture.
    void withRows(const std::function<void(LiveRangeCanvas&)>& change); ///< Likewise of the live ranges.
    [[nodiscard]] LiveRangeCanvas& rows() const;
    /// No canvas is computing anything that would change its picture.
    [[nodiscard]] bool settled() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void hovered(const QString& text);
    void menuRequested(QPoint screen); ///< About what is picked.
    void statusChanged(const QString& text);
    void coloured(const std::shared_ptr<const plimsoll::StorageColours>& colours); ///< Those of the report; or null.
    void holesShown(bool show);                                                    ///< By a key of the picture.
    void moveWanted(const plimsoll::Focus& what, qint64 offset);                   ///< In the plan.
    void graphLookChanged(const plimsoll::app::GraphLook& look);
    void groupPicked(const plimsoll::NodeGroup& group); ///< In the graph.

private:
    void colour(); ///< Then shows the report, or paints it anew.
    void take(ColourScheme scheme);
    void show(const std::shared_ptr<const StorageColours>& colours);
    void paintWith(const std::shared_ptr<const StorageColours>& colours);
    void widenSteps(); ///< As it is wanted.
    void add(Canvas* canvas, const QString& id, const QString& title, const QString& tip, QWidget* page = nullptr);
    void listenTo(Canvas* canvas);
    void pick(const Focus& focus);

    Selection& m_selection;
    JobRunner& m_worker;
    PlanCanvas* m_plan;
    PlanPair* m_pair; ///< The plan's page.
    GraphCanvas* m_graph;
    ColourKeyBar* m_key;
    ColourBy m_colourBy = ColourBy::Storage;
    struct
    {
        std::shared_ptr<const Report> report;
        std::shared_ptr<const StorageColours> colours; ///< Of its storages; null where they are not known yet.
        std::shared_ptr<const RunResult> run;
        Compared compared;
        bool comes = false; ///< It is not shown before its colours are there.
    } m_shown;
    struct
    {
        bool compact = false;
        bool byTime = false;
    } m_steps;
    QList<Canvas*> m_canvases;
    QHash<Canvas*, QString> m_status;
};

} // namespace plimsoll::app
