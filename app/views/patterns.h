#pragma once

#include "core/picture/plan_picture.h"

#include <QBrush>
#include <QColor>

namespace plimsoll::app {

/// The texture of a pattern; NoBrush for Plain.
[[nodiscard]] inline QBrush patternBrush(Pattern pattern, const QColor& colour)
{
    switch (pattern) {
    case Pattern::Plain:
        break;
    case Pattern::InPlace:
        return QBrush(colour, Qt::BDiagPattern);
    case Pattern::View:
        return QBrush(colour, Qt::Dense6Pattern);
    case Pattern::Padding:
        return QBrush(colour, Qt::VerPattern);
    case Pattern::Scratch:
        return QBrush(colour, Qt::CrossPattern);
    }
    return {};
}

} // namespace plimsoll::app
