#include "app/models/change_table.h"

#include "app/models/window_text.h"
#include "core/base/narrow.h"

#include <algorithm>
#include <array>

namespace plimsoll::app {
namespace {

constexpr std::array<ColumnInfo, ChangeTable::ColumnCount> Columns {{
    {QT_TRANSLATE_NOOP("plimsoll", "Value"),
     QT_TRANSLATE_NOOP("plimsoll", "What is alive longer or shorter, or lies elsewhere")},
    {QT_TRANSLATE_NOOP("plimsoll", "Bytes"), QT_TRANSLATE_NOOP("plimsoll", "That it takes"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Before"), QT_TRANSLATE_NOOP("plimsoll", "Its steps under the choices before")},
    {QT_TRANSLATE_NOOP("plimsoll", "Now"), QT_TRANSLATE_NOOP("plimsoll", "Its steps under those of now")},
    {QT_TRANSLATE_NOOP("plimsoll", "At the peak"),
     QT_TRANSLATE_NOOP("plimsoll", "How many of its bytes more are alive in the arena at its fullest step"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Place"), QT_TRANSLATE_NOOP("plimsoll", "Where it lay before, and where it lies")},
    {QT_TRANSLATE_NOOP("plimsoll", "Reason"),
     QT_TRANSLATE_NOOP("plimsoll", "Why it is kept for backward, was, or lies elsewhere")},
}};

QString signedBytes(std::int64_t change)
{
    if (change == 0) return sizeText(0);
    return (change > 0 ? QStringLiteral("+") : QStringLiteral("−")) + sizeText(change > 0 ? change : -change);
}

Cell stepsCell(const LiveRanges& live)
{
    if (live.empty()) return {QObject::tr("none"), static_cast<qint64>(-1), {}};
    return {stepsText(live), static_cast<qint64>(live.hull().begin), {}};
}

QString placesText(const RangeChange& change)
{
    const auto place = [](const std::string& name) { return name.empty() ? QObject::tr("none") : toQString(name); };
    if (change.beforePlace == change.afterPlace) return place(change.afterPlace);
    return QStringLiteral("%1 → %2").arg(place(change.beforePlace), place(change.afterPlace));
}

} // namespace

std::span<const ColumnInfo> ChangeTable::columns() const
{
    return Columns;
}

void ChangeTable::reportChanged()
{
    m_changes.clear();
    if (m_previous && hasReport()) m_changes = changedRanges(*m_previous, report());
}

std::size_t ChangeTable::countRows() const
{
    return hasReport() ? m_changes.size() : 0;
}

/// Nothing for a value that is no more.
Focus ChangeTable::focusOf(int row) const
{
    return Focus::on(findValue(*report().program.graph, m_changes[static_cast<std::size_t>(row)].value));
}

int ChangeTable::rowOf(const Focus& focus) const
{
    if (!hasReport() || !focus.value.valid()) return -1;
    const std::string& name = (*report().program.graph)[focus.value].name;
    const auto found = std::find_if(m_changes.begin(), m_changes.end(),
                                    [&](const RangeChange& change) { return change.value == name; });
    return found == m_changes.end() ? -1 : narrow<int>(found - m_changes.begin());
}

Cell ChangeTable::cell(std::size_t row, int column) const
{
    const RangeChange& change = m_changes[row];
    const std::int64_t peak = change.afterPeak - change.beforePeak;
    switch (column) {
    case Name:
        return {toQString(change.value), {}, {}};
    case Bytes:
        return {sizeText(change.bytes), static_cast<qint64>(change.bytes), exactBytesText(change.bytes)};
    case Before:
        return stepsCell(change.before);
    case After:
        return stepsCell(change.after);
    case Peak:
        return {signedBytes(peak), static_cast<qint64>(peak), {}};
    case Place:
        return {placesText(change), {}, {}};
    case Reason:
        return {toQString(change.reason), {}, {}};
    default:
        return {};
    }
}

} // namespace plimsoll::app
