#pragma once

#include <QList>
#include <QString>

namespace plimsoll::app {

/// A graph that comes with the application.
struct Sample
{
    QString file; ///< Name in resources/examples.
    QString title;
    QString story; ///< One line: what there is to see.
};

[[nodiscard]] QList<Sample> samples();

/// The sample as a file that can be opened and watched: copied out of the application once, with what lies beside it.
/// Empty when it cannot be written.
[[nodiscard]] QString sampleFile(const QString& name);

} // namespace plimsoll::app
