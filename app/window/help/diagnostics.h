#pragma once

#include "core/base/result.h"

#include <QList>
#include <QString>

namespace plimsoll::app {

class Workbench;

/// What a report of a fault of this program needs: version, system, backends and why some are missing, shape of the
/// graph, policies, the last errors. Names of the graph, sentences that may hold them and paths only with \p names; the
/// folder of the user is ~ even then.
[[nodiscard]] QString diagnosticsText(const Workbench& bench, const QList<Error>& errors, bool names);

} // namespace plimsoll::app
