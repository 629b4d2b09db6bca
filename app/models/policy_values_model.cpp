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

/// Times are estimated to a few percent at best: less than a microsecond is no difference.
constexpr double LeastMs = 0.001;

bool differs(const PlanCost& delta)
{
    return delta.peakBytes != 0 || delta.externalBytes != 0 || delta.savedBytes != 0 || delta.steps != 0 ||
           std::abs(delta.kernelMs) >= LeastMs;
}

QString signedText(bool more, const QString& amount)
{
    return (more ? QStringLiteral("+") : QStringLiteral("−")) + amount;
}

/// A line for each figure that is another. Of bytes that only move to the caller, the sum is told, too.
QString costText(const PlanCost& delta)
{
    if (!differs(delta)) return QObject::tr("same");
    QStringList lines {deltaText(delta.peakBytes)};
    const qint64 all = delta.peakBytes + delta.externalBytes;
    if (delta.externalBytes != 0)
        lines << (all == 0 ? QObject::tr("same in all") : QObject::tr("%1 in all").arg(deltaText(all)));
    if (delta.savedBytes != 0) lines << QObject::tr("%1 saved").arg(changeText(delta.savedBytes));
    if (std::abs(delta.kernelMs) >= LeastMs)
        lines << (delta.untimedNodes != 0
                      ? QObject::tr("time not known")
                      : signedText(delta.kernelMs > 0, durationText(std::abs(delta.kernelMs) / 1e3)));
    if (delta.steps != 0)
        lines << (std::abs(delta.steps) == 1 ? QObject::tr("%1 node") : QObject::tr("%1 nodes"))
                     .arg(signedText(delta.steps > 0, countText(std::abs(delta.steps))));
    return lines.join(u'\n');
}

} // namespace

PolicyValuesModel::PolicyValuesModel(const PolicyInfo& policy, QObject* parent) : QAbstractListModel(parent)
{
    for (std::size_t i = 0; i < policy.values.size(); ++i) {
        const auto meaning = i < policy.valueMeanings.size() ? policy.valueMeanings[i] : std::string_view();
        m_rows.push_back({toQString(policy.values[i]), translated(meaning), {}});
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
        row.delta->untimedNodes -= shown.untimedNodes;
        row.delta->savedBytes -= shown.savedBytes;
        row.delta->steps -= shown.steps;
    }
    Q_EMIT dataChanged(index(0), index(narrow<int>(m_rows.size()) - 1));
}

int PolicyValuesModel::rowOf(const QString& value) const
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) { return row.value == value; });
    return found == m_rows.end() ? -1 : narrow<int>(found - m_rows.begin());
}

PolicySection PolicyValuesModel::section() const
{
    const auto any = [&](auto&& holds) { return std::ranges::any_of(m_rows, holds); };
    if (any([](const Row& row) { return !row.delta; })) return PolicySection::Untried;
    if (any([](const Row& row) { return row.delta->peakBytes < 0; })) return PolicySection::Lowers;
    return any([](const Row& row) { return differs(*row.delta); }) ? PolicySection::Differs : PolicySection::Same;
}

std::pair<QString, QString> PolicyValuesModel::best() const
{
    const auto peak = [](const Row& row) { return row.delta ? row.delta->peakBytes : 0; };
    const auto best = std::ranges::min_element(m_rows, {}, peak);
    if (best == m_rows.end() || peak(*best) >= 0) return {};
    return {best->value, deltaText(peak(*best))};
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
    case DiffersRole:
        return row.delta && differs(*row.delta);
    case CostTextRole:
        return row.delta ? costText(*row.delta) : QStringLiteral("…");
    default:
        return {};
    }
}

} // namespace plimsoll::app
