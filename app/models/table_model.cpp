#include "app/models/table_model.h"

#include "app/models/window_text.h"
#include "core/base/narrow.h"

namespace plimsoll::app {
namespace {

QVariant alignmentOf(const ColumnInfo& column)
{
    const bool number = column.kind == ColumnInfo::Kind::Number;
    return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft)));
}

QVariant sortValue(const Cell& cell)
{
    const SortKey key = sortKey(cell);
    const double* number = std::get_if<double>(&key);
    return number ? QVariant(*number) : QVariant(cellText(cell));
}

} // namespace

TableModel::TableModel(const FactTable& table, QObject* parent) : QAbstractTableModel(parent), m_table(table) {}

void TableModel::setReport(std::shared_ptr<const Report> report, std::shared_ptr<const Report> previous)
{
    beginResetModel();
    m_open.reset();
    m_report = std::move(report);
    m_previous = std::move(previous);
    if (m_report) m_open = m_table.open({*m_report, m_previous.get()});
    endResetModel();
}

Focus TableModel::focusOf(int row) const
{
    return m_open->focus(static_cast<std::size_t>(row));
}

int TableModel::rowOf(const Focus& focus) const
{
    const auto row = m_open ? m_open->rowOf(focus) : std::nullopt;
    return row ? narrow<int>(*row) : -1;
}

QString TableModel::whyEmpty() const
{
    const Message why = m_report && m_table.whyEmpty ? m_table.whyEmpty(*m_report) : Message();
    return why.empty() ? translated(m_table.empty) : windowText(why);
}

std::int64_t TableModel::leftOut() const
{
    return m_report && m_table.leftOut ? static_cast<std::int64_t>(m_table.leftOut(*m_report)) : 0;
}

int TableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_open ? 0 : narrow<int>(m_open->size());
}

int TableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : narrow<int>(m_table.columns.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const auto row = static_cast<std::size_t>(index.row());
    const auto column = static_cast<std::size_t>(index.column());
    if (role == Qt::TextAlignmentRole) return alignmentOf(m_table.columns[column]);
    if (role == LeadsRole) return m_open->leads(row);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != SortRole && role != SeverityRole) return {};
    const Cell cell = m_open->cell(row, column);
    if (role == SortRole) return sortValue(cell);
    if (role == Qt::ToolTipRole) return cellTip(cell);
    if (role == Qt::DisplayRole) return cellText(cell);
    return cell.kind == Cell::Kind::Level ? QVariant(narrow<int>(cell.number)) : QVariant();
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const ColumnInfo& column = m_table.columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return translated(column.title);
    if (role == Qt::ToolTipRole) return translated(column.tip);
    return role == Qt::TextAlignmentRole ? alignmentOf(column) : QVariant();
}

} // namespace plimsoll::app
