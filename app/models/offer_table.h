#pragma once

#include "app/models/report_table.h"
#include "core/facts/offers.h"

namespace plimsoll::app {

/// What backends offer for each node, a row for each offer.
class OfferTable : public ReportTable
{
    Q_OBJECT

public:
    enum Column {
        Node,
        Taken,
        Backend,
        Implementation,
        Layouts,
        Sparse,
        Output,
        Prepared,
        Scratchpad,
        InPlace,
        Time,
        Why,
        ColumnCount
    };
    explicit OfferTable(QObject* parent = nullptr);
    [[nodiscard]] Focus focusOf(int row) const override;
    [[nodiscard]] int rowOf(const Focus& focus) const override;
    [[nodiscard]] std::span<const ColumnInfo> columns() const override;

private:
    [[nodiscard]] std::size_t countRows() const override;
    [[nodiscard]] Cell cell(std::size_t row, int column) const override;
    [[nodiscard]] const std::vector<OfferReport>& offers() const;

    mutable bool m_listed = false; ///< Of the report that is there.
    mutable std::vector<OfferReport> m_offers;
};

} // namespace plimsoll::app
