#pragma once

#include "app/models/large_report.h"
#include "app/session/job_runner.h"
#include "app/session/job_tag.h"
#include "app/views/plan/plan_viewport.h"
#include "app/views/style.h"
#include "core/facts/focus.h"
#include "core/facts/report.h"
#include "core/picture/storage_colours.h"

#include <QImage>
#include <QWidget>

#include <memory>
#include <optional>

class QPainter;

namespace plimsoll::app {

/// How far keys and wheel move a picture, the same in all of them.
constexpr double KeyZoom = 1.25;
constexpr double KeyPanPixels = 80;
/// One notch of a wheel is 120 units; a unit zooms by e to this.
constexpr double ZoomPerUnit = 0.0015;

/// What W S (zoom) and A D (pan) mean in pictures whose two axes are moved apart.
struct KeyMove
{
    double zoom = 1;
    double pan = 0;          ///< Pixels, rightwards or downwards.
    bool secondAxis = false; ///< With Shift: bytes or rows, not steps.
};
[[nodiscard]] std::optional<KeyMove> keyMove(const QKeyEvent& event);

/// One press of the left button, until it is let go: a click, or, once it moves further than a hand shakes, a drag.
class PressAndDrag
{
public:
    void press(QPointF at);
    void cancel() { m_pressed = false; }
    [[nodiscard]] bool pressed() const { return m_pressed; }
    /// By how much the picture goes with the pointer since it was told last; nothing while it may yet be a click.
    [[nodiscard]] std::optional<QPointF> dragTo(QPointF at);
    /// Whether it was a click; false if nothing was pressed.
    [[nodiscard]] bool release();

private:
    QPointF m_last;
    bool m_pressed = false;
    bool m_dragged = false;
};

/// How wide each step is: alike, or else.
struct StepAxis
{
    bool compact = false;                      ///< Quiet ones are narrow.
    std::shared_ptr<const RunResult> timed {}; ///< As wide as it took there; goes before the other.

    [[nodiscard]] std::shared_ptr<const StepPlaces> placesOf(const Report& report) const;
    friend bool operator==(const StepAxis&, const StepAxis&) = default;
};

/// What all pictures have in common: a report, its colours, what is picked, and looks. A canvas never changes any of
/// them by itself: it asks, by its signals, and is told.
class Canvas : public QWidget
{
    Q_OBJECT

public:
    explicit Canvas(QWidget* parent = nullptr);

    /// Either may be null: then the canvas says why it is empty.
    void setReport(std::shared_ptr<const Report> report, std::shared_ptr<const StorageColours> colours);
    void setSelection(const Focus& focus);
    void setTheme(Theme theme);
    /// What to say while there is no report.
    void setEmptyText(const QString& text);

    [[nodiscard]] const std::shared_ptr<const Report>& report() const { return m_report; }
    [[nodiscard]] const Focus& selection() const { return m_focus; }
    [[nodiscard]] const Style& looks() const { return m_style; }

    /// The same picture for the screen, PNG, SVG and PDF.
    virtual void paint(QPainter& painter, const QRectF& area, const Style& style) = 0;
    /// The same of all there is, whatever is seen at present, and the pixels that its words need to be read. Of a
    /// picture that always shows all the one that is seen.
    virtual void paintWhole(QPainter& painter, const QRectF& area, const Style& style) { paint(painter, area, style); }
    [[nodiscard]] virtual QSizeF wholeSize() const { return size(); }

    /// Shows everything.
    virtual void fit() = 0;
    virtual bool frameSelection() = 0; ///< False: what is picked is framed already, or there is none.
    void frameOrFit();                 ///< Frames what is picked, else everything.

    /// The steps that another picture shows; a picture over steps shows the same, and does not announce them.
    virtual void showSteps(const AxisWindow&) {}
    /// How wide a picture over steps makes each of them.
    virtual void setStepAxis(const StepAxis&) {}

