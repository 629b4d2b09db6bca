#pragma once

#include "app/session/plan_history.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace plimsoll::app {

/// A graph that comes with the application.
struct Sample
{
    QString file; ///< Name in resources/examples; "gallery/…" in resources/gallery.
    QString title;
    QString story;     ///< What there is to see.
    Choices choices;   ///< To open it with, so that it is seen.
    QString plan {};   ///< Of a bug: the file beside it that has the damaged plan.
    QString system {}; ///< Of a bug: where it was.
    QString thread {}; ///< Of a bug: "owner/repository #number".
    QString url {};    ///< Of the thread.
    QString rule {};   ///< Of a bug: what the judge finds.
};

[[nodiscard]] QList<Sample> samples();
/// Public reports of damage, each with the plan that shows it.
[[nodiscard]] QList<Sample> realBugs();
/// The sample or bug of that name; without a name where there is none.
[[nodiscard]] Sample sampleNamed(const QString& name);

/// The sample as a file that can be opened and watched: copied out of the application once, with what lies beside it.
/// Empty when it cannot be written.
[[nodiscard]] QString sampleFile(const QString& name);

/// Where a dialog begins: in the folder of the first of \p files that is the user's own, no sample and nothing that was
/// pasted; else at home.
[[nodiscard]] QString ownFolder(const QStringList& files);

} // namespace plimsoll::app
