#include "core/formats/plimsoll/session_graph.h"

#include "core/formats/files/mapped_file.h"
#include "core/formats/plimsoll/graph_in_file.h"
#include "core/formats/read_graph.h"

#include <algorithm>
#include <utility>

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t LargestKept = 1 << 20;

bool isFile(const fs::path& path)
{
    std::error_code none;
    return path.native().find('\0') == std::string::npos && fs::is_regular_file(path, none);
}

std::int64_t sizeOf(const fs::path& file)
{
    std::error_code failure;
    const auto bytes = fs::file_size(file, failure);
    return failure || !std::in_range<std::int64_t>(bytes) ? -1 : static_cast<std::int64_t>(bytes);
}

fs::path folderOfSession(const fs::path& session)
{
    std::error_code none;
    return fs::weakly_canonical(fs::absolute(session, none), none).parent_path();
}

bool isInside(const fs::path& file, const fs::path& folder)
{
    std::error_code none;
    const fs::path real = fs::weakly_canonical(file, none);
    return std::mismatch(folder.begin(), folder.end(), real.begin(), real.end()).first == folder.end();
}

Result<FormatContent> readFound(const FoundGraph& found, const GraphReference& graph, const Context& context)
{
    if (found.file.empty()) return readFile(FormatInput(*found.content, {}, graph.graph), context);
    return readFile(graph.graph.empty() ? found.file : fs::path(found.file.string() + "#" + graph.graph), context);
}

} // namespace

fs::path findFile(const GraphReference& reference, const fs::path& session, std::vector<std::string>& tried)
{
    for (const std::string& name : {reference.relative, reference.absolute}) {
        if (name.empty()) continue;
        fs::path file = (folderOfSession(session) / name).lexically_normal();
        tried.push_back(file.string());
        if (isFile(file)) return file;
    }
    return {};
}

Result<FoundGraph> findGraph(const GraphReference& graph, const fs::path& session)
{
    std::vector<std::string> tried;
    if (const fs::path file = findFile(graph, session, tried); !file.empty()) {
        const bool inside = isInside(file, folderOfSession(session));
        return FoundGraph {file, {}, inside ? Message() : say("session.graph-elsewhere", word::Name {file.string()})};
    }
    if (graph.content) return FoundGraph {{}, graph.content, say("session.graph-kept", namesOf(tried))};
    if (tried.empty()) return badInput(say("session.no-graph"), "graph", session.string());
    return badInput(say("session.graph-gone", namesOf(tried)), "graph", session.string());
}

Message changeOf(const GraphReference& saved, std::string_view digest, std::int64_t bytes)
{
    const bool known = !saved.digest.empty() && !digest.empty();
    if (known && saved.digest != digest) return say("session.graph-changed");
    if (saved.bytes >= 0 && bytes >= 0 && saved.bytes != bytes) return say("session.file-changed", saved.bytes, bytes);
    return {};
}

GraphReference referenceTo(const fs::path& opened, const fs::path& session)
{
    const GraphPlace place = graphPlace(opened);
    GraphReference graph;
    std::error_code none;
    const fs::path file = fs::weakly_canonical(fs::absolute(place.file, none), none);
    if (!session.empty()) graph.relative = file.lexically_relative(folderOfSession(session)).string();
    graph.absolute = file.string();
    graph.graph = place.graph;
    graph.bytes = sizeOf(file);
    return graph;
}

Status keepContent(GraphReference& graph)
{
    if (graph.content) return {};
    if (graph.bytes < 0 || static_cast<std::uintmax_t>(graph.bytes) > LargestKept) return {};
    PLIMSOLL_ASSIGN(mapped, MappedFile::open(graph.absolute));
    graph.content.emplace(mapped.text());
    return {};
}

std::vector<Message> takePolicies(const std::map<std::string, std::string>& chosen, Policies& policies,
                                  std::set<std::string, std::less<>>& named)
{
    std::vector<Message> refused;
    for (const auto& [id, value] : chosen) {
        const Status taken = setPolicy(policies, id, value);
        if (taken.ok())
            named.insert(id);
        else
            refused.push_back(taken.error().message);
    }
    return refused;
}

Result<SessionContent> readSessionContent(const fs::path& session, const Context& context)
{
    PLIMSOLL_ASSIGN(read, readSession(session));
    PLIMSOLL_ASSIGN(found, findGraph(read.session.graph, session));
    PLIMSOLL_ASSIGN(content, readFound(found, read.session.graph, context));
    std::vector<Message>& notes = content.graph.notes;
    const std::int64_t bytes = found.file.empty() ? read.session.graph.bytes : sizeOf(found.file);
    const Message change = changeOf(read.session.graph, graphDigest(content.graph), bytes);
    for (Message note : {found.note, change, unreadParts(read.unread)})
        if (!note.empty()) notes.push_back(std::move(note));
    SessionChoices choices = choicesOf(read.session);
    content.plan.reset();
    if (const SavedPlan* judged = judgedBy(read.session, choices)) {
        PlanFile plan = *judged->plan;
        plan.file = judged->ofGraph ? content.graph.file.path.string() : session.string();
        content.plan = std::move(plan);
    }
    return SessionContent {std::move(content), std::move(choices), true};
}

Message unreadParts(const std::vector<Message>& parts)
{
    if (parts.empty()) return {};
    constexpr std::size_t Most = 5;
    Message all = say("session.unread");
    for (std::size_t i = 0; i < std::min(parts.size(), Most); ++i)
        all = together(std::move(all), parts[i]);
    return all;
}

} // namespace plimsoll
