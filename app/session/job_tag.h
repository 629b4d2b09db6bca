#pragma once

#include <QString>

namespace plimsoll::app::JobTag {

/// Of all jobs: no two that share a runner have the same.
inline const QString Open = QStringLiteral("open");
inline const QString Plan = QStringLiteral("plan");
inline const QString GivenPlan = QStringLiteral("given plan");
inline const QString Compared = QStringLiteral("compared");
inline const QString Inputs = QStringLiteral("inputs");
inline const QString OwnPlan = QStringLiteral("own plan");
inline const QString Matches = QStringLiteral("matches");
inline const QString Costs = QStringLiteral("costs");
inline const QString Freeing = QStringLiteral("freeing");
inline const QString Record = QStringLiteral("record");
inline const QString Content = QStringLiteral("content");
inline const QString Search = QStringLiteral("search");
inline const QString Pairs = QStringLiteral("pairs");
inline const QString Fit = QStringLiteral("fit");
inline const QString TradeOffs = QStringLiteral("time against peak");
inline const QString Colours = QStringLiteral("colours");
inline const QString Beside = QStringLiteral("beside");
inline const QString Copy = QStringLiteral("copy");
inline const QString Picture = QStringLiteral("picture");
inline const QString Layout = QStringLiteral("layout");
[[nodiscard]] inline QString table(const QString& id)
{
    return QStringLiteral("table ") + id;
}

} // namespace plimsoll::app::JobTag
