#pragma once

#include "app/models/report_table.h"
#include "core/facts/range_changes.h"

namespace plimsoll::app {

/// The values that the last change of choices keeps alive longer or shorter, or elsewhere.
class ChangeTable : public ReportTable
{
    Q_OBJECT

public:
    enum Column { Name, Bytes, Before, After, Peak, Place, Reason, ColumnCount };
    using ReportTable::ReportTable;

    /// What the next report is compared with; null: nothing.
    void setPrevious(std::shared_ptr<const Report> previous) { m_previous = std::move(previous); }

    [[nodiscard]] Focus focusOf(int row) const override;
    [[nodiscard]] int rowOf(const Focus& focus) const override;
    [[nodiscard]] std::span<const ColumnInfo> columns() const override;

private:
    void reportChanged() override;
    [[nodiscard]] std::size_t countRows() const override;
    [[nodiscard]] Cell cell(std::size_t row, int column) const override;

    std::shared_ptr<const Report> m_previous;
    std::vector<RangeChange> m_changes;
};

} // namespace plimsoll::app
