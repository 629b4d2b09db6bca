#pragma once

#include "app/views/canvas.h"
#include "app/views/plan/plan_viewport.h"
#include "core/picture/live_range_picture.h"

class QFontMetricsF;

namespace plimsoll::app {

/// One row per value or storage, with the steps in which its bytes matter; same steps as the plan. Small ticks are
/// reads.
///
/// Drag pans (at the edge of the names: resizes them), the wheel scrolls rows (Ctrl: zooms steps, Shift: zooms rows).
/// Keys as in the plan; arrows up and down go to the neighbouring row, T changes between values and storages, Y keeps
/// the row at the top, Delete hides it, Insert shows what is hidden.
class LiveRangeCanvas : public Canvas
{
    Q_OBJECT

public:
    explicit LiveRangeCanvas(QWidget* parent = nullptr);

    void paint(QPainter& painter, const QRectF& area, const Style& style) override;
    void paintWhole(QPainter& painter, const QRectF& area, const Style& style) override;
    [[nodiscard]] QSizeF wholeSize() const override;

    [[nodiscard]] RowKind rowKind() const { return m_shown.kind; }
    [[nodiscard]] const RowChoice& choice() const { return m_shown.choice; }
    [[nodiscard]] const LiveRangePicture& picture() const { return m_picture; }
    [[nodiscard]] const PlanViewport& viewport() const { return m_view; }
    /// What stands beside a row, in no more than \p width.
    [[nodiscard]] QString rowName(std::size_t row, const QFontMetricsF& metrics, double width) const;
    /// Where a row is painted now; empty when there is no such row.
    [[nodiscard]] QRectF rowRect(std::int32_t row) const;

    void setRowKind(RowKind kind);
    void setChoice(RowChoice choice);
    void pinPicked();  ///< The row of the selection stays at the top; again: no longer.
    void hidePicked(); ///< Likewise it is hidden.
    void showHidden();
    void groupByModule(bool group);
    void fit() override;
    bool frameSelection() override;
    void showSteps(const AxisWindow& steps) override;
    void setStepAxis(const StepAxis& axis) override;

Q_SIGNALS:
    void choiceChanged(const plimsoll::RowChoice& choice);

protected:
    void reportChanged() override;
    void selectionChanged() override;
    void revealSelection() override;

    void paintPointer(QPainter& painter) override;
    void resizeEvent(QResizeEvent* event) override;
    void hoverAt(QPointF at) override;
    void pointerLeft() override { m_hovered = -1; }
    bool grabAt(QPointF at, Qt::KeyboardModifiers) override { return onNamesEdge(at); }
    void dragGrabbedTo(QPointF at) override;
    void dragBy(QPointF pixels) override;
    void clickAt(QPointF at) override;
    void wheelEvent(QWheelEvent* event) override;
    bool takeKey(const QKeyEvent& event) override;

private:
    struct Regions
    {
        QRectF header;
        QRectF names;
        QRectF rows;
        QRectF ruler;
    };
    [[nodiscard]] Regions regionsOf(const QRectF& area, const Style& style) const;
    [[nodiscard]] bool onNamesEdge(QPointF at) const;
    bool moveByKey(const QKeyEvent& event);
    void paintHeader(QPainter& painter, const Regions& parts, const Style& style) const;
    void paintRows(QPainter& painter, const Regions& parts, const PlanViewport& view, const Style& style) const;
    void paintRow(QPainter& painter, const Regions& parts, const PlanViewport& view, std::size_t row,
                  const Style& style) const;
    void paintHeading(QPainter& painter, const QRectF& band, const LiveRow& row, const Style& style) const;
    [[nodiscard]] QString hiddenText() const; ///< "3 hidden — show"; empty: none is.
    [[nodiscard]] QRectF hiddenLink() const;
    /// So many rows stand still at the top, at most half of what is seen, and how high they are.
    [[nodiscard]] std::size_t stillRows(const Regions& parts) const;
    [[nodiscard]] double stillHeight(const Regions& parts) const { return double(stillRows(parts)) * m_rowHeight; }
    [[nodiscard]] double topOf(std::size_t row, const Regions& parts) const;
    /// The nearest row from there on that is no heading; -1: none.
    [[nodiscard]] std::int32_t rowFrom(std::int32_t row, std::int32_t by) const;
    [[nodiscard]] std::string pickedName() const; ///< What a choice knows it by; empty: no row is picked.
    void paintSpans(QPainter& painter, const PlanViewport& view, const LiveRow& row, const QRectF& band,
                    const Style& style) const;
    void paintReads(QPainter& painter, const PlanViewport& view, const LiveRow& row, const QRectF& band,
                    const Style& style) const;
    void paintScrollMark(QPainter& painter, const QRectF& rows, const Style& style) const;
    [[nodiscard]] bool lit(const LiveRow& row) const;
    [[nodiscard]] std::int32_t rowAt(double y) const;
    [[nodiscard]] std::int32_t pickedRow() const;
    void pickRow(std::int32_t row);
    void setRowHeight(double height, double aboutY);
    void viewChanged();

    LiveRangePicture m_picture;
    struct
    {
        RowKind kind = RowKind::Value;
        RowChoice choice;
    } m_shown;
    StepAxis m_stepAxis;
    Uses m_uses;
    std::vector<char> m_litStorages; ///< By StorageId; empty when nothing is picked.
    std::vector<char> m_litValues;   ///< By ValueId.
    PlanViewport m_view;             ///< Only its steps are used.
    QString m_namePrefix;            ///< That of all inner names; rows leave it out.
    double m_namesShare = 0.35;      ///< Of the width.
    double m_rowHeight = 20;
    double m_scroll = 0; ///< Pixels from the first row to the top of what is seen.
    std::int32_t m_hovered = -1;
};

} // namespace plimsoll::app
