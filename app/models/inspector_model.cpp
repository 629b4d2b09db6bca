#include "app/models/inspector_model.h"

#include "app/models/table_model.h"
#include "app/models/window_text.h"
#include "core/base/narrow.h"

namespace plimsoll::app {

// The internal id of an index is 0 for a section, and 1 + its section for a fact.

InspectorFacts inspectorFacts(const Report* report, const Focus& focus)
{
    if (!report) return {};
    return {translated(focusKind(focus)), toQString(focusTitle(*report, focus, numberForm())),
            sectionsAbout(*report, focus, MostFacts, numberForm())};
}

InspectorFacts inspectorFacts(const Report& report, const NodeGroup& group)
{
    return {translated("group"), toQString(group.name), groupSections(report, group, MostFacts, numberForm())};
}

void InspectorModel::show(InspectorFacts facts)
{
    beginResetModel();
    m_facts = std::move(facts);
    endResetModel();
}

const Fact* InspectorModel::factAt(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == 0) return nullptr;
    return &m_facts.sections[index.internalId() - 1].facts[static_cast<std::size_t>(index.row())];
}

Focus InspectorModel::linkOf(const QModelIndex& index) const
{
    const Fact* fact = factAt(index);
    return fact ? fact->cell.link : Focus();
}

QString InspectorModel::asText() const
{
    return toQString(sectionsText((m_facts.kind + u' ' + m_facts.title).toStdString(), m_facts.sections,
                                  [](const Cell& cell) { return cellText(cell).toStdString(); }));
}

QString InspectorModel::exactText(const QModelIndex& index) const
{
    const Fact* fact = factAt(index);
    return fact ? toQString(fact->name) + u'\t' + toQString(plainText(fact->cell)) : QString();
}

QModelIndex InspectorModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : quintptr(0));
}

QModelIndex InspectorModel::parent(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == 0) return {};
    return createIndex(static_cast<int>(index.internalId()) - 1, 0, quintptr(0));
}

int InspectorModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid()) return narrow<int>(m_facts.sections.size());
    if (parent.internalId() != 0 || parent.column() != 0) return 0;
    return narrow<int>(m_facts.sections[static_cast<std::size_t>(parent.row())].facts.size());
}

int InspectorModel::columnCount(const QModelIndex&) const
{
    return 2;
}

QVariant InspectorModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    const Fact* fact = factAt(index);
    if (!fact) {
        const bool shown = index.column() == 0 && role == Qt::DisplayRole;
        return shown ? QVariant(translated(m_facts.sections[static_cast<std::size_t>(index.row())].title)) : QVariant();
    }
    if (role == Qt::DisplayRole) return index.column() == 0 ? translated(fact->name) : labelText(cellText(fact->cell));
    if (role == Qt::ToolTipRole) return cellTip(fact->cell);
    const StorageId storage = fact->cell.link.storage;
    if (role == StorageRole && index.column() == 1 && storage.valid()) return storage.number();
    return {};
}

} // namespace plimsoll::app
