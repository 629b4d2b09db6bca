#include "app/models/pane_tables.h"
#include "app/models/window_text.h"
#include "core/facts/words/strided_view.h"

#include <array>

namespace plimsoll::app {
namespace {

constexpr std::array<ColumnInfo, ValueTable::ColumnCount> Columns {{
    {QT_TRANSLATE_NOOP("plimsoll", "Value"), QT_TRANSLATE_NOOP("plimsoll", "A tensor that is produced once")},
    {QT_TRANSLATE_NOOP("plimsoll", "Type"), QT_TRANSLATE_NOOP("plimsoll", "Element type and shape")},
    {QT_TRANSLATE_NOOP("plimsoll", "Role"), QT_TRANSLATE_NOOP("plimsoll", "What it is to the graph")},
    {QT_TRANSLATE_NOOP("plimsoll", "Storage"), QT_TRANSLATE_NOOP("plimsoll", "The block of bytes it lies in"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Logical"), QT_TRANSLATE_NOOP("plimsoll", "Bytes of a tensor of that type"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Required"), QT_TRANSLATE_NOOP("plimsoll", "Bytes that the implementation asks for"),
     true},
    {QT_TRANSLATE_NOOP("plimsoll", "Offset"), QT_TRANSLATE_NOOP("plimsoll", "From the start of its arena"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Steps"), QT_TRANSLATE_NOOP("plimsoll", "When its bytes matter"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Shares"), QT_TRANSLATE_NOOP("plimsoll", "How it came to share its storage")},
    {QT_TRANSLATE_NOOP("plimsoll", "Written by"), QT_TRANSLATE_NOOP("plimsoll", "The node that produces it")},
    {QT_TRANSLATE_NOOP("plimsoll", "Layout"),
     QT_TRANSLATE_NOOP("plimsoll", "How its elements lie; plain is row-major")},
}};

} // namespace

std::span<const ColumnInfo> ValueTable::columns() const
{
    return Columns;
}

std::size_t ValueTable::countRows() const
{
    return std::min(report().program.values.size(), report().program.graph->values.size());
}

Focus ValueTable::focusOf(int row) const
{
    return Focus::on(ValueId(row));
}

int ValueTable::rowOf(const Focus& focus) const
{
    return focus.value.valid() && focus.value.number() < rowCount() ? focus.value.number() : -1;
}

Cell ValueTable::cell(std::size_t row, int column) const
{
    const Value& value = report().program.graph->values[row];
    const PlannedValue& planned = report().program.values[row];
    const bool placed = planned.storage.valid() && report().program.storages[planned.storage.index()].arena.valid();
    switch (column) {
    case Name:
        return {toQString(value.name), {}, {}};
    case Type:
        return {toQString(describe(value.type)), {}, {}};
    case Layout: {
        const std::string_view layout =
            layoutOf(*report().program.graph, report().program.implementations, ValueId(row));
        const std::string text =
            layout == PlainLayout ? stridesText(*report().program.graph, ValueId(row)) : std::string(layout);
        return {toQString(text), {}, text.empty() ? QObject::tr("plain") : QString()};
    }
    case Role:
        return {
            planned.visible && value.role != ValueRole::Input ? QObject::tr("output") : roleText(value.role), {}, {}};
    case InStorage:
        if (value.fusedInto.valid()) return {QObject::tr("fused"), qint64(-1), whereText(report(), ValueId(row))};
        return {storageText(planned.storage), static_cast<qint64>(planned.storage.number()),
                whereText(report(), ValueId(row))};
    case Logical:
        return {sizeText(planned.logicalBytes), qint64(planned.logicalBytes), exactBytesText(planned.logicalBytes)};
    case Required:
        return {sizeText(planned.requiredBytes), qint64(planned.requiredBytes), exactBytesText(planned.requiredBytes)};
    case Offset:
        if (!placed) return {QString(), qint64(-1), whereText(report(), ValueId(row))};
        return {addressText(planned.offset), qint64(planned.offset), exactBytesText(planned.offset)};
    case Steps:
        return {stepsText(planned.live), qint64(planned.live.hull().begin), {}};
    case Shared:
        return {planned.shared ? aliasText(planned.sharedAs) : QString(), {}, {}};
    case Producer:
        return {value.producer.valid() ? toQString((*report().program.graph)[value.producer].name) : QString(), {}, {}};
    default:
        return {};
    }
}

QVariant ValueTable::extra(std::size_t row, int role) const
{
    if (role != PlannedRole) return {};
    const StorageId storage = report().program.values[row].storage;
    return storage.valid() && report().program.storages[storage.index()].arena.valid();
}

} // namespace plimsoll::app
