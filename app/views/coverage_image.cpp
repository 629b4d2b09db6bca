#include "app/views/coverage_image.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plimsoll::app {
namespace {

constexpr unsigned Full = 256;
/// The least trace that a rectangle leaves, in device pixels: so wide, and so high.
constexpr double LeastWidth = 0.25;
constexpr double LeastHeight = 2;
constexpr int TurnedAtOnce = 16;
/// Of a pixel that is covered at all, in 1/256: less of a light colour is not seen on white.
constexpr unsigned Faintest = 128;

/// That so much reaches into; edges between pixels are not always exact.
int pixels(double length)
{
    constexpr double Inexact = 1e-6;
    return std::max(1, static_cast<int>(std::ceil(length - Inexact)));
}

/// By what is covered: what the weighted colours are multiplied by, in 2^-24, to be those of a pixel.
std::array<std::uint32_t, Full + 1> strengths()
{
    std::array<std::uint32_t, Full + 1> all {};
    for (unsigned covered = 1; covered <= Full; ++covered)
        all[covered] = ((Faintest * Full + (Full - Faintest) * covered) << 8) / covered;
    return all;
}

} // namespace

CoverageImage::CoverageImage(const QRectF& area, double scale)
    : m_area(area), m_scale(scale), m_width(pixels(area.width() * scale)), m_height(pixels(area.height() * scale)),
      m_firstRow(m_height)
{
}

CoverageImage::~CoverageImage()
{
    if (!m_pixels.empty()) spareRoom() = std::move(m_pixels);
}

/// Room of the frame before: to ask the system for megabytes anew costs more than to paint them.
std::vector<CoverageImage::Pixel>& CoverageImage::spareRoom()
{
    static thread_local std::vector<Pixel> spare;
    return spare;
}

void CoverageImage::add(const QRectF& rect, Rgb colour)
{
    if (rect.top() >= m_area.bottom() || rect.bottom() <= m_area.top()) return;
    double left = (rect.left() - m_area.left()) * m_scale;
    double right = std::min(std::max((rect.right() - m_area.left()) * m_scale, left + LeastWidth), double(m_width));
    double top = (rect.top() - m_area.top()) * m_scale;
    double bottom = (rect.bottom() - m_area.top()) * m_scale;
    const double lacks = std::max(0.0, LeastHeight - (bottom - top));
    bottom = std::min(bottom + lacks / 2, double(m_height));
    if (lacks > 0) top = std::min(top, bottom - LeastHeight);
    left = std::max(left, 0.0);
    top = std::max(top, 0.0);
    if (left >= right || top >= bottom) return;
    if (m_pixels.empty()) {
        m_pixels = std::move(spareRoom());
        m_pixels.assign(static_cast<std::size_t>(m_width) * static_cast<std::size_t>(m_height), {});
        m_most.assign(static_cast<std::size_t>(m_width), 0);
    }
    const auto part = [](double share) { return static_cast<unsigned>(share * Full + 0.5); };
    const int firstRow = static_cast<int>(top);
    const int lastRow = std::min(static_cast<int>(std::ceil(bottom)), m_height) - 1;
    const unsigned firstWeight = part(std::min(bottom, firstRow + 1.0) - top);
    const unsigned lastWeight = part(bottom - lastRow);
    m_firstRow = std::min(m_firstRow, firstRow);
    m_lastRow = std::max(m_lastRow, lastRow);
    const Pixel packed = Pixel {colour.b} | Pixel {colour.g} << 16 | Pixel {colour.r} << 32 | Pixel {1} << 48;
    const int first = static_cast<int>(left);
    const int last = std::min(static_cast<int>(std::ceil(right)), m_width) - 1;
    Pixel* column = m_pixels.data() + static_cast<std::ptrdiff_t>(first) * m_height;
    for (int x = first; x <= last; ++x, column += m_height) {
        const bool whole = x > first && x < last;
        const unsigned share = whole ? Full : part(std::min(right, x + 1.0) - std::max(left, double(x)));
        const unsigned width = std::max(1U, share);
        const bool room = hasRoom(x, width);
        addPixel(column[firstRow], firstWeight * width / Full, packed);
        if (firstRow == lastRow) continue;
        for (int y = firstRow + 1; room && y < lastRow; ++y) // most of all there is to do, so as little as can be
            column[y] += width * packed;
        for (int y = firstRow + 1; !room && y < lastRow; ++y)
            addPixel(column[y], width, packed);
        addPixel(column[lastRow], lastWeight * width / Full, packed);
    }
}

/// Whether no pixel of the column gets more than it can hold by so much. What is known of it is a bound, which is made
/// exact when it is reached.
bool CoverageImage::hasRoom(int x, unsigned width)
{
    std::uint16_t& most = m_most[static_cast<std::size_t>(x)];
    if (most == NoRoom) return false;
    if (most + width > Full) {
        const Pixel* column = m_pixels.data() + static_cast<std::ptrdiff_t>(x) * m_height;
        most = static_cast<std::uint16_t>(*std::max_element(column, column + m_height) >> 48);
    }
    most = most + width > Full ? NoRoom : static_cast<std::uint16_t>(most + width);
    return most != NoRoom;
}

void CoverageImage::addPixel(Pixel& pixel, unsigned weight, Pixel colour)
{
    const auto covered = static_cast<unsigned>(pixel >> 48);
    pixel += std::min(std::max(1U, weight), Full - covered) * colour;
}

QImage CoverageImage::toImage() const
{
    QImage image(m_width, m_height, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(m_scale);
    image.fill(Qt::transparent);
    static const std::array<std::uint32_t, Full + 1> strength = strengths();
    for (int block = 0; block < m_width; block += TurnedAtOnce) { // from columns to rows, a cache line at a time
        const int end = std::min(block + TurnedAtOnce, m_width);
        for (int row = m_firstRow; row <= m_lastRow; ++row) {
            const Pixel* from = m_pixels.data() + static_cast<std::ptrdiff_t>(block) * m_height + row;
            auto* to = reinterpret_cast<QRgb*>(image.scanLine(row));
            for (int x = block; x < end; ++x, from += m_height) {
                const Pixel covered = *from >> 48;
                if (covered == 0) continue;
                const Pixel by = strength[covered];
                const auto lane = [&](int shift) { return (*from >> shift & 0xffff) * by >> 24; };
                const Pixel alpha = std::min<Pixel>(255, covered * by >> 16);
                to[x] = static_cast<QRgb>(alpha << 24 | lane(32) << 16 | lane(16) << 8 | lane(0));
            }
        }
    }
    return image;
}

} // namespace plimsoll::app
