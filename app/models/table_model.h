#pragma once

#include "core/facts/compare/plan_matches.h"
#include "core/facts/tables/row_query.h"

#include <QAbstractTableModel>
#include <QString>

#include <memory>

namespace plimsoll::app {

class JobRunner;

enum TableRole {
    SortRole = Qt::UserRole, ///< A number or a text that sorts as the column means it.
    SeverityRole,            ///< Of a cell that shows one: int of plimsoll::Severity.
    LeadsRole,               ///< Whether the row stands before the rest, as what is planned does.
    StorageRole,             ///< Of a cell that names a storage: its number.
    ExactRole,               ///< Numbers without separators or units.
};

/// A table of facts for views of Qt: the rows that a filter leaves, in the order of a column. Cells are made when asked
/// for; nothing is copied. Rows of a large report are found on the worker, and the ones before stay meanwhile.
class TableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// \p table must outlive it. Without \p worker all is done at once.
    explicit TableModel(const FactTable& table, JobRunner* worker = nullptr, QObject* parent = nullptr);

    /// Null: nothing. \p previous is what the plan is compared with; \p matches are of both.
    void setReport(std::shared_ptr<const Report> report, std::shared_ptr<const Report> previous = nullptr,
                   std::shared_ptr<const PlanMatches> matches = nullptr);
    [[nodiscard]] const FactTable& table() const { return m_table; }
    void setFilter(const QString& text); ///< See readRowFilter().
    void reword() { find(); }            ///< Cells read in another way now, and a filter may leave other rows.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
    [[nodiscard]] QString complaint() const; ///< What of the filter cannot be meant; empty: nothing.

    /// What picking a row means, and the row that shows what is picked; -1 when none does. Rows of the report before
    /// lead nowhere and show nothing that is picked.
    [[nodiscard]] Focus focusOf(int row) const;
    [[nodiscard]] int rowOf(const Focus& focus) const;
    [[nodiscard]] int placeInTable(int row) const; ///< Of a row that is shown, whatever is sorted and left out.
    [[nodiscard]] int rowAt(int placeInTable) const;
    [[nodiscard]] std::int64_t allRows() const; ///< Those that the filter leaves out, too.
    [[nodiscard]] bool uses(int column) const;  ///< Whether some row has something there.
    [[nodiscard]] QString whyEmpty() const;
    [[nodiscard]] const OpenTable* openTable() const { return m_rows.table.get(); }     ///< Null: of no report.
    [[nodiscard]] std::span<const std::uint32_t> order() const { return m_rows.order; } ///< Rows of it, as shown.
    /// Rows that the report has counted and does not hold.
    [[nodiscard]] std::int64_t leftOut() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Rows
    {
        std::shared_ptr<const OpenTable> table; ///< Keeps the reports that it is of.
        std::vector<bool> used;                 ///< By column.
        std::vector<std::uint32_t> order;       ///< Rows of the table, as they are shown.
    };
    void find();
    void show(Rows rows);

    const FactTable& m_table;
    JobRunner* m_worker;
    struct
    {
        std::shared_ptr<const Report> report;
        std::shared_ptr<const Report> previous;
        std::shared_ptr<const PlanMatches> matches;
    } m_shown;
    RowQuery m_query;
    Rows m_rows;
    bool m_stale = false; ///< They are of an older report.
};

} // namespace plimsoll::app
