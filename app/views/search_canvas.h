#pragma once

#include "app/views/point_canvas.h"
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

/// How a search got on: its best plan and what it has proved, over time. The points are the plans that it found.
class SearchCanvas : public PointCanvas
{
    Q_OBJECT

public:
    explicit SearchCanvas(QWidget* parent = nullptr);

    /// Null: there was no search. \p elapsedSeconds is later than the last entry while it goes on.
    void setRecord(std::shared_ptr<const SearchRecord> record, double elapsedSeconds);
    [[nodiscard]] const SearchRecord* record() const { return m_record.get(); }

    void paint(QPainter& painter, const QRectF& area, const Style& style) override;

protected:
    [[nodiscard]] std::vector<std::optional<QPointF>> places() const override;
    [[nodiscard]] int pointNear(QPointF at) const override;
    [[nodiscard]] QStringList tipOf(std::size_t point) const override;
    [[nodiscard]] QString whatItIs() const override;

private:
    std::shared_ptr<const SearchRecord> m_record;
    double m_elapsed = 0;
};

} // namespace plimsoll::app
