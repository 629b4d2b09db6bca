#pragma once

#include "core/base/interval.h"
#include "core/base/result.h"
#include "core/graph/named_nodes.h"
#include "core/graph/tensor_type.h"
#include "core/plan/constraints.h"
#include "core/plan/plan_file.h"
#include "core/plan/suppression.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

/// Where the graph of a session lay when it was saved, and what it was then.
struct GraphReference
{
    std::string relative; ///< From the folder of the session; empty: there is no such way.
    std::string absolute;
    std::string graph; ///< NAME of "FILE#NAME", or empty.
    std::int64_t bytes = -1;
    std::string digest;                 ///< graphDigest(); empty: not known.
    std::optional<std::string> content; ///< All bytes of the file, where it is small.
};

/// What is chosen about a plan. Policies are those that were chosen; others follow the graph.
struct SessionChoices
{
    std::map<std::string, std::string> policies {};
    std::map<std::string, std::int64_t> dims {};
    std::map<std::string, Shape> shapes {};
    std::map<std::string, std::int64_t> maxStored {};
    Constraints constraints {};
    std::optional<std::size_t> plan {}; ///< That is judged: which of SavedSession::plans.

    friend bool operator==(const SessionChoices&, const SessionChoices&) = default;
};

/// What is said to be the same in the plan and in another one, by names.
struct SavedPairs
{
    std::size_t comparison = 0;                                ///< Which of SavedSession::comparisons the other one is.
    std::vector<std::pair<std::string, std::string>> pairs {}; ///< What the other one has, and this one.

    friend bool operator==(const SavedPairs&, const SavedPairs&) = default;
};

/// What is looked at, by names: at most one of node, value, storage, finding and area, and a step.
struct NamedFocus
{
    std::string node {};
    std::string value {};
    std::string storage {}; ///< Its first value.
    std::string rule {};    ///< Of a finding, with its values.
    std::vector<std::string> values {};
    std::string space {}; ///< Memory of an area.
    Interval bytes {};
    Interval steps {}; ///< Of an area; empty: all.
    std::int64_t step = -1;

    friend bool operator==(const NamedFocus&, const NamedFocus&) = default;
};

/// A thing that the user wants to find again.
struct Bookmark
{
    NamedFocus at {};
    std::string name {}; ///< Of the user's own.
    std::string note {}; ///< May be empty.

    friend bool operator==(const Bookmark&, const Bookmark&) = default;
};

/// One state of undo and redo.
struct SavedEdit
{
    SessionChoices choices {};
    std::string what {}; ///< As it was called when it was made; empty: the choices tell.
    std::optional<std::int64_t> peakBytes {};
    std::optional<std::vector<Suppression>> suppressions {}; ///< Nothing: those of the session.
    std::vector<SavedPairs> same {};
    std::optional<std::vector<Bookmark>> bookmarks {}; ///< Nothing: those of the session…
    std::optional<std::vector<NamedNodes>> groups {};  ///< …here, too.
    std::int64_t back = 1;                             ///< It was made from the edit that stands so many before it.

    friend bool operator==(const SavedEdit&, const SavedEdit&) = default;
};

/// What of the live ranges is looked at, by names.
struct SavedRows
{
    std::vector<std::string> pinned {};
    std::vector<std::string> hidden {};
    bool byModule = false;

    friend bool operator==(const SavedRows&, const SavedRows&) = default;
};

struct SavedPlan
{
    std::shared_ptr<const PlanFile> plan {}; ///< Null: it could not be read.
    bool ofGraph = false;                    ///< The file of the graph brought it.
};

/// The two files of a plimsoll.record/1.
struct SavedRecord
{
    std::string steps {};
    std::string bytes {};
};

/// The last run, of the plan that is shown.
struct SavedRun
{
    std::string planDigest {};
    std::string asked {};                         ///< How it was run: a JSON object.
    std::string result {};                        ///< The "run" of plimsoll.report/1.
    std::shared_ptr<const SavedRecord> record {}; ///< What each step left; null: none was kept…
    std::int64_t leftOutBytes = 0;                ///< …or it has so many bytes, too many for a session.
};

/// What plimsoll.session/1 carries: all that a window shows, but for what follows from the graph.
struct SavedSession
{
    GraphReference graph {};
    std::vector<SavedEdit> history {}; ///< Undo and redo.
    std::size_t position = 0;          ///< Of the one that holds.
    NamedFocus selection {};
    std::vector<NamedFocus> stops {};
    std::vector<Suppression> suppressions {};   ///< That hold…
    std::vector<Bookmark> bookmarks {};         ///< …and of these those…
    std::vector<NamedNodes> groups {};          ///< …and those; of the graph, by hand.
    std::vector<GraphReference> comparisons {}; ///< Files that the plan was compared with: places alone…
    std::optional<std::size_t> comparedWith {}; ///< …and with which it is.
    std::string remarks {};                     ///< Free text about it.
    std::string view {};                        ///< The picture that is shown.
    SavedRows rows {};
    std::string layout {};  ///< Of the window: bytes that only it understands.
    std::string savedAs {}; ///< Of a copy for safety: the file of the session itself.
    std::vector<SavedPlan> plans {};
    std::optional<SavedRun> run {};
    std::string runFile {}; ///< Of a copy for safety: the file beside it that has the run.
    std::string others {};  ///< Fields that are not known, as a JSON object: they are kept. Empty: none.
};

/// The choices that hold.
[[nodiscard]] inline SessionChoices choicesOf(const SavedSession& session)
{
    return session.position < session.history.size() ? session.history[session.position].choices : SessionChoices();
}
/// The plan that is judged by those choices; null where there is none.
[[nodiscard]] inline const SavedPlan* judgedBy(const SavedSession& session, const SessionChoices& choices)
{
    const bool any = choices.plan && *choices.plan < session.plans.size() && session.plans[*choices.plan].plan;
    return any ? &session.plans[*choices.plan] : nullptr;
}

struct ReadSession
{
    SavedSession session;
    std::vector<Message> unread; ///< Parts that could not be read, with their places.
};

/// Whether a file that begins so is a plimsoll.session.
[[nodiscard]] bool beginsSession(std::string_view head);
/// Whether there is a file of that name, and it is one.
[[nodiscard]] bool isSessionFile(const std::filesystem::path& file);

/// Reads each part on its own: what is damaged is listed, all else is there. An Error where nothing is whole, or the
/// text is something else.
[[nodiscard]] Result<ReadSession> readSessionJson(std::string_view text, const std::filesystem::path& file);
[[nodiscard]] Result<ReadSession> readSession(const std::filesystem::path& file);

[[nodiscard]] std::string sessionJsonText(const SavedSession& session);
/// What SavedSession::runFile has.
[[nodiscard]] std::string runFileText(const SavedRun& run);

} // namespace plimsoll
