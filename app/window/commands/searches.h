#pragma once

#include "app/window/commands/finder.h"
#include "core/facts/report.h"
#include "core/formats/plimsoll/session_json.h"

#include <memory>
#include <optional>

class QMenuBar;

namespace plimsoll::app {

class ActionSet;
class Selection;

/// How well \p text answers to what was typed: its letters must occur in that order. Higher is better, −1 is not at
/// all. Runs, beginnings of words and the end of a path count more; long texts less.
[[nodiscard]] int fuzzyScore(QStringView pattern, QStringView text);

/// Every command with its menus, and those that are in none; the best match first.
[[nodiscard]] Finder::Search searchCommands(const QMenuBar& menus, const ActionSet& actions);

/// Values, nodes, storages ("s12"), steps ("118", "#118") and bytes ("0x36000..0x37000") of a report.
/// Bookmarks, too: by their names.
[[nodiscard]] Finder::Search searchReport(std::shared_ptr<const Report> report, std::vector<Bookmark> bookmarks,
                                          Selection& selection);

/// Values of a report but \p one: those in an arena, or all. \p choose gets the one that is chosen.
[[nodiscard]] Finder::Search searchOthers(std::shared_ptr<const Report> report, ValueId one,
                                          std::optional<ArenaId> arena, std::function<void(ValueId)> choose);

/// Nodes of the same body as \p one, which is left out.
[[nodiscard]] Finder::Search searchNodes(std::shared_ptr<const Report> report, NodeId one,
                                         std::function<void(NodeId)> choose);

} // namespace plimsoll::app
