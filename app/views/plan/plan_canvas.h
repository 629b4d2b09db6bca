#pragma once

#include "app/session/plan_comparison.h"
#include "app/views/canvas.h"
#include "app/views/plan/plan_drag.h"
#include "app/views/plan/plan_scene.h"
#include "app/views/plan/plan_stops.h"

namespace plimsoll::app {

/// The time × address picture: where every value's bytes are, and when.
///
/// Drag pans, the wheel zooms both axes about the pointer (Ctrl: steps only, Shift: bytes only; sideways: pans). A
/// click picks what is under it, the byte and the step with it; a drag with Shift picks steps × bytes, with Alt (or
/// Ctrl, where the desktop takes Alt) it asks for what is under it at another address; a click on the ruler (on a stop
/// there: to its step) or the curve moves the step cursor, a drag in the overview strip moves what is seen. Keys: W S
/// zoom steps, Shift+W Shift+S zoom bytes, A D pan, arrows go to the neighbouring bar, or move what bytes are picked
/// and the step, [ ] step, F frames what is picked and then everything, P goes to the peak, H outlines the holes,
/// Escape picks nothing, B shows what the plan is compared with while it is held; Alt+Up and Alt+Down ask for the next
/// free place.
class PlanCanvas : public Canvas
{
    Q_OBJECT

public:
    explicit PlanCanvas(QWidget* parent = nullptr);

    void paint(QPainter& painter, const QRectF& area, const Style& style) override;
    void paintWhole(QPainter& painter, const QRectF& area, const Style& style) override;
    [[nodiscard]] QSizeF wholeSize() const override;

    [[nodiscard]] const PlanViewport& viewport() const { return m_view; }
    [[nodiscard]] const PlanScene& scene() const { return m_scene; }
    [[nodiscard]] PlanRegions regions() const { return planRegions(rect(), m_scene, looks()); }

    void fit() override;
    void fitBytes(); ///< The steps stay.
    bool frameSelection() override;
    /// The same with these steps × stacked bytes.
    bool frameWith(const QRectF& beside);
    [[nodiscard]] QRectF selectedWorld() const; ///< Null: no bytes.
    void showSteps(const AxisWindow& steps) override;
    void goToPeak();
    /// What the plan is compared with: its outlines are seen while B is held, or always. Matches are of this report.
    void setCompared(Compared compared);
    void keepGhost(bool keep);
    /// As one of two plans: what it is called, the steps × bytes of the other one, and what that shows of them.
    void setCaption(const QString& caption);
    void setRoom(QSizeF room);
    void showView(const PlanViewport& view);
    [[nodiscard]] QSizeF world() const; ///< Its own steps × bytes.
    /// What a run of the report has measured. Null: it was not run.
    void setRun(std::shared_ptr<const RunResult> run);
    void setStops(std::vector<StopMark> stops); ///< Those of what is shown, or comes.
    void showHoles(bool show);
    void setAxis(PlanAxis axis);
    void setStepAxis(const StepAxis& axis) override;
    [[nodiscard]] const std::vector<GhostBar>& ghost() const { return m_ghost; } ///< What is seen of it.

Q_SIGNALS:
    void holesShown(bool show);                                  ///< By key.
    void moveWanted(const plimsoll::Focus& what, qint64 offset); ///< Dragged to there.
    void viewShown();                                            ///< Maybe other steps and bytes.

protected:
    void reportChanged() override;
    void selectionChanged() override;
    void revealSelection() override;

    void paintPointer(QPainter& painter) override;
    void resizeEvent(QResizeEvent* event) override;
    void hoverAt(QPointF at) override;
    void pointerLeft() override;
    bool grabAt(QPointF at, Qt::KeyboardModifiers modifiers) override;
    void dragGrabbedTo(QPointF at) override;
    void dropGrabbed() override;
    void letGo() override;
    void dragBy(QPointF pixels) override;
    void clickAt(QPointF at) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool takeKey(const QKeyEvent& event) override;
    bool takeAltKey(const QKeyEvent& event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Made;
    void lay(Made made);
    void showPlan(Made made);
    [[nodiscard]] PlanViewport firstView(const Made& made) const;
    void viewChanged();
    void forgetPointed();
    bool moveByKey(const QKeyEvent& event);
    void pickNeighbour(int key);
    void moveArea(int key);
    void showGhost();
    void hideGhost();
    void refreshGhost(); ///< Of what is shown now, if it is kept.
    void makeRoom();
    [[nodiscard]] std::optional<std::size_t> pickedBar() const;

    PlanScene m_scene;
    PlanAxis m_axis = PlanAxis::Address;
    StepAxis m_stepAxis;
    PlanViewport m_view;
    PlanPointer m_pointer;
    Compared m_compared;
    std::shared_ptr<const RunResult> m_run;
    std::vector<GhostBar> m_ghost;
    struct
    {
        bool ghost = false;
        QSizeF room;
    } m_keeps; ///< Of the other plan: always its outlines, room for it.
    struct
    {
        std::optional<QPointF> corner; ///< Where the area that is being drawn begins.
        std::optional<BarDrag> drag;
    } m_held;                 ///< What goes with the pointer.
    bool m_saidBelow = false; ///< What is on the curve or the ruler under the pointer was said.
    std::vector<StopMark> m_stops;
};

} // namespace plimsoll::app
