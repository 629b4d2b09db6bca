#include "app/models/policy_values_model.h"

#include "app/models/window_text.h"
#include "core/base/narrow.h"
#include "core/plan/policies.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::app {

QString deltaText(qint64 bytes)
{
    return bytes == 0 ? QObject::tr("same peak") : changeText(bytes);
}

namespace {

/// Of bytes that only move to the caller, the sum is told, too.
QString bytesText(const PlanCost& delta)
{
    const QString peak = deltaText(delta.peakBytes);
    if (delta.externalBytes == 0) return peak;
    const qint64 all = delta.peakBytes + delta.externalBytes;
    return QObject::tr("%1\n%2").arg(peak, all == 0 ? QObject::tr("same in all")
                                                    : QObject::tr("%1 in all").arg(deltaText(all)));
}

/// Times are estimated to a few percent at best: less than a microsecond is no difference.
QString costText(const PlanCost& delta)
{
    constexpr double LeastMs = 0.001;
    if (std::abs(delta.kernelMs) < LeastMs) return bytesText(delta);
    const QString sign = delta.kernelMs > 0 ? QStringLiteral("+") : QStringLiteral("−");
    return QObject::tr("%1\n%2%3 ms").arg(bytesText(delta), sign, QString::number(std::abs(delta.kernelMs), 'g', 3));
}

} // namespace

PolicyValuesModel::PolicyValuesModel(const PolicyInfo& policy, QObject* parent) : QAbstractListModel(parent)
{
    for (std::size_t i = 0; i < policy.values.size(); ++i) {
        const auto meaning = i < policy.valueMeanings.size() ? policy.valueMeanings[i] : std::string_view();
        m_rows.push_back({toQString(policy.values[i]), toQString(meaning), {}});
    }
}

void PolicyValuesModel::setCosts(const PlanCost& shown,
                                 const std::function<std::optional<PlanCost>(const QString& value)>& under)
{
    if (m_rows.empty()) return;
    for (Row& row : m_rows) {
        row.delta = under(row.value);
        if (!row.delta) continue;
        row.delta->peakBytes -= shown.peakBytes;
        row.delta->externalBytes -= shown.externalBytes;
        row.delta->kernelMs -= shown.kernelMs;
    }
    Q_EMIT dataChanged(index(0), index(narrow<int>(m_rows.size()) - 1));
}

int PolicyValuesModel::rowOf(const QString& value) const
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) { return row.value == value; });
    return found == m_rows.end() ? -1 : narrow<int>(found - m_rows.begin());
}

int PolicyValuesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : narrow<int>(m_rows.size());
}

QVariant PolicyValuesModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case ValueRole:
        return row.value;
    case Qt::ToolTipRole:
        return row.meaning;
    case DeltaRole:
        return row.delta ? QVariant(qint64 {row.delta->peakBytes}) : QVariant();
    case TotalDeltaRole:
        return row.delta ? QVariant(qint64 {row.delta->peakBytes + row.delta->externalBytes}) : QVariant();
    case CostTextRole:
        return row.delta ? costText(*row.delta) : QStringLiteral("…");
    default:
        return {};
    }
}

} // namespace plimsoll::app
