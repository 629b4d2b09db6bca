#pragma once

#include "core/facts/report.h"

#include <QStringList>

namespace plimsoll::test {

inline QString nameOf(const Report& report, ValueId value)
{
    return QString::fromStdString((*report.program.graph)[value].name);
}

/// "a m": what is kept for the backward graph, by name; as often as slots keep it.
inline QString keptInSlots(const Report& report)
{
    QStringList names;
    for (const SavedReport& saved : report.training.saved)
        names += nameOf(report, saved.tensor.value);
    names.sort();
    return names.join(u' ');
}

/// The same with every name once.
inline QString kept(const Report& report)
{
    QStringList names = keptInSlots(report).split(u' ', Qt::SkipEmptyParts);
    names.removeDuplicates();
    return names.join(u' ');
}

} // namespace plimsoll::test
