#include "app/models/pane_tables.h"
#include "app/models/window_text.h"
#include "core/facts/words/placement_text.h"

#include <QStringList>

#include <array>

namespace plimsoll::app {
namespace {

constexpr std::array<ColumnInfo, StorageTable::ColumnCount> Columns {{
    {QT_TRANSLATE_NOOP("plimsoll", "Storage"), QT_TRANSLATE_NOOP("plimsoll", "One block of bytes")},
    {QT_TRANSLATE_NOOP("plimsoll", "Where"), QT_TRANSLATE_NOOP("plimsoll", "Memory space, or whose bytes they are")},
    {QT_TRANSLATE_NOOP("plimsoll", "Bytes"), QT_TRANSLATE_NOOP("plimsoll", "The most that any of its values requires"),
     true},
    {QT_TRANSLATE_NOOP("plimsoll", "Offset"), QT_TRANSLATE_NOOP("plimsoll", "From the start of the arena"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Steps"), QT_TRANSLATE_NOOP("plimsoll", "When the bytes matter"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Values"), QT_TRANSLATE_NOOP("plimsoll", "How many values lie in it"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Holds"), QT_TRANSLATE_NOOP("plimsoll", "Its values, in order of definition")},
}};

QString where(const Report& report, const Storage& storage)
{
    if (isMadeAhead(report, storage)) return QObject::tr("made ahead of the run");
    if (!storage.arena.valid()) return QObject::tr("caller's bytes");
    return toQString(report.program.map.arenas[storage.arena.index()].space);
}

QString holds(const Report& report, const Storage& storage)
{
    if (storage.scratchOf.valid())
        return QObject::tr("scratchpad of %1").arg(toQString((*report.program.graph)[storage.scratchOf].name));
    QStringList names;
    for (const ValueId value : storage.values) {
        names << toQString((*report.program.graph)[value].name);
        if (names.size() == 12) break;
    }
    if (static_cast<std::size_t>(names.size()) < storage.values.size()) names << QStringLiteral("…");
    return names.join(QStringLiteral(", "));
}

} // namespace

std::span<const ColumnInfo> StorageTable::columns() const
{
    return Columns;
}

std::size_t StorageTable::countRows() const
{
    return report().program.storages.size();
}

Focus StorageTable::focusOf(int row) const
{
    return Focus::on(StorageId(row));
}

int StorageTable::rowOf(const Focus& focus) const
{
    if (!hasReport()) return -1;
    StorageId storage = focus.storage;
    if (!storage.valid() && focus.value.valid() && focus.value.index() < report().program.values.size())
        storage = report().program.values[focus.value.index()].storage;
    return storage.valid() && storage.index() < report().program.storages.size() ? storage.number() : -1;
}

Cell StorageTable::cell(std::size_t row, int column) const
{
    const Storage& storage = report().program.storages[row];
    switch (column) {
    case Name:
        return {storageText(StorageId(row)), static_cast<qint64>(row), {}};
    case Kind:
        return {where(report(), storage), {}, {}};
    case Bytes:
        return {sizeText(storage.bytes), static_cast<qint64>(storage.bytes), exactBytesText(storage.bytes)};
    case Offset:
        if (!storage.arena.valid()) return {QString(), qint64(-1), QObject::tr("not in a planned arena")};
        return {addressText(storage.offset), static_cast<qint64>(storage.offset), exactBytesText(storage.offset)};
    case Steps:
        return {stepsText(storage.live), static_cast<qint64>(storage.live.hull().begin), {}};
    case ValueCount:
        return {countText(static_cast<std::int64_t>(storage.values.size())),
                static_cast<qint64>(storage.values.size()),
                {}};
    case Holds:
        return {holds(report(), storage), {}, {}};
    default:
        return {};
    }
}

QVariant StorageTable::extra(std::size_t row, int role) const
{
    if (role == PlannedRole) return report().program.storages[row].arena.valid();
    return {};
}

} // namespace plimsoll::app
