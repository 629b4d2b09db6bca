#include "app/views/coverage_image.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::app {
namespace {

constexpr int Full = 256;
/// The least trace that a rectangle leaves, in device pixels along each axis.
constexpr double LeastTrace = 0.25;

} // namespace

CoverageImage::CoverageImage(const QRectF& area, double scale)
    : m_area(area), m_scale(scale), m_width(std::max(1, static_cast<int>(std::ceil(area.width() * scale)))),
      m_height(std::max(1, static_cast<int>(std::ceil(area.height() * scale)))), m_firstRow(m_height)
{
}

void CoverageImage::add(const QRectF& rect, Rgb colour)
{
    double left = (rect.left() - m_area.left()) * m_scale;
    double top = (rect.top() - m_area.top()) * m_scale;
    double right = std::min(std::max((rect.right() - m_area.left()) * m_scale, left + LeastTrace), double(m_width));
    double bottom = std::min(std::max((rect.bottom() - m_area.top()) * m_scale, top + LeastTrace), double(m_height));
    left = std::max(left, 0.0);
    top = std::max(top, 0.0);
    if (left >= right || top >= bottom) return;
    if (m_pixels.empty()) m_pixels.resize(static_cast<std::size_t>(m_width) * static_cast<std::size_t>(m_height));
    const int firstRow = static_cast<int>(top);
    const int lastRow = std::min(static_cast<int>(std::ceil(bottom)), m_height) - 1;
    m_firstRow = std::min(m_firstRow, firstRow);
    m_lastRow = std::max(m_lastRow, lastRow);
    for (int row = firstRow; row <= lastRow; ++row) {
        const double height = std::min(bottom, row + 1.0) - std::max(top, double(row));
        addRow(row, left, right, height, colour);
    }
}

void CoverageImage::addRow(int row, double left, double right, double height, Rgb colour)
{
    Pixel* pixels = m_pixels.data() + static_cast<std::ptrdiff_t>(row) * m_width;
    const int first = static_cast<int>(left);
    const int last = std::min(static_cast<int>(std::ceil(right)), m_width) - 1;
    if (first == last) {
        addPixel(pixels[first], (right - left) * height, colour);
        return;
    }
    addPixel(pixels[first], (first + 1 - left) * height, colour);
    for (int x = first + 1; x < last; ++x)
        addPixel(pixels[x], height, colour);
    addPixel(pixels[last], (right - last) * height, colour);
}

void CoverageImage::addPixel(Pixel& pixel, double share, Rgb colour)
{
    const int room = Full - pixel.covered;
    const int weight = std::min(std::max(1, static_cast<int>(share * Full + 0.5)), room);
    pixel.covered = static_cast<std::uint16_t>(pixel.covered + weight);
    pixel.r = static_cast<std::uint16_t>(pixel.r + weight * colour.r);
    pixel.g = static_cast<std::uint16_t>(pixel.g + weight * colour.g);
    pixel.b = static_cast<std::uint16_t>(pixel.b + weight * colour.b);
}

QImage CoverageImage::toImage() const
{
    QImage image(m_width, m_height, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(m_scale);
    image.fill(Qt::transparent);
    for (int row = m_firstRow; row <= m_lastRow; ++row) {
        const Pixel* from = m_pixels.data() + static_cast<std::ptrdiff_t>(row) * m_width;
        auto* to = reinterpret_cast<QRgb*>(image.scanLine(row));
        for (int x = 0; x < m_width; ++x) {
            const Pixel& p = from[x];
            if (p.covered == 0) continue;
            to[x] = qRgba(p.r / Full, p.g / Full, p.b / Full, std::min(255, int(p.covered)));
        }
    }
    return image;
}

} // namespace plimsoll::app
