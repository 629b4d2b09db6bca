#pragma once

#include "app/session/focus.h"
#include "core/facts/report.h"

#include <QAbstractTableModel>
#include <QString>
#include <QVariant>

#include <memory>
#include <span>

namespace plimsoll::app {

enum TableRole {
    SortRole = Qt::UserRole, ///< A number or a text that sorts as the column means it.
    SeverityRole,            ///< Of findings: int of plimsoll::Severity.
    PlannedRole,             ///< Of storages and values: whether it lies in a planned arena; of nodes: whether it runs.
};

struct ColumnInfo
{
    const char* title;
    const char* tip;
    bool number = false; ///< Aligned to the right.
};

/// What one cell shows, sorts by and says when pointed at.
struct Cell
{
    QString text;
    QVariant sort; ///< Invalid: the text.
    QString tip;   ///< Empty: the text.
};

/// A table over one part of a report. Rows are read from the report when asked for; nothing is copied.
class ReportTable : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setReport(std::shared_ptr<const Report> report);

    /// What picking a row means, and the row that shows what is picked; -1 when none does.
    [[nodiscard]] virtual Focus focusOf(int row) const = 0;
    [[nodiscard]] virtual int rowOf(const Focus& focus) const = 0;
    [[nodiscard]] virtual std::span<const ColumnInfo> columns() const = 0;
    /// Why there are no rows, where that depends on the report; empty where it does not.
    [[nodiscard]] virtual QString whyEmpty() const { return {}; }
    /// Rows that the report has counted and does not hold.
    [[nodiscard]] virtual std::int64_t leftOut() const { return 0; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const final;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const final;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const final;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const final;

protected:
    [[nodiscard]] const Report& report() const { return *m_report; } ///< Only while there are rows.
    [[nodiscard]] bool hasReport() const { return m_report != nullptr; }

private:
    virtual void reportChanged() {}                          ///< For what is found once for all rows.
    [[nodiscard]] virtual std::size_t countRows() const = 0; ///< Asked only while there is a report.
    [[nodiscard]] virtual Cell cell(std::size_t row, int column) const = 0;
    [[nodiscard]] virtual QVariant extra(std::size_t row, int role) const;

    std::shared_ptr<const Report> m_report;
};

} // namespace plimsoll::app
