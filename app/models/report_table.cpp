#include "app/models/report_table.h"

#include "core/base/narrow.h"

#include <QCoreApplication>

namespace plimsoll::app {

void ReportTable::setReport(std::shared_ptr<const Report> report)
{
    beginResetModel();
    m_report = std::move(report);
    reportChanged();
    endResetModel();
}

int ReportTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_report ? 0 : static_cast<int>(countRows());
}

int ReportTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : narrow<int>(columns().size());
}

QVariant ReportTable::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const auto row = static_cast<std::size_t>(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return cell(row, index.column()).text;
    case Qt::ToolTipRole: {
        const Cell shown = cell(row, index.column());
        return shown.tip.isEmpty() ? shown.text : shown.tip;
    }
    case Qt::TextAlignmentRole: {
        const bool number = columns()[static_cast<std::size_t>(index.column())].number;
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft)));
    }
    case SortRole: {
        const Cell shown = cell(row, index.column());
        return shown.sort.isValid() ? shown.sort : QVariant(shown.text);
    }
    default:
        return extra(row, role);
    }
}

QVariant ReportTable::extra(std::size_t, int) const
{
    return {};
}

QVariant ReportTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const ColumnInfo& column = columns()[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return QCoreApplication::translate("plimsoll", column.title);
    if (role == Qt::ToolTipRole) return QCoreApplication::translate("plimsoll", column.tip);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (column.number ? Qt::AlignRight : Qt::AlignLeft)));
    return {};
}

} // namespace plimsoll::app
