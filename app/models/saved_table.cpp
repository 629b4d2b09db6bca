#include "app/models/pane_tables.h"
#include "app/models/window_text.h"

#include <QStringList>

#include <array>

namespace plimsoll::app {
namespace {

constexpr std::array<ColumnInfo, SavedTable::ColumnCount> Columns {{
    {QT_TRANSLATE_NOOP("plimsoll", "Tensor"), QT_TRANSLATE_NOOP("plimsoll", "What is kept from forward to backward")},
    {QT_TRANSLATE_NOOP("plimsoll", "Bytes"),
     QT_TRANSLATE_NOOP("plimsoll", "Of its own; 0 for what the caller holds anyway"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Held"), QT_TRANSLATE_NOOP("plimsoll", "Of all that it is a part of"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Saved by"), QT_TRANSLATE_NOOP("plimsoll", "The node whose derivative names it")},
    {QT_TRANSLATE_NOOP("plimsoll", "Read by"), QT_TRANSLATE_NOOP("plimsoll", "The backward node")},
    {QT_TRANSLATE_NOOP("plimsoll", "Needed for"), QT_TRANSLATE_NOOP("plimsoll", "Whose gradients read it")},
    {QT_TRANSLATE_NOOP("plimsoll", "Reason"), QT_TRANSLATE_NOOP("plimsoll", "Why it is kept")},
    {QT_TRANSLATE_NOOP("plimsoll", "Donation"), QT_TRANSLATE_NOOP("plimsoll", "May backward write over it")},
}};

QString neededFor(const Report& report, const SavedTensor& saved)
{
    if (saved.neededFor.empty()) return QObject::tr("nothing");
    QStringList names;
    for (const ValueId value : saved.neededFor)
        names << toQString((*report.program.graph)[value].name);
    return names.join(QStringLiteral(", "));
}

} // namespace

std::span<const ColumnInfo> SavedTable::columns() const
{
    return Columns;
}

std::size_t SavedTable::countRows() const
{
    return report().training.saved.size();
}

Focus SavedTable::focusOf(int row) const
{
    return Focus::on(report().training.saved[static_cast<std::size_t>(row)].tensor.value);
}

int SavedTable::rowOf(const Focus& focus) const
{
    if (!hasReport() || !focus.value.valid()) return -1;
    for (std::size_t row = 0; row < report().training.saved.size(); ++row) {
        if (report().training.saved[row].tensor.value == focus.value) return static_cast<int>(row);
    }
    return -1;
}

Cell SavedTable::cell(std::size_t row, int column) const
{
    const SavedReport& saved = report().training.saved[row];
    const Graph& graph = *report().program.graph;
    switch (column) {
    case Name:
        return {toQString(graph[saved.tensor.value].name), {}, {}};
    case Bytes:
        return {sizeText(saved.bytes), static_cast<qint64>(saved.bytes), exactBytesText(saved.bytes)};
    case Held:
        return {sizeText(saved.heldBytes), static_cast<qint64>(saved.heldBytes), exactBytesText(saved.heldBytes)};
    case SavedBy:
        return {toQString(graph[saved.tensor.savedBy].name), {}, {}};
    case ReadBy:
        return {toQString(graph[saved.tensor.readBy].name), {}, {}};
    case NeededFor:
        return {neededFor(report(), saved.tensor), {}, {}};
    case Reason:
        return {toQString(savingReasonId(saved.tensor.reason)), {}, {}};
    case Donated:
        return {toQString(donationId(saved.donation)), {}, {}};
    default:
        return {};
    }
}

QVariant SavedTable::extra(std::size_t row, int role) const
{
    if (role == PlannedRole) return report().training.saved[row].bytes > 0;
    return {};
}

} // namespace plimsoll::app
