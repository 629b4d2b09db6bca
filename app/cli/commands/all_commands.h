#pragma once

#include "app/cli/arguments.h"

namespace plimsoll::cli {

Command bisectCommand();
Command bisectWorker(); ///< What `bisect` starts as a child process, with the same arguments.
Command catalogueCommand();
Command checkCommand();
Command compareCommand();
Command convertCommand();
Command explainCommand();
Command fitCommand();
Command packCommand();
Command planCommand();
Command poolCommand();
Command replayCommand();
Command replayWorker(); ///< What `replay` starts as a child process, with the same arguments.
Command reportCommand();
Command runCommand();
Command runWorker(); ///< What `run` starts as a child process.
Command sweepCommand();
Command tryReadingCommand(); ///< What the window lets a child process do with a file before it reads it itself.

} // namespace plimsoll::cli