    /// One sentence about what is picked, for screen readers.
    [[nodiscard]] QString selectionText() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void picked(const plimsoll::Focus& focus);               ///< The user picked this; empty: nothing.
    void stepChanged(qint64 step);                           ///< The user moved the step cursor.
    void stepAsked(int by);                                  ///< Likewise, so many on or back in the order that ran.
    void stepsShown(const plimsoll::app::AxisWindow& steps); ///< A picture over steps shows these now.
    void hovered(const QString& text);                       ///< What is under the pointer; empty: nothing.
    void menuRequested(QPoint screen);       ///< About what is picked; what lies under the pointer is, by then.
    void statusChanged(const QString& text); ///< What the canvas is doing in the background; empty: nothing.
    void noticed(const QString& text);       ///< Something worth a line, once: what is missing, what gave up.

protected:
    /// The report or its colours are new, or the canvas of a large report has come into view.
    virtual void reportChanged() = 0;
    /// \p take gets what \p make makes of the report: at once of a small one; of a large one once the worker has made
    /// it, unless there is another report by then. \p take may go on with another picture: only then is it drawn.
    template <typename Make, typename Take>
    void makePicture(Make make, Take take)
    {
        if (!m_report || !isLarge(*m_report)) return take(make());
        Q_EMIT statusChanged(tr("Drawing…"));
        m_jobs.start(
            JobTag::Picture, {}, [make](const Context&) { return make(); },
            [this, take](decltype(make()) made) {
                take(std::move(made));
                if (m_jobs.busy(JobTag::Picture)) return;
                selectionChanged();
                Q_EMIT statusChanged(QString());
            });
    }
    JobRunner m_jobs; ///< Of the pictures.
    virtual void selectionChanged() {}
    /// Something else was picked, maybe elsewhere: what is out of view comes into it, with no change of zoom.
    virtual void revealSelection() {}

    /// A key without Ctrl, Alt or Meta that this canvas takes, before the keys of all canvases: F frames what is picked
    /// and then everything, Home shows everything, [ ] step, Escape picks nothing.
    virtual bool takeKey(const QKeyEvent&) { return false; }
    virtual bool takeAltKey(const QKeyEvent&) { return false; } ///< One with Alt alone.

    /// The pointer, told by what it does: it is over the picture with nothing pressed, it leaves, a press takes hold of
    /// something that then goes with it (a strip, an edge, a map) and is let go, it drags the picture by so many
    /// pixels, it clicks.
    virtual void hoverAt(QPointF) {}
    virtual void pointerLeft() {}
    virtual bool grabAt(QPointF, Qt::KeyboardModifiers) { return false; }
    virtual void dragGrabbedTo(QPointF) {}
    virtual void dropGrabbed() {}
    virtual void letGo() {}                ///< Escape while it is held: as if it had not been taken hold of.
    void dropHold() { m_grabbed = false; } ///< What was taken hold of is no more.
    virtual void dragBy(QPointF) {}
    virtual void clickAt(QPointF) {}

    /// What lies over the picture and moves without changing it: step cursor, what is under the pointer.
    virtual void paintPointer(QPainter&) {}
    /// The picture itself has changed and must be painted anew; update() alone paints only what paintPointer() adds.
    void repaintPicture();

    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) final;
    void focusInEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) final;
    void mousePressEvent(QMouseEvent* event) final;
    void mouseMoveEvent(QMouseEvent* event) final;
    void mouseReleaseEvent(QMouseEvent* event) final;
    void leaveEvent(QEvent* event) final;
    void contextMenuEvent(QContextMenuEvent* event) final;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

    /// Where the picture would be without a report.
    [[nodiscard]] QString pickedText() const; ///< A thing, or bytes.
    [[nodiscard]] QString emptyText() const { return m_report ? tr("Drawing…") : m_emptyText; }
    [[nodiscard]] const StorageColours& colours() const { return *m_colours; }
    [[nodiscard]] const std::shared_ptr<const StorageColours>& sharedColours() const { return m_colours; }
    /// The values that belong to what is picked: the value, the tenants of the storage, the operands of the node, the
    /// offenders of the finding, what lies in the area.
    [[nodiscard]] std::vector<ValueId> pickedValues() const;
    /// To be called when the view of a picture has changed: says so where the steps have.
    void announceSteps(const AxisWindow& steps);
    /// To be called before the steps of another picture are shown; false where they are those that it shows already.
    [[nodiscard]] bool takeSteps(const AxisWindow& own, const AxisWindow& steps);
    /// What all pictures show of these steps, be it that this one was not seen yet; none: everything.
    [[nodiscard]] const std::optional<AxisWindow>& sharedSteps() const { return m_steps; }
    /// The report was not seen here yet: its picture is made when it is.
    [[nodiscard]] bool due() const { return m_due; }

private:
    std::shared_ptr<const Report> m_report;
    std::shared_ptr<const StorageColours> m_colours;
    Focus m_focus;
    Style m_style;
    QString m_emptyText;
    bool m_due = false; ///< The report is large and was not seen here yet.
    struct
    {
        QImage image;      ///< What paint() made.
        bool stale = true; ///< It must be made again.
    } m_painted;
    bool m_ringed = true;              ///< The keyboard did not come here by itself.
    std::optional<AxisWindow> m_steps; ///< Announced or taken last; none: of no report of as many steps.
    PressAndDrag m_press;
    bool m_grabbed = false; ///< What grabAt() took hold of goes with the pointer.
};

/// Gives screen readers the name, the description and the picked item of every canvas. The first canvas does it, too.
void installCanvasAccessibility();

} // namespace plimsoll::app
