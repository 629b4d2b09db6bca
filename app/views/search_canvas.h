#pragma once

#include "app/views/canvas.h"
#include "core/picture/search_axes.h"

namespace plimsoll::app {

/// Where the plot of a search is, and what its axes span.
struct SearchPlot : SearchAxes
{
    QRectF area; ///< Pixels, without axes.

    [[nodiscard]] double xOf(double seconds) const;
    [[nodiscard]] double yOf(double bytes) const;
    [[nodiscard]] double secondsAt(double x) const;
};
[[nodiscard]] SearchPlot plotOf(const SearchRecord& record, double elapsedSeconds, const QRectF& area,
                                const Style& style);

/// How a search got on: its best plan and what it has proved, over time.
class SearchCanvas : public Canvas
{
    Q_OBJECT

public:
    explicit SearchCanvas(QWidget* parent = nullptr);

    /// Null: there was no search. \p elapsedSeconds is later than the last entry while it goes on.
    void setRecord(std::shared_ptr<const SearchRecord> record, double elapsedSeconds);
    [[nodiscard]] const SearchRecord* record() const { return m_record.get(); }

    void paint(QPainter& painter, const QRectF& area, const Style& style) override;
    void fit() override {}
    bool frameSelection() override { return false; }

protected:
    void reportChanged() override {}
    void paintPointer(QPainter& painter) override;
    void hoverAt(QPointF at) override;
    void pointerLeft() override { m_pointer.reset(); }

private:
    [[nodiscard]] QStringList tipFor(const Incumbent& entry) const;

    std::shared_ptr<const SearchRecord> m_record;
    double m_elapsed = 0;
    std::optional<QPointF> m_pointer;
};

} // namespace plimsoll::app
