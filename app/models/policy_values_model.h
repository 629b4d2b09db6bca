#pragma once

#include "app/session/policy_costs.h"

#include <QAbstractListModel>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace plimsoll {
struct PolicyInfo;
}

namespace plimsoll::app {

/// What a policy can do here, by the plans that its values make.
enum class PolicySection : std::uint8_t {
    Lowers,  ///< One of its values lowers the peak.
    Differs, ///< One of them changes another figure, or raises the peak.
    Limits,  ///< A field: nothing is tried out.
    Untried, ///< A plan is still to be made.
    Same,    ///< All make plans with the same figures.
    Idle,    ///< Nothing looks at it.
};

/// The values of one policy, each with what it means and the bytes it would cost or save against the plan shown.
class PolicyValuesModel : public QAbstractListModel
{
    Q_OBJECT

public:
    /// DeltaRole and TotalDeltaRole: bytes of the peak, and of peak and external together, against the plan shown.
    /// DiffersRole: whether any figure is another.
    enum Role { ValueRole = Qt::UserRole, DeltaRole, TotalDeltaRole, CostTextRole, DiffersRole };

    explicit PolicyValuesModel(const PolicyInfo& policy, QObject* parent = nullptr);

    /// The plan that is shown, and the plan under each value; empty where it is not known yet.
    void setCosts(const PlanCost& shown, const std::function<std::optional<PlanCost>(const QString& value)>& under);
    [[nodiscard]] int rowOf(const QString& value) const;
    [[nodiscard]] PolicySection section() const;
    /// The value that lowers the peak most, and by how much: "donate", "−8.00 KiB". Empty where none does.
    [[nodiscard]] std::pair<QString, QString> best() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    struct Row
    {
        QString value;
        QString meaning;
        std::optional<PlanCost> delta; ///< Against the plan shown.
    };
    std::vector<Row> m_rows;
};

/// "+3.1 MiB", "−512 B", "same peak".
[[nodiscard]] QString deltaText(qint64 bytes);

} // namespace plimsoll::app
