#pragma once

#include "core/facts/cell.h"

#include <functional>
#include <memory>
#include <span>

namespace plimsoll {

/// What a face has to know of a column. Programs see those with an id, people those with a title.
struct ColumnInfo
{
    enum class Kind : std::uint8_t {
        Words,
        Long,   ///< Words that take what room is left.
        Number, ///< Aligned to the right.
    };
    std::string_view title;
    std::string_view tip;
    Kind kind = Kind::Words;
    int width = 10; ///< In characters, the least that is shown of a longer text.
};

/// A table that is open on one report. Rows and cells are made when asked for.
class OpenTable
{
public:
    virtual ~OpenTable() = default;
    [[nodiscard]] virtual std::size_t size() const = 0;
    [[nodiscard]] virtual Cell cell(std::size_t row, std::size_t column) const = 0;
    [[nodiscard]] virtual Focus focus(std::size_t row) const = 0; ///< What picking a row means.
    /// The row that shows what is picked.
    [[nodiscard]] virtual std::optional<std::size_t> rowOf(const Focus& focus) const = 0;
    /// Whether it is of those that stand before the rest, as what is planned does.
    [[nodiscard]] virtual bool leads(std::size_t row) const = 0;
};

struct PlanMatches;

/// The plan that a table is of, and the one it is compared with, if there is one: that of the choices before.
struct Plans
{
    const Report& report;
    const Report* previous;
    const RunResult* run;                 ///< Null: not run.
    const PlanMatches* matches = nullptr; ///< Of both plans; null: none are said by hand.

    Plans(const Report& shown, const Report* other = nullptr) : Plans(shown, other, shown.run ? &*shown.run : nullptr)
    {
    }
    Plans(const Report& shown, const Report* other, const RunResult* made) : report(shown), previous(other), run(made)
    {
    }
};

/// One table, declared once for window, command line and documents.
struct FactTable
{
    std::string_view id; ///< "storages"
    std::string_view title;
    std::string_view empty; ///< Why there are no rows.
    std::vector<ColumnInfo> columns;
    int sortedBy = -1; ///< At first, what leads before the rest. -1: in the order of the rows.
    bool rising = false;
    std::string_view sum {};                                      ///< Title of the column that adds up; empty: none.
    bool sentences = false;                                       ///< Rows are as high as their sentences need.
    std::function<std::unique_ptr<OpenTable>(const Plans&)> open; ///< The report must outlive it.
    Message (*note)(const Report&) = nullptr;                     ///< What else is to be known of it.
    Message (*whyEmpty)(const Report&) = nullptr;    ///< In place of \c empty, where it depends on the report.
    std::size_t (*leftOut)(const Report&) = nullptr; ///< Rows that the report has counted and does not hold.

    [[nodiscard]] std::size_t column(std::string_view title) const; ///< It must be one of the table.
};

/// A column of a table with rows of that type.
template <typename Row>
struct ColumnOf
{
    ColumnInfo info;
    Cell (*cell)(const Report&, const Row&);
};

/// What makes a table of rows of that type. What is left out is as plain as can be: rows lead nowhere, none leads.
template <typename Row>
struct RowsOf
{
    std::vector<Row> (*rows)(const Plans&);
    Focus (*focus)(const Report&, const Row&) = nullptr;
    bool (*shows)(const Report&, const Row&, const Focus&) = nullptr; ///< Null: what has the same pick.
    bool (*leads)(const Report&, const Row&) = nullptr;
};

template <typename Row>
class OpenRows final : public OpenTable
{
public:
    OpenRows(const Plans& plans, const RowsOf<Row>& kind, const std::vector<ColumnOf<Row>>& columns)
        : m_report(plans.report), m_kind(kind), m_columns(columns), m_rows(kind.rows(plans))
    {
    }
    [[nodiscard]] std::size_t size() const override { return m_rows.size(); }
    [[nodiscard]] Cell cell(std::size_t row, std::size_t column) const override
    {
        return m_columns[column].cell(m_report, m_rows[row]);
    }
    [[nodiscard]] Focus focus(std::size_t row) const override
    {
        return m_kind.focus ? m_kind.focus(m_report, m_rows[row]) : Focus();
    }
    [[nodiscard]] std::optional<std::size_t> rowOf(const Focus& focus) const override
    {
        if (!m_kind.focus) return std::nullopt;
        for (std::size_t row = 0; row < m_rows.size(); ++row) {
            const bool shown = m_kind.shows ? m_kind.shows(m_report, m_rows[row], focus)
                                            : focus.picked() && m_kind.focus(m_report, m_rows[row]).samePick(focus);
            if (shown) return row;
        }
        return std::nullopt;
    }
    [[nodiscard]] bool leads(std::size_t row) const override
    {
        return m_kind.leads && m_kind.leads(m_report, m_rows[row]);
    }

private:
    const Report& m_report;
    const RowsOf<Row>& m_kind;
    const std::vector<ColumnOf<Row>>& m_columns;
    std::vector<Row> m_rows;
};

/// Puts a declaration together. It must be static: what is open refers to it.
template <typename Row>
[[nodiscard]] FactTable factTable(FactTable table, RowsOf<Row> rows, std::vector<ColumnOf<Row>> columns)
{
    for (const ColumnOf<Row>& column : columns)
        table.columns.push_back(column.info);
    table.open = [rows, columns = std::move(columns)](const Plans& plans) {
        return std::make_unique<OpenRows<Row>>(plans, rows, columns);
    };
    return table;
}

/// A table of names and what is known under them.
[[nodiscard]] FactTable listTable(FactTable table, std::vector<Fact> (*rows)(const Plans&));

/// Of all its rows, the change of bytes that they add up to; blank where the table has no such column, or no rows.
[[nodiscard]] Cell sumOf(const FactTable& table, const OpenTable& open);

/// Ids 0, 1, … of so many things.
template <typename Id>
[[nodiscard]] std::vector<Id> idsOf(std::size_t count)
{
    std::vector<Id> ids;
    ids.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        ids.emplace_back(i);
    return ids;
}

/// A table as a document shows it: the first rows in its own order.
struct DocumentTable
{
    std::vector<const ColumnInfo*> columns; ///< Those with something in any row; the cells of rows are theirs.
    std::vector<std::vector<Cell>> rows;
    std::size_t total = 0; ///< Rows there are.
    Message note;          ///< What else is to be known of it, and how many rows are left out.

    /// Whether there is nothing to show.
    [[nodiscard]] bool empty() const { return rows.empty() && note.empty(); }
};
[[nodiscard]] DocumentTable documentTable(const FactTable& table, const Plans& plans, std::size_t most);

} // namespace plimsoll
