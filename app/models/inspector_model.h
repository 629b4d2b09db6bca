#pragma once

#include "core/facts/about.h"

#include <QAbstractItemModel>
#include <QString>

#include <memory>

namespace plimsoll::app {

/// What the inspector says of one thing.
struct InspectorFacts
{
    QString kind;
    QString title;
    std::vector<FactSection> sections;
};
/// Null: nothing.
[[nodiscard]] InspectorFacts inspectorFacts(const Report* report, const Focus& focus);
[[nodiscard]] InspectorFacts inspectorFacts(const Report& report, const NodeGroup& group);

/// Facts as a tree of two levels: sections, and rows of name and text.
class InspectorModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    using QAbstractItemModel::QAbstractItemModel;

    void show(InspectorFacts facts);
    [[nodiscard]] const InspectorFacts& shown() const { return m_facts; }
    [[nodiscard]] const QString& kind() const { return m_facts.kind; }
    [[nodiscard]] const QString& title() const { return m_facts.title; }
    /// Where a row leads; nothing picked where it leads nowhere.
    [[nodiscard]] Focus linkOf(const QModelIndex& index) const;
    [[nodiscard]] QString asText() const;                            ///< For the clipboard.
    [[nodiscard]] QString exactText(const QModelIndex& index) const; ///< Of a row: numbers without separators.

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] const Fact* factAt(const QModelIndex& index) const;

    InspectorFacts m_facts;
};

} // namespace plimsoll::app
