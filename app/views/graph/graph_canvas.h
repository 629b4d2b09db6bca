#pragma once

#include "app/session/job_runner.h"
#include "app/views/canvas.h"
#include "app/views/graph/dot_process.h"
#include "app/views/graph/graph_painter.h"
#include "core/facts/about.h"

#include <QVariantAnimation>

class QLineEdit;

namespace plimsoll::app {

/// The graph: boxes and edges coloured by storage, closed groups that open on a double click.
///
/// A layout is always computed on a worker thread; until it arrives, the picture before stays. tidy() asks Graphviz for
/// a finer one of what shows. Drag pans, the wheel zooms. Keys: W S zoom, A D and Shift+W Shift+S pan, arrows go along
/// the edges and to the neighbours, + or Enter opens the group at the keyboard, - closes the one that is picked or else
/// the one around it, as a click on the minus of its frame does, F frames
/// what is picked and then everything, G tidies, [ ] step, Escape picks nothing. What is looked at: 1 to 9 so many hops
/// around what is picked, U what it comes from, Shift+U what uses it, M one end of a path and then the other, 0 all, X
/// hides the rest, V shows bytes and time; find() filters.
class GraphCanvas : public Canvas
{
    Q_OBJECT

public:
    explicit GraphCanvas(QWidget* parent = nullptr);

    void paint(QPainter& painter, const QRectF& area, const Style& style) override;
    void paintWhole(QPainter& painter, const QRectF& area, const Style& style) override;
    [[nodiscard]] QSizeF wholeSize() const override;
    void fit() override;
    bool frameSelection() override;

    /// What a run of the report has measured. Null: it was not run.
    void setRun(std::shared_ptr<const RunResult> run);

    /// The keyboard goes to the field in which a filter is typed.
    void find();
    [[nodiscard]] QLineEdit* filterField() const;
    void addBesideFilter(QWidget* widget);
    void toggleGroup(GroupId group);
    void setGroupsByHand(std::vector<NamedNodes> groups);
    /// What a group by hand would hold now: the group that is picked, or what is looked at; empty where that is all.
    [[nodiscard]] std::vector<NodeId> nodesToGroup() const;
    /// The name of the group that is picked, where it is one by hand.
    [[nodiscard]] std::string pickedByHand() const;
    void expandAll();
    void collapseAll();
    void tidy();
    [[nodiscard]] const GraphLook& look() const { return m_look; }
    void setLook(const GraphLook& look);
    /// What is looked at is about what is picked; says so where nothing is.
    void lookAround(int hops);
    void lookAtSources();
    void lookAtUses();
    void lookAtAll();
    /// The path begins at what is picked, and ends at the next box that is clicked, or at what is picked by then.
    void startPath();
    void endPath();
    /// Movement between two layouts; off where the user or the desktop wants less of it.
    void setAnimated(bool animated) { m_move.setDuration(animated ? 160 : 0); } // ms

    [[nodiscard]] const GraphDrawing* drawing() const { return m_drawing.get(); } ///< Null until the first layout.
    [[nodiscard]] const GraphViewport& viewport() const { return m_view; }
    [[nodiscard]] DotProcess& dot() { return m_dot; }

Q_SIGNALS:
    void laidOut(); ///< A layout has arrived and shows.
    void lookChanged(const plimsoll::app::GraphLook& look);
    /// The user picked a group; without nodes: none any more.
    void groupPicked(const plimsoll::NodeGroup& group);

protected:
    void reportChanged() override;
    void selectionChanged() override;
    /// Opens the groups around a node or value that was picked elsewhere; what spreads over many nodes opens none, and
    /// the closed groups that hold it are outlined.
    void revealSelection() override;

    void paintPointer(QPainter& painter) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hoverAt(QPointF at) override;
    void pointerLeft() override;
    bool grabAt(QPointF at, Qt::KeyboardModifiers modifiers) override;
    void dragGrabbedTo(QPointF at) override;
    void dragBy(QPointF pixels) override;
    void clickAt(QPointF at) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool takeKey(const QKeyEvent& event) override;

private:
    /// What is seen when the size or the layout changes.
    enum class Framing {
        Opening, ///< The beginning, legibly; all of a small graph.
        All,
        Picked, ///< What is picked, once it is shown.
        Own,    ///< What the user has moved to.
    };
    /// \p anew: even the same boxes get other places.
    void request(Expansion expansion, bool revealScope = false, bool anew = false);
    [[nodiscard]] GraphPlace pickedPlace() const;
    void scopeTo(GraphScope scope);
    bool lookByKey(const QKeyEvent& event);
    void viewChanged();
    void reflow();
    void addFilterField();
    void showFilter();
    [[nodiscard]] QRectF room(const QRectF& area) const;
    [[nodiscard]] bool pathWaits() const;
    [[nodiscard]] LayoutBox viewSize() const;
    void frame(const QRectF& bounds);
    void reframe();
    void openingView();
    [[nodiscard]] std::int32_t boxToShow() const;
    void bringIntoView(std::int32_t box);
    void accept(std::shared_ptr<const GraphDrawing> drawing);
    void acceptTidy(const GraphLayout& layout);
    void display(std::shared_ptr<const GraphDrawing> drawing);
    void keepInPlace(const GraphDrawing& next);
    bool moveByKey(const QKeyEvent& event);
    void goAlong(Qt::Key way);
    void closeAroundCursor();
    void pickGroup(GroupId group);
    bool clickFrame(QPointF at);
    void pick(const Focus& focus);
    void pickBox(std::size_t box);
    void showEnds(bool all);
    [[nodiscard]] std::int32_t cursorBox() const;
    /// The box and, where there is none, the arrow at a pixel.
    [[nodiscard]] std::optional<std::size_t> boxUnder(QPointF pixel) const;
    [[nodiscard]] std::optional<std::size_t> arrowUnder(QPointF pixel) const;

    DotProcess m_dot;
    QVariantAnimation m_move;
    std::shared_ptr<const GraphDrawing> m_drawing;
    struct
    {
        std::shared_ptr<const Graph> graph; ///< Another graph starts anew.
        std::shared_ptr<const GroupTree> tree;
        Expansion expansion;
        Expansion uncut; ///< What was open before the rest was hidden.
        std::shared_ptr<const RunResult> run;
        std::vector<NamedNodes> byHand;
    } m_asked; ///< By the last request.
    GraphLook m_look;
    GraphEmphasis m_emphasis;
    GraphViewport m_view;
    Framing m_framing = Framing::Opening;
    bool m_revealWaiting = false; ///< The selection is to be brought into view when a layout arrives.
    bool m_ownPick = false;       ///< The selection that comes in was picked here: nothing is to move or open.
    struct
    {
        std::int32_t box = -1; ///< The keyboard is there.
        GroupId group;         ///< Picked, open or closed.
    } m_cursor;
    struct
    {
        QStringList tip; ///< Of what is under the pointer.
        QPointF at;
        bool onMap = false; ///< It drags the map.
    } m_pointer;
};

} // namespace plimsoll::app
