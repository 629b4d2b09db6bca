#pragma once

#include "core/facts/about.h"

#include <QAbstractItemModel>
#include <QString>

#include <memory>

namespace plimsoll::app {

/// The facts about the focus as a tree of two levels: sections, and rows of name and text.
class InspectorModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    using QAbstractItemModel::QAbstractItemModel;

    /// Null: nothing. The report is not kept. \p further stands behind what the report knows.
    void show(const Report* report, const Focus& focus, std::vector<FactSection> further = {});
    [[nodiscard]] const QString& kind() const { return m_kind; }
    [[nodiscard]] const QString& title() const { return m_title; }
    /// Where a row leads; nothing picked where it leads nowhere.
    [[nodiscard]] Focus linkOf(const QModelIndex& index) const;
    [[nodiscard]] QString asText() const; ///< For the clipboard.

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] const Fact* factAt(const QModelIndex& index) const;

    std::vector<FactSection> m_sections;
    QString m_kind;
    QString m_title;
};

} // namespace plimsoll::app
