#include "app/models/bytes_model.h"

#include "app/models/table_model.h"
#include "app/models/window_text.h"
#include "core/base/narrow.h"

#include <algorithm>

namespace plimsoll::app {

void BytesModel::show(Shown shown)
{
    beginResetModel();
    m_shown = std::move(shown);
    endResetModel();
}

int BytesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : narrow<int>(std::min(m_shown.bytes.lines(), MostLines));
}

int BytesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : Columns;
}

QString BytesModel::ownerText(const ShownBytes::Line& line) const
{
    const HeldBytes& held = m_shown.bytes.pieces()[line.piece];
    const Graph& graph = *m_shown.program->graph;
    const RecordedContent* content = m_shown.bytes.contentOf(line);
    if (!held.written()) return tr("nobody: nothing written yet");
    const QString owner = content ? toQString(graph[content->value].name)
                                  : tr("scratchpad of %1").arg(toQString(graph[held.scratchOf].name));
    return m_shown.bytes.isDead(held) ? tr("nobody any more, last %1").arg(owner) : owner;
}

QString BytesModel::text(const ShownBytes::Line& line, int column) const
{
    const HeldBytes& held = m_shown.bytes.pieces()[line.piece];
    switch (column) {
    case Address:
        return addressText(line.bytes.begin);
    case Owner:
        return ownerText(line);
    case Written: {
        const RecordedContent* content = m_shown.bytes.contentOf(line);
        if (content && content->given) return tr("given");
        return held.written() ? countText(m_shown.record->moments[held.moment].step) : QString();
    }
    case Bytes:
        return toQString(m_shown.bytes.hexText(line));
    default:
        break;
    }
    const RecordedContent* content = m_shown.bytes.contentOf(line);
    return content && !content->at ? tr("not kept") : toQString(m_shown.bytes.elementsText(line));
}

QVariant BytesModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const ShownBytes::Line line = m_shown.bytes.line(index.row());
    if (role == Qt::DisplayRole) return text(line, index.column());
    if (role == Qt::ToolTipRole && index.column() >= Owner) return text(line, index.column());
    if (role == SeverityRole && index.column() == Elements && m_shown.bytes.hasNonFinite(line))
        return narrow<int>(static_cast<int>(Severity::Error));
    if (role == StorageRole && index.column() == Owner) {
        const RecordedContent* content = m_shown.bytes.contentOf(line);
        if (!content) return {};
        const StorageId storage = m_shown.program->values[content->value.index()].storage;
        return storage.valid() ? QVariant(storage.number()) : QVariant();
    }
    return {};
}

QVariant BytesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Address:
        return tr("Address");
    case Owner:
        return tr("Whose");
    case Written:
        return tr("Step");
    case Elements:
        return tr("Elements");
    case Bytes:
        return tr("Bytes");
    default:
        return {};
    }
}

} // namespace plimsoll::app
