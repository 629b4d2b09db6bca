#pragma once

#include <QString>

namespace plimsoll::app {

class Log;
class Workbench;

/// What a report of a fault of this program needs: version, system, backends and why some are missing, shape of the
/// graph, policies, the log. Names of the graph, sentences that may hold them and paths only with \p names; the
/// folder of the user is ~ even then.
[[nodiscard]] QString diagnosticsText(const Workbench& bench, const Log& log, bool names);

} // namespace plimsoll::app
