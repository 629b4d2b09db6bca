#pragma once

#include "app/session/plan_history.h"
#include "core/formats/plimsoll/session_json.h"

namespace plimsoll::app {

/// Undo and redo as a session keeps them: into \p session, each plan once, and what is said. \p graphFile says which came with the graph.
void saveHistory(const PlanHistory& history, const std::string& graphFile, SavedSession& session);

/// Back from there; \p graphFile is where the graph lies now. Other plans are of no file. What cannot be taken is said
/// in \p unread.
[[nodiscard]] PlanHistory savedHistory(const SavedSession& session, const std::string& graphFile,
                                       std::vector<Message>& unread);

} // namespace plimsoll::app
