#include "app/models/table_model.h"

#include "app/models/large_report.h"
#include "app/models/window_text.h"
#include "app/session/job_runner.h"
#include "app/session/job_tag.h"
#include "core/base/narrow.h"

#include <algorithm>

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

std::string shownText(const Cell& cell)
{
    return cellText(cell).toStdString();
}

std::shared_ptr<const OpenTable> open(const FactTable& table, const std::shared_ptr<const Report>& report,
                                      const std::shared_ptr<const Report>& previous,
                                      const std::shared_ptr<const PlanMatches>& matches)
{
    struct Opened
    {
        std::shared_ptr<const Report> report;
        std::shared_ptr<const Report> previous;
        std::shared_ptr<const PlanMatches> matches;
        std::unique_ptr<OpenTable> table;
    };
    if (!report) return nullptr;
    const auto opened = std::make_shared<Opened>(report, previous, matches, nullptr);
    Plans plans(*report, previous.get());
    plans.matches = matches.get();
    opened->table = table.open(plans);
    return {opened, opened->table.get()};
}

} // namespace

TableModel::TableModel(const FactTable& table, JobRunner* worker, QObject* parent)
    : QAbstractTableModel(parent), m_table(table), m_worker(worker)
{
}

void TableModel::setReport(std::shared_ptr<const Report> report, std::shared_ptr<const Report> previous,
                           std::shared_ptr<const PlanMatches> matches)
{
    m_shown = {std::move(report), std::move(previous), std::move(matches)};
    m_stale = true;
    find();
}

void TableModel::setFilter(const QString& text)
{
    m_query.filter = readRowFilter(text.toStdString(), m_table);
    find();
}

void TableModel::sort(int column, Qt::SortOrder order)
{
    m_query.sortedBy = column < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(column));
    m_query.falling = order == Qt::DescendingOrder;
    m_query.leadersFirst = column >= 0 && column == m_table.sortedBy;
    find();
}

void TableModel::find()
{
    const auto work = [table = &m_table, opened = m_stale ? nullptr : m_rows.table,
                       used = m_stale ? std::vector<bool>() : m_rows.used, shown = m_shown,
                       query = m_query](const Context& context) {
        Rows rows {opened ? opened : open(*table, shown.report, shown.previous, shown.matches), used, {}};
        if (!rows.table) return rows;
        const std::size_t columns = table->columns.size();
        if (rows.used.empty()) rows.used = usedColumns(*rows.table, columns, shownText);
        rows.order = pickRows(query, *rows.table, columns, shownText, context.stop);
        return rows;
    };
    const QString tag = JobTag::table(toQString(m_table.id));
    if (m_worker && m_shown.report && isLarge(*m_shown.report))
        return m_worker->start(tag, {}, work, [this](Rows rows) { show(std::move(rows)); });
    if (m_worker) m_worker->cancel(tag);
    show(work({}));
}

void TableModel::show(Rows rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    m_stale = false;
    endResetModel();
}

QString TableModel::complaint() const
{
    return windowText(m_query.filter.complaint);
}

int TableModel::placeInTable(int row) const
{
    return narrow<int>(m_rows.order[static_cast<std::size_t>(row)]);
}

int TableModel::rowAt(int placeInTable) const
{
    const auto found = std::ranges::find(m_rows.order, static_cast<std::uint32_t>(placeInTable));
    return placeInTable < 0 || found == m_rows.order.end() ? -1 : narrow<int>(found - m_rows.order.begin());
}

Focus TableModel::focusOf(int row) const
{
    return m_stale ? Focus() : m_rows.table->focus(m_rows.order[static_cast<std::size_t>(row)]);
}

int TableModel::rowOf(const Focus& focus) const
{
    const auto row = m_rows.table && !m_stale ? m_rows.table->rowOf(focus) : std::nullopt;
    return row ? rowAt(narrow<int>(*row)) : -1;
}

std::int64_t TableModel::allRows() const
{
    return m_rows.table ? static_cast<std::int64_t>(m_rows.table->size()) : 0;
}

bool TableModel::uses(int column) const
{
    return static_cast<std::size_t>(column) < m_rows.used.size() && m_rows.used[static_cast<std::size_t>(column)];
}

QString TableModel::whyEmpty() const
{
    const Message why = m_shown.report && m_table.whyEmpty ? m_table.whyEmpty(*m_shown.report) : Message();
    return why.empty() ? translated(m_table.empty) : windowText(why);
}

std::int64_t TableModel::leftOut() const
{
    return m_shown.report && m_table.leftOut ? static_cast<std::int64_t>(m_table.leftOut(*m_shown.report)) : 0;
}

int TableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : narrow<int>(m_rows.order.size());
}

int TableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : narrow<int>(m_table.columns.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const std::size_t row = m_rows.order[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<std::size_t>(index.column());
    if (role == Qt::TextAlignmentRole) return alignmentOf(m_table.columns[column]);
    if (role == LeadsRole) return m_rows.table->leads(row);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && (role < SortRole || role > ExactRole)) return {};
    const Cell cell = m_rows.table->cell(row, column);
    if (role == SortRole) return sortValue(cell);
    if (role == Qt::ToolTipRole) return cellTip(cell);
    if (role == Qt::DisplayRole) return labelText(cellText(cell));
    if (role == ExactRole) return toQString(plainText(cell));
    if (role == StorageRole) return cell.link.storage.valid() ? QVariant(cell.link.storage.number()) : QVariant();
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
