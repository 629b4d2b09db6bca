#pragma once

#include "app/session/plan_history.h"
#include "core/formats/plimsoll/session_json.h"

#include <QString>

namespace plimsoll::app {

/// Undo and redo as a session keeps them: into \p session, each plan once.
void saveHistory(const PlanHistory& history, SavedSession& session);

/// Back from there. A plan gets a file of its own, as programs that we start need one. What cannot be taken is said in
/// \p unread.
[[nodiscard]] PlanHistory savedHistory(const SavedSession& session, std::vector<Message>& unread);

/// Bytes that a session keeps as a file that can be read: in the cache, in a folder named by their digest. Empty where
/// that cannot be written.
[[nodiscard]] QString cachedFile(const std::string& bytes, const QString& name);

} // namespace plimsoll::app
