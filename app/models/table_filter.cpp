#include "app/models/table_filter.h"

#include "app/models/table_model.h"
#include "core/base/bytes.h"

#include <QRegularExpression>

#include <algorithm>

namespace plimsoll::app {

TableFilter::TableFilter(QObject* parent) : QSortFilterProxyModel(parent)
{
    setSortRole(SortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
}

void TableFilter::setText(const QString& text)
{
    if (text == m_text) return;
    m_text = text;
    m_words.clear();
    m_comparisons.clear();
    m_complaint.clear();
    for (const QString& word : text.split(u' ', Qt::SkipEmptyParts)) {
        if (!parse(word)) m_words << word;
    }
    invalidateFilter();
}

bool TableFilter::parse(const QString& word)
{
    static const QRegularExpression pattern(QStringLiteral("^([A-Za-z]+)(<=|>=|!=|<|>|=)(.+)$"));
    const QRegularExpressionMatch match = pattern.match(word);
    if (!match.hasMatch()) return false;
    Comparison comparison {columnNamed(match.captured(1)), match.captured(2), match.captured(3)};
    if (comparison.column < 0) return false;
    if (const auto bytes = parseBytes(comparison.text.toStdString())) {
        comparison.number = *bytes;
        comparison.numeric = true;
    }
    const bool ordered = comparison.operation.startsWith(u'<') || comparison.operation.startsWith(u'>');
    if (ordered && !comparison.numeric && isNumber(comparison.column)) {
        m_complaint = tr("not a number: %1").arg(comparison.text);
        return true; // as if it were not there
    }
    m_comparisons.push_back(comparison);
    return true;
}

bool TableFilter::isNumber(int column) const
{
    const QVariant alignment = sourceModel()->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole);
    return alignment.value<Qt::Alignment>().testFlag(Qt::AlignRight);
}

bool TableFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    if (left.column() == m_plannedFirst) {
        const bool leftPlanned = left.data(LeadsRole).toBool();
        const bool rightPlanned = right.data(LeadsRole).toBool();
        if (leftPlanned != rightPlanned) return sortOrder() == Qt::AscendingOrder ? leftPlanned : rightPlanned;
    }
    return QSortFilterProxyModel::lessThan(left, right);
}

int TableFilter::columnNamed(const QString& name) const
{
    for (int column = 0; sourceModel() && column < sourceModel()->columnCount(); ++column) {
        const QString title = sourceModel()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        if (title.startsWith(name, Qt::CaseInsensitive)) return column;
    }
    return -1;
}

bool TableFilter::holds(const Comparison& comparison, int row) const
{
    const QModelIndex index = sourceModel()->index(row, comparison.column);
    const QVariant value = index.data(SortRole);
    int order = 0;
    if (comparison.numeric && value.typeId() != QMetaType::QString) {
        const qint64 number = value.toLongLong();
        order = number < comparison.number ? -1 : number > comparison.number ? 1 : 0;
    } else {
        order = QString::compare(index.data().toString(), comparison.text, Qt::CaseInsensitive);
    }
    const bool equalAllowed = comparison.operation.contains(u'=');
    if (comparison.operation == QStringLiteral("!=")) return order != 0;
    if (order == 0) return equalAllowed;
    return comparison.operation.startsWith(order < 0 ? u'<' : u'>');
}

bool TableFilter::filterAcceptsRow(int row, const QModelIndex&) const
{
    const bool compared = std::all_of(m_comparisons.begin(), m_comparisons.end(),
                                      [&](const Comparison& comparison) { return holds(comparison, row); });
    if (!compared || m_words.isEmpty()) return compared;
    QString all;
    for (int column = 0; column < sourceModel()->columnCount(); ++column)
        all += sourceModel()->index(row, column).data().toString() + u'\n';
    return std::all_of(m_words.begin(), m_words.end(),
                       [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

} // namespace plimsoll::app
