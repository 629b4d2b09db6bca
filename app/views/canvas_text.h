#pragma once

#include "app/views/style.h"

#include <QHash>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <string>
#include <vector>

class QFontMetricsF;
class QPainter;

namespace plimsoll {
struct Graph;
}

namespace plimsoll::app {

/// A multiple of 1, 2 or 5 times a power of ten (for bytes: a power of two) such that labels are \p pixels apart.
[[nodiscard]] double stepTick(double unitsPerPixel, double pixels);
[[nodiscard]] double byteTick(double unitsPerPixel, double pixels);
/// The same in milliseconds, down to their millionths.
[[nodiscard]] double timeTick(double msPerPixel, double pixels);

/// How much of the beginning, up to a '/' or '.', all names have in common; labels leave it out.
[[nodiscard]] std::size_t commonPrefix(const std::vector<std::string>& names);

/// That of the inner values of a graph, of which there are many.
[[nodiscard]] QString commonPrefix(const Graph& graph);
[[nodiscard]] QString without(const QString& prefix, const QString& name);

/// By which of their last parts inner values of a graph are told apart. Empty for a graph of very many.
struct NameEndings
{
    QHash<QString, int> values;  ///< By the last parts of their names, one and two: "Relu6", "Conv2d_1/Relu6".
    QHash<QString, int> holders; ///< By the part before the last: "Conv2d_1".
};
[[nodiscard]] NameEndings nameEndings(const Graph& graph);
/// The last part of a name; with the one before it where others end alike, or that alone where it is of one value only.
[[nodiscard]] QString tellingEnd(const NameEndings& endings, const QString& name);

/// Words to their first letter and number, from the left, until they fit: "layer_norm_12", "l_norm_12", "l_n_12". Empty
/// if they never do.
[[nodiscard]] QString wordInitials(QString text, const QFontMetricsF& metrics, double width);

/// Shortened, with the end kept, since names of layers differ there: "block0.conv.act", "b0.conv.act", "b0.c.act"; what
/// has no parts, or too many, in the middle. Empty when not even a letter fits.
[[nodiscard]] QString shortened(const QString& whole, const QFontMetricsF& metrics, double width);

/// Centred grey sentences: why there is nothing to see, and what would change that.
void paintEmpty(QPainter& painter, const QRectF& area, const QString& text, const Style& style);

/// A small note beside \p at that stays inside \p bounds; the first line is bold.
void paintTip(QPainter& painter, QPointF at, const QRectF& bounds, QStringList lines, const Style& style);

/// The ring around the canvas that has the keyboard.
void paintFocusRing(QPainter& painter, const QRectF& area, const Style& style);

} // namespace plimsoll::app
