#pragma once

#include "app/session/plan_history.h"

#include <QList>
#include <QString>

namespace plimsoll::app {

/// A graph that comes with the application.
struct Sample
{
    QString file; ///< Name in resources/examples.
    QString title;
    QString story;   ///< One line: what there is to see.
    Choices choices; ///< To open it with, so that it is seen.
};

[[nodiscard]] QList<Sample> samples();

/// What the index says to open the sample with; the defaults where it says nothing.
[[nodiscard]] Choices sampleChoices(const QString& name);

/// The sample as a file that can be opened and watched: copied out of the application once, with what lies beside it.
/// Empty when it cannot be written.
[[nodiscard]] QString sampleFile(const QString& name);

} // namespace plimsoll::app
