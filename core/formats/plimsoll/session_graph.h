#pragma once

#include "core/formats/format.h"
#include "core/formats/plimsoll/session_json.h"

#include <set>

namespace plimsoll {

/// Where the graph of a session is now.
struct FoundGraph
{
    std::filesystem::path file;         ///< Empty: it is not there; the bytes that the session keeps are.
    std::optional<std::string> content; ///< Those bytes.
    Message note {};                    ///< Where it is, unless in the folder of the session.
};

/// Beside the session, then where it was, then in the session itself. A file out of the session's folder is named in
/// the note. Nothing is read. An Error names the places where it was looked for.
[[nodiscard]] Result<FoundGraph> findGraph(const GraphReference& graph, const std::filesystem::path& session);

/// Where a file that a session names lies now: beside the session, then where it was. Empty: neither; both are in
/// \p tried.
[[nodiscard]] std::filesystem::path findFile(const GraphReference& reference, const std::filesystem::path& session,
                                             std::vector<std::string>& tried);

/// What to say of a graph that is another than the one that the session was saved with; empty where it is the same.
[[nodiscard]] Message changeOf(const GraphReference& saved, std::string_view digest, std::int64_t bytes);

/// The file of a graph, "FILE#NAME", with its size, and the way to it from the folder of the session that will be
/// saved. \p session empty: there is no such way.
[[nodiscard]] GraphReference referenceTo(const std::filesystem::path& opened, const std::filesystem::path& session);
/// Puts the bytes of a small file into the reference, so that the session opens without it.
[[nodiscard]] Status keepContent(GraphReference& graph);

/// One message about parts that could not be read, and the first of them; empty where there are none.
[[nodiscard]] Message unreadParts(const std::vector<Message>& parts);

/// The choices on top of what \p policies has; ids go to \p named. What cannot be taken is said.
[[nodiscard]] std::vector<Message> takePolicies(const std::map<std::string, std::string>& chosen, Policies& policies,
                                                std::set<std::string, std::less<>>& named);

/// The graph of a session with the plan that it judges, and its choices. Notes of the graph say where it was found,
/// what has changed, and what could not be read.
struct SessionContent
{
    FormatContent content;
    SessionChoices choices {};
    bool isSession = false; ///< False where a graph was read that is in none.
};
[[nodiscard]] Result<SessionContent> readSessionContent(const std::filesystem::path& session, const Context& context);

} // namespace plimsoll
