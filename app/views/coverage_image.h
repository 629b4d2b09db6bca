#pragma once

#include "core/picture/palette.h"

#include <QImage>
#include <QRectF>

#include <cstdint>
#include <vector>

namespace plimsoll::app {

/// Paints rectangles that are too small for outlines: each adds to a pixel as much of its colour as it covers of it. So
/// what is denser is stronger at any zoom, and nothing vanishes: a pixel with even a sliver is seen.
class CoverageImage
{
public:
    /// \p area is what can be seen, in the units of add(); \p scale is device pixels per unit.
    CoverageImage(const QRectF& area, double scale);
    ~CoverageImage();
    CoverageImage(const CoverageImage&) = delete;
    CoverageImage& operator=(const CoverageImage&) = delete;

    void add(const QRectF& rect, Rgb colour);

    [[nodiscard]] bool empty() const { return m_lastRow < m_firstRow; }
    /// Premultiplied, transparent where nothing is; covers the area.
    [[nodiscard]] QImage toImage() const;

private:
    /// Of one pixel, 16 bits each, from the lowest: blue, green, red, each weighted by what is covered, and how much is
    /// covered, in 1/256. No lane runs over, since the weights of a pixel never add up to more than 256: so one
    /// multiplication and one addition serve all four.
    using Pixel = std::uint64_t;
    static std::vector<Pixel>& spareRoom();
    static void addPixel(Pixel& pixel, unsigned weight, Pixel colour);
    [[nodiscard]] bool hasRoom(int x, unsigned width);

    QRectF m_area;
    double m_scale;
    int m_width;
    int m_height;
    int m_firstRow;
    int m_lastRow = -1;
    std::vector<Pixel> m_pixels; ///< Column after column: slivers are tall, since steps are many.
    /// By column: no pixel of it is covered by more, in 1/256; NoRoom once one is full, or nearly.
    std::vector<std::uint16_t> m_most;
    static constexpr std::uint16_t NoRoom = 0xffff;
};

} // namespace plimsoll::app
