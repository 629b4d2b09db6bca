#pragma once

#include "app/window/commands/finder.h"
#include "core/facts/report.h"

#include <memory>

namespace plimsoll::app {

class ActionSet;
class Selection;

/// Every enabled command, the best match first.
[[nodiscard]] Finder::Search searchCommands(const ActionSet& actions);

/// Values, nodes, storages ("s12") and steps ("118") of a report.
[[nodiscard]] Finder::Search searchReport(std::shared_ptr<const Report> report, Selection& selection);

} // namespace plimsoll::app
