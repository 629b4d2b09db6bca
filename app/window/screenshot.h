#pragma once

#include "app/window/command_line.h"

namespace plimsoll::app {

class MainWindow;
class Workbench;

/// Renders what the command line asks for into its PNG once everything has come to rest. The exit status: 0 written, 1
/// written and the plan breaks a rule, 2 no such name to select, 3 when the file could not be opened (the picture is
/// the problem page).
[[nodiscard]] int takeScreenshot(MainWindow& window, Workbench& bench, const CommandLine& line);

} // namespace plimsoll::app
