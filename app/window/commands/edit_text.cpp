#include "app/window/commands/edit_text.h"

#include "app/models/window_text.h"

#include <QObject>

namespace plimsoll::app {

QString constraintText(const Constraint& one)
{
    const QString of = toQString(one.of);
    const QString other = toQString(one.other);
    switch (one.kind) {
    case ConstraintKind::Pin:
        return QObject::tr("%1 computed by %2").arg(of, other);
    case ConstraintKind::Gradient:
        return QObject::tr("%1 frozen").arg(of);
    case ConstraintKind::Recompute:
        return QObject::tr("%1 computed anew").arg(of);
    case ConstraintKind::Apart:
        return QObject::tr("%1 apart from %2").arg(of, other);
    case ConstraintKind::Together:
        return QObject::tr("%1 together with %2").arg(of, other);
    case ConstraintKind::Place:
        return QObject::tr("%1 kept at %2").arg(of, addressText(other.toLongLong()));
    }
    return {};
}

QString editText(const PlanHistory& history, std::size_t state)
{
    if (state == 0) return QObject::tr("As it was opened");
    if (const QString& what = history.edits()[state].what; !what.isEmpty()) return what;
    const Choices& before = history.edits()[history.edits()[state].from].choices;
    const Choices& after = history.edits()[state].choices;
    QStringList changed;
    for (const PolicyInfo& policy : policyTable()) {
        const std::string value = policyValue(after.policies, policy.id);
        const bool chosen = after.named.contains(policy.id); // others follow the plan
        if (chosen && (value != policyValue(before.policies, policy.id) || !before.named.contains(policy.id)))
            changed << toQString(windowWords(Remedy::policy(std::string(policy.id), value)));
    }
    if (after.shapes != before.shapes) changed << QObject::tr("Sizes of inputs");
    if (after.givenPlan != before.givenPlan)
        changed.prepend(after.givenPlan ? QObject::tr("An edited plan") : QObject::tr("Our own plan"));
    return changed.join(QStringLiteral(", "));
}

QString priceText(const PlanHistory& history, std::size_t state)
{
    const auto& peak = history.edits()[state].peakBytes;
    if (!peak) return {};
    if (state == 0) return sizeText(*peak);
    const Edit& from = history.edits()[history.edits()[state].from];
    if (from.choices == history.edits()[state].choices) return {};
    const auto before = from.peakBytes;
    if (!before) return sizeText(*peak);
    return QStringLiteral("%1 → %2").arg(sizeTextBeside(*before, *peak), sizeTextBeside(*peak, *before));
}

} // namespace plimsoll::app
