#pragma once

#include "app/session/plan_history.h"
#include "core/formats/plimsoll/session_json.h"

namespace plimsoll::app {

/// Undo and redo as a session keeps them: into \p session, each plan once, with what is said. \p graphFile says which
/// plan came with the graph; files are named as the session's \p file will find them.
void saveHistory(const PlanHistory& history, const std::string& graphFile, const std::filesystem::path& file,
                 SavedSession& session);

/// Back from there; \p graphFile is where the graph lies now. Other plans are of no file. What cannot be taken is said
/// in \p unread.
[[nodiscard]] PlanHistory savedHistory(const SavedSession& session, const std::string& graphFile,
                                       const std::filesystem::path& file, std::vector<Message>& unread);

/// Which of the files that plans are compared with that is; added where it is none yet.
std::size_t comparisonIn(SavedSession& session, const QString& compared, const std::filesystem::path& file);
/// Where such a file lies now: in \p gone the places where it was looked for in vain.
[[nodiscard]] QString comparedFile(const GraphReference& saved, const std::filesystem::path& file,
                                   std::vector<std::string>& gone);

} // namespace plimsoll::app
