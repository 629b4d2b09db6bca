#include "app/models/pane_tables.h"
#include "app/models/window_text.h"

#include <array>

namespace plimsoll::app {
namespace {

constexpr std::array<ColumnInfo, HoleTable::ColumnCount> Columns {{
    {QT_TRANSLATE_NOOP("plimsoll", "Hole"), QT_TRANSLATE_NOOP("plimsoll", "By bytes × steps"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Arena"), QT_TRANSLATE_NOOP("plimsoll", "Memory space")},
    {QT_TRANSLATE_NOOP("plimsoll", "Bytes"), QT_TRANSLATE_NOOP("plimsoll", "Free, with live bytes above"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "From"), QT_TRANSLATE_NOOP("plimsoll", "First byte, from the start of the arena"),
     true},
    {QT_TRANSLATE_NOOP("plimsoll", "To"), QT_TRANSLATE_NOOP("plimsoll", "The byte after its last"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Steps"), QT_TRANSLATE_NOOP("plimsoll", "While they are free"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Bytes × steps"), QT_TRANSLATE_NOOP("plimsoll", "How much could lie there"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Share"),
     QT_TRANSLATE_NOOP("plimsoll", "Of the whole picture of its arena, peak × steps"), true},
}};

/// In byte-steps: "1.2 Mi".
QString areaText(double area)
{
    QString text = sizeText(static_cast<std::int64_t>(std::min(area, 9e18)));
    return text.replace(QStringLiteral("iB"), QStringLiteral("i")).replace(QStringLiteral(" B"), QString());
}

double shareOf(const Report& report, const Hole& hole)
{
    const double whole =
        double(report.program.map.arenas[hole.arena.index()].bytes) * double(report.program.schedule.length());
    return whole > 0 ? hole.area() / whole : 0;
}

} // namespace

std::span<const ColumnInfo> HoleTable::columns() const
{
    return Columns;
}

std::size_t HoleTable::countRows() const
{
    return hasReport() ? report().memory.holes.size() : 0;
}

Focus HoleTable::focusOf(int row) const
{
    Focus focus = Focus::onHole(row);
    focus.step = report().memory.holes[static_cast<std::size_t>(row)].steps.begin;
    return focus;
}

int HoleTable::rowOf(const Focus& focus) const
{
    return focus.hole >= 0 && static_cast<std::size_t>(focus.hole) < countRows() ? focus.hole : -1;
}

Cell HoleTable::cell(std::size_t row, int column) const
{
    const Hole& hole = report().memory.holes[row];
    switch (column) {
    case Rank:
        return {countText(static_cast<std::int64_t>(row) + 1), static_cast<qint64>(row), {}};
    case Arena:
        return {toQString(report().program.map.arenas[hole.arena.index()].space), {}, {}};
    case Bytes:
        return {sizeText(hole.bytes.length()), static_cast<qint64>(hole.bytes.length()),
                exactBytesText(hole.bytes.length())};
    case From:
        return {addressText(hole.bytes.begin), static_cast<qint64>(hole.bytes.begin), exactBytesText(hole.bytes.begin)};
    case To:
        return {addressText(hole.bytes.end), static_cast<qint64>(hole.bytes.end), exactBytesText(hole.bytes.end)};
    case Steps:
        return {stepsText(hole.steps), static_cast<qint64>(hole.steps.begin), {}};
    case Area:
        return {areaText(hole.area()), hole.area(), QString::number(hole.area(), 'f', 0)};
    case Share:
        return {percentText(shareOf(report(), hole)), shareOf(report(), hole), {}};
    default:
        return {};
    }
}

} // namespace plimsoll::app
