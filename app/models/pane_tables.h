#pragma once

#include "app/models/report_table.h"

namespace plimsoll::app {

class StorageTable : public ReportTable
{
    Q_OBJECT

public:
    enum Column { Name, Kind, Bytes, Offset, Steps, ValueCount, Holds, ColumnCount };
    using ReportTable::ReportTable;
    [[nodiscard]] Focus focusOf(int row) const override;
    [[nodiscard]] int rowOf(const Focus& focus) const override;
    [[nodiscard]] std::span<const ColumnInfo> columns() const override;

private:
    [[nodiscard]] std::size_t countRows() const override;
    [[nodiscard]] Cell cell(std::size_t row, int column) const override;
    [[nodiscard]] QVariant extra(std::size_t row, int role) const override;
};

class ValueTable : public ReportTable
{
    Q_OBJECT

public:
    enum Column {
        Name,
        Type,
        Role,
        InStorage,
        Logical,
        Required,
        Offset,
        Steps,
        Shared,
        Producer,
        Layout,
        ColumnCount
    };
    using ReportTable::ReportTable;
    [[nodiscard]] Focus focusOf(int row) const override;
    [[nodiscard]] int rowOf(const Focus& focus) const override;
    [[nodiscard]] std::span<const ColumnInfo> columns() const override;

private:
    [[nodiscard]] std::size_t countRows() const override;
    [[nodiscard]] Cell cell(std::size_t row, int column) const override;
    [[nodiscard]] QVariant extra(std::size_t row, int role) const override;
};

class NodeTable : public ReportTable
{
    Q_OBJECT

public:
    enum Column { Step, Stream, Name, Operator, Backend, Implementation, Scratchpad, Live, Source, ColumnCount };
    using ReportTable::ReportTable;
    [[nodiscard]] Focus focusOf(int row) const override;
    [[nodiscard]] int rowOf(const Focus& focus) const override;
    [[nodiscard]] std::span<const ColumnInfo> columns() const override;

private:
    [[nodiscard]] std::size_t countRows() const override;
    [[nodiscard]] Cell cell(std::size_t row, int column) const override;
    [[nodiscard]] QVariant extra(std::size_t row, int role) const override;
};

/// What is kept from forward to backward.
class SavedTable : public ReportTable
{
    Q_OBJECT

public:
    enum Column { Name, Bytes, Held, SavedBy, ReadBy, NeededFor, Reason, Donated, ColumnCount };
    using ReportTable::ReportTable;
    [[nodiscard]] Focus focusOf(int row) const override;
    [[nodiscard]] int rowOf(const Focus& focus) const override;
    [[nodiscard]] std::span<const ColumnInfo> columns() const override;

private:
    [[nodiscard]] std::size_t countRows() const override;
    [[nodiscard]] Cell cell(std::size_t row, int column) const override;
    [[nodiscard]] QVariant extra(std::size_t row, int role) const override;
};

class HoleTable : public ReportTable
{
    Q_OBJECT

public:
    enum Column { Rank, Arena, Bytes, From, To, Steps, Area, Share, ColumnCount };
    using ReportTable::ReportTable;
    [[nodiscard]] Focus focusOf(int row) const override;
    [[nodiscard]] int rowOf(const Focus& focus) const override;
    [[nodiscard]] std::span<const ColumnInfo> columns() const override;

private:
    [[nodiscard]] std::size_t countRows() const override;
    [[nodiscard]] Cell cell(std::size_t row, int column) const override;
};

class FindingTable : public ReportTable
{
    Q_OBJECT

public:
    enum Column { Level, RuleId, Message, Steps, Bytes, Fix, ColumnCount };
    using ReportTable::ReportTable;
    [[nodiscard]] QString whyEmpty() const override;
    [[nodiscard]] std::int64_t leftOut() const override;
    [[nodiscard]] Focus focusOf(int row) const override;
    [[nodiscard]] int rowOf(const Focus& focus) const override;
    [[nodiscard]] std::span<const ColumnInfo> columns() const override;

private:
    [[nodiscard]] std::size_t countRows() const override;
    [[nodiscard]] Cell cell(std::size_t row, int column) const override;
    [[nodiscard]] QVariant extra(std::size_t row, int role) const override;
};

} // namespace plimsoll::app
