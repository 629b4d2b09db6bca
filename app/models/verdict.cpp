#include "app/models/verdict.h"

#include "app/models/text.h"

#include <QObject>

#include <algorithm>

namespace plimsoll::app {

std::int64_t peakStep(const Report& report)
{
    const auto highest = std::max_element(report.liveBytes.begin(), report.liveBytes.end());
    return highest == report.liveBytes.end() ? -1 : highest - report.liveBytes.begin();
}

double aboveBound(const Report& report)
{
    if (report.lowerBoundBytes <= 0) return 0;
    return static_cast<double>(report.peakBytes) / static_cast<double>(report.lowerBoundBytes) - 1.0;
}

QString verdictText(const Report& report)
{
    const auto errors = static_cast<int>(countFindings(report, Severity::Error));
    const auto warnings = static_cast<int>(countFindings(report, Severity::Warning));
    QString text = QObject::tr("Legal.");
    if (errors > 0)
        text = errors == 1 ? QObject::tr("Not legal: 1 broken rule.")
                           : QObject::tr("Not legal: %1 broken rules.").arg(errors);
    else if (warnings > 0)
        text = warnings == 1 ? QObject::tr("Legal, with 1 warning.")
                             : QObject::tr("Legal, with %1 warnings.").arg(warnings);
    text += QObject::tr(" Peak %1").arg(sizeText(report.peakBytes));
    if (const std::int64_t step = peakStep(report); step >= 0 && report.peakBytes > 0)
        text += QObject::tr(" at step %1").arg(step);
    if (report.lowerBoundBytes > 0) {
        text += report.peakBytes == report.lowerBoundBytes
                    ? QObject::tr(", which is the lower bound")
                    : QObject::tr(", %1 above the bound").arg(percentText(aboveBound(report)));
    }
    text += u'.';
    if (!report.unplanned.empty())
        text += report.unplanned.size() == 1
                    ? QObject::tr(" 1 value is sized at run time.")
                    : QObject::tr(" %1 values are sized at run time.").arg(report.unplanned.size());
    return text;
}

} // namespace plimsoll::app
