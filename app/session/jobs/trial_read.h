#pragma once

#include "app/session/engine.h"

#include <QString>

namespace plimsoll::app {

/// Who reads a file first, and where it is kept which were read.
struct TrialReader
{
    QString program; ///< plimsoll-cli. Where it cannot be started, files are read at once.
    QString read;    ///< A file with a line for each that it has read; where it is lost, all are read twice once more.
};
/// The program beside the application, and a file in the user's cache.
[[nodiscard]] TrialReader trialReader();

/// \p engine, but a file that was not read before as it is now is read by a child process first, which may open nothing
/// else: a fault of a reader is an Error here, and not the end of the window. Called on threads of jobs.
[[nodiscard]] Engine tryingFirst(Engine engine, const TrialReader& reader);

} // namespace plimsoll::app
