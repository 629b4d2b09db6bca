#pragma once

#include "core/facts/fact_table.h"

#include <QAbstractTableModel>
#include <QString>

#include <memory>

namespace plimsoll::app {

enum TableRole {
    SortRole = Qt::UserRole, ///< A number or a text that sorts as the column means it.
    SeverityRole,            ///< Of a cell that shows one: int of plimsoll::Severity.
    LeadsRole,               ///< Whether the row stands before the rest, as what is planned does.
};

/// A table of facts for views of Qt. Cells are made when asked for; nothing is copied.
class TableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// \p table must outlive it.
    explicit TableModel(const FactTable& table, QObject* parent = nullptr);

    /// Null: nothing. \p previous is the plan before the last change of choices.
    void setReport(std::shared_ptr<const Report> report, std::shared_ptr<const Report> previous = nullptr);
    [[nodiscard]] const FactTable& table() const { return m_table; }

    /// What picking a row means, and the row that shows what is picked; -1 when none does.
    [[nodiscard]] Focus focusOf(int row) const;
    [[nodiscard]] int rowOf(const Focus& focus) const;
    [[nodiscard]] QString whyEmpty() const;
    /// Rows that the report has counted and does not hold.
    [[nodiscard]] std::int64_t leftOut() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const FactTable& m_table;
    std::shared_ptr<const Report> m_report;
    std::shared_ptr<const Report> m_previous;
    std::unique_ptr<OpenTable> m_open;
};

} // namespace plimsoll::app
