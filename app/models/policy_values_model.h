#pragma once

#include <QAbstractListModel>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace plimsoll {
struct PolicyInfo;
}

namespace plimsoll::app {

/// The values of one policy, each with what it means and the bytes it would cost or save against the plan shown.
class PolicyValuesModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role { ValueRole = Qt::UserRole, DeltaRole, CostTextRole };

    explicit PolicyValuesModel(const PolicyInfo& policy, QObject* parent = nullptr);

    /// Peak of the plan that is shown, and of the plan under each value; empty where it is not known yet.
    void setCosts(qint64 peakBytes, const std::function<std::optional<qint64>(const QString& value)>& peakUnder);
    [[nodiscard]] int rowOf(const QString& value) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    struct Row
    {
        QString value;
        QString meaning;
        std::optional<qint64> delta; ///< Bytes against the plan shown.
    };
    std::vector<Row> m_rows;
};

/// "+3.1 MiB", "−512 B", "same".
[[nodiscard]] QString deltaText(qint64 bytes);

} // namespace plimsoll::app
