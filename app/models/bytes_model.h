#pragma once

#include "core/record/shown_bytes.h"

#include <QAbstractTableModel>

namespace plimsoll::app {

/// Bytes at a moment of a run, line by line: address, whose they are, the bytes, and the elements that they mean.
class BytesModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Address, Owner, Written, Elements, Bytes, Columns };
    static constexpr std::int64_t MostLines = 1'000'000; ///< 16 MB; what lies behind is asked for by its address.

    using QAbstractTableModel::QAbstractTableModel;

    struct Shown
    {
        std::shared_ptr<const RunRecord> record; ///< Null: nothing is shown.
        std::shared_ptr<const PlannedProgram> program;
        ShownBytes bytes {};
    };
    void show(Shown shown);
    [[nodiscard]] Interval bytesOf(int row) const { return m_shown.bytes.line(row).bytes; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString text(const ShownBytes::Line& line, int column) const;
    [[nodiscard]] QString ownerText(const ShownBytes::Line& line) const;

    Shown m_shown;
};

} // namespace plimsoll::app
