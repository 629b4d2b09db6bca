#include "core/formats/files/base64.h"
#include "core/formats/files/json_input.h"
#include "core/formats/files/mapped_file.h"
#include "core/formats/plimsoll/constraints_json.h"
#include "core/formats/plimsoll/from_file.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/formats/plimsoll/session_json.h"
#include "core/formats/plimsoll/suppression_json.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <set>

namespace plimsoll {
namespace {

constexpr std::string_view Schema = "plimsoll.session/1";
constexpr std::size_t Most = 100'000; ///< Elements of a list; no history is as long.
constexpr std::size_t Head = 4096;    ///< Bytes in which the writer has said what it is.

Result<Interval> readPair(const JsonPlace& place)
{
    if (!place.isList() || place.size() != 2) return place.error(say("session.range"));
    PLIMSOLL_ASSIGN(begin, place.at(std::size_t {0}).integer());
    PLIMSOLL_ASSIGN(end, place.at(std::size_t {1}).integer());
    if (begin < 0 || end < begin) return place.error(say("session.range"));
    return Interval {begin, end};
}

Result<GraphReference> readGraphReference(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    GraphReference graph;
    PLIMSOLL_SET(graph.relative, place.textOr("relative", {}));
    PLIMSOLL_SET(graph.absolute, place.textOr("absolute", {}));
    PLIMSOLL_SET(graph.graph, place.textOr("graph", {}));
    PLIMSOLL_SET(graph.bytes, place.integerOr("bytes", -1));
    PLIMSOLL_SET(graph.digest, place.textOr("digest", {}));
    return graph;
}

Status readNumbers(const JsonPlace& place, const char* key, std::map<std::string, std::int64_t>& numbers)
{
    return place.forEachField(key, [&](const std::string& name, const JsonPlace& field) -> Status {
        PLIMSOLL_ASSIGN(number, field.integer());
        if (number < 0) return field.error(say("session.negative"));
        numbers[name] = number;
        return {};
    });
}

Result<SavedRows> readRows(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    SavedRows rows;
    PLIMSOLL_TRY(place.readList("pinned", rows.pinned, &JsonPlace::text));
    PLIMSOLL_TRY(place.readList("hidden", rows.hidden, &JsonPlace::text));
    PLIMSOLL_SET(rows.byModule, place.booleanOr("byModule", false));
    return rows;
}

Result<std::size_t> readPosition(const JsonPlace& place)
{
    PLIMSOLL_ASSIGN(position, place.integer());
    if (position < 0) return place.error(say("session.negative"));
    return static_cast<std::size_t>(position);
}

Result<SessionChoices> readChoices(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    SessionChoices choices;
    PLIMSOLL_TRY(place.forEachField("policies", [&](const std::string& id, const JsonPlace& field) -> Status {
        PLIMSOLL_SET(choices.policies[id], field.text());
        return {};
    }));
    PLIMSOLL_TRY(readNumbers(place, "dims", choices.dims));
    PLIMSOLL_TRY(readNumbers(place, "maxStored", choices.maxStored));
    PLIMSOLL_TRY(place.forEachField("shapes", [&](const std::string& input, const JsonPlace& field) -> Status {
        Shape& shape = choices.shapes[input];
        return field.forEachElement([&](const JsonPlace& dim) -> Status {
            PLIMSOLL_ASSIGN(size, dim.integer());
            if (size < 0) return dim.error(say("session.negative"));
            shape.push_back(size);
            return {};
        });
    }));
    PLIMSOLL_SET(choices.constraints, readConstraints(place));
    if (place.has("plan")) PLIMSOLL_SET(choices.plan, readPosition(place.at("plan")));
    return choices;
}

Result<SavedPairs> readPairs(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    SavedPairs same;
    PLIMSOLL_ASSIGN(comparison, place.required("comparison"));
    PLIMSOLL_SET(same.comparison, readPosition(comparison));
    PLIMSOLL_TRY(
        place.readList("pairs", same.pairs, [](const JsonPlace& pair) -> Result<std::pair<std::string, std::string>> {
            if (!pair.isList() || pair.size() != 2) return pair.error(say("session.pair"));
            PLIMSOLL_ASSIGN(first, pair.at(std::size_t {0}).text());
            PLIMSOLL_ASSIGN(second, pair.at(std::size_t {1}).text());
            return std::pair(std::move(first), std::move(second));
        }));
    return same;
}

Result<NamedFocus> readFocus(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    NamedFocus focus;
    PLIMSOLL_SET(focus.node, place.textOr("node", {}));
    PLIMSOLL_SET(focus.value, place.textOr("value", {}));
    PLIMSOLL_SET(focus.storage, place.textOr("storage", {}));
    PLIMSOLL_SET(focus.rule, place.textOr("rule", {}));
    PLIMSOLL_TRY(place.readList("values", focus.values, &JsonPlace::text));
    PLIMSOLL_SET(focus.space, place.textOr("space", {}));
    if (place.has("bytes")) PLIMSOLL_SET(focus.bytes, readPair(place.at("bytes")));
    if (place.has("steps")) PLIMSOLL_SET(focus.steps, readPair(place.at("steps")));
    PLIMSOLL_SET(focus.step, place.integerOr("step", -1));
    return focus;
}

Result<Bookmark> readBookmark(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    Bookmark bookmark;
    if (place.has("at")) PLIMSOLL_SET(bookmark.at, readFocus(place.at("at")));
    PLIMSOLL_SET(bookmark.name, place.requiredText("name"));
    PLIMSOLL_SET(bookmark.note, place.textOr("note", {}));
    return bookmark;
}

Result<NamedNodes> readGroup(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    NamedNodes group;
    PLIMSOLL_SET(group.name, place.requiredText("name"));
    PLIMSOLL_TRY(place.readList("nodes", group.nodes, &JsonPlace::text));
    return group;
}

Result<SavedEdit> readEdit(const JsonPlace& place)
{
    SavedEdit edit;
    PLIMSOLL_SET(edit.choices, readChoices(place));
    PLIMSOLL_SET(edit.what, place.textOr("what", {}));
    if (place.has("peakBytes")) {
        PLIMSOLL_ASSIGN(bytes, place.at("peakBytes").integer());
        if (bytes < 0) return place.at("peakBytes").error(say("session.negative"));
        edit.peakBytes = bytes;
    }
    if (place.has("suppressions"))
        PLIMSOLL_TRY(place.readList("suppressions", edit.suppressions.emplace(), readSuppression));
    if (place.has("bookmarks")) PLIMSOLL_TRY(place.readList("bookmarks", edit.bookmarks.emplace(), readBookmark));
    PLIMSOLL_TRY(place.readList("same", edit.same, readPairs));
    if (place.has("groups")) PLIMSOLL_TRY(place.readList("groups", edit.groups.emplace(), readGroup));
    PLIMSOLL_SET(edit.back, place.integerOr("back", 1));
    if (edit.back < 1) return place.at("back").error(say("session.back"));
    return edit;
}

Result<SavedPlan> readSavedPlan(const JsonPlace& place)
{
    PLIMSOLL_ASSIGN(plan, readPlanJson(place));
    std::erase(plan.unknownKeys, place.path() + ".ofGraph");
    SavedPlan saved;
    PLIMSOLL_SET(saved.ofGraph, place.booleanOr("ofGraph", false));
    saved.plan = sharedPlan(std::move(plan));
    return saved;
}

Result<std::string> readBytes(const JsonPlace& place)
{
    PLIMSOLL_ASSIGN(letters, place.text());
    auto bytes = fromBase64(letters);
    if (!bytes) return place.error(say("session.base64"));
    return *std::move(bytes);
}

Result<std::optional<std::string>> readContent(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    std::optional<std::string> content;
    if (place.has("text")) PLIMSOLL_SET(content, place.at("text").text());
    if (place.has("base64")) PLIMSOLL_SET(content, readBytes(place.at("base64")));
    return content;
}

Result<SavedRun> readSavedRun(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    SavedRun run;
    PLIMSOLL_SET(run.planDigest, place.requiredText("planDigest"));
    for (const auto& [key, text] : {std::pair("asked", &run.asked), std::pair("result", &run.result)}) {
        PLIMSOLL_ASSIGN(object, place.required(key));
        PLIMSOLL_TRY(object.expectObject());
        *text = object.json();
    }
    PLIMSOLL_SET(run.leftOutBytes, place.integerOr("leftOutBytes", 0));
    if (!place.has("record")) return run;
    SavedRecord record;
    PLIMSOLL_SET(record.steps, readBytes(place.at("record")));
    if (place.has("recordBytes")) PLIMSOLL_SET(record.bytes, readBytes(place.at("recordBytes")));
    run.record = std::make_shared<const SavedRecord>(std::move(record));
    return run;
}

/// Reads parts of a session; of each that cannot be read a message is left.
struct PartReader
{
    const JsonPlace& root;
    std::vector<Message>& unread;

    template <typename T, typename Read>
    bool take(T& target, const JsonPlace& place, Read read) const
    {
        auto made = std::invoke(read, place);
        if (made.ok())
            target = std::move(made).value();
        else
            unread.push_back(toMessage(made.error()));
        return made.ok();
    }
    template <typename T, typename Read>
    void part(const char* key, T& target, Read read) const
    {
        if (root.has(key)) static_cast<void>(take(target, root.at(key), read));
    }
    /// Calls \p gone with the position of each element that cannot be read.
    template <typename T, typename Read, typename Gone>
    void list(const char* key, std::vector<T>& target, Read read, Gone gone) const
    {
        if (!root.has(key)) return;
        const JsonPlace place = root.at(key);
        if (!place.isList()) return unread.push_back(toMessage(place.error(say("pt2.list-expected"))));
        if (place.size() > Most) return unread.push_back(toMessage(place.error(say("session.too-many"))));
        for (std::size_t i = 0; i < place.size(); ++i) {
            T element;
            if (take(element, place.at(i), read))
                target.push_back(std::move(element));
            else
                gone(i);
        }
    }
};

SavedSession readParts(const JsonPlace& root, std::vector<Message>& unread)
{
    const PartReader reader {root, unread};
    const auto nothing = [](std::size_t) {};
    SavedSession session;
    std::int64_t position = 0;
    reader.part("position", position, &JsonPlace::integer);
    session.position = static_cast<std::size_t>(std::max<std::int64_t>(position, 0));
    const std::size_t saved = session.position;
    reader.list("history", session.history, readEdit, [&](std::size_t at) {
        if (at <= saved && session.position > 0) --session.position;
    });
    if (session.history.empty()) session.history.emplace_back();
    session.position = std::min(session.position, session.history.size() - 1);
    reader.part("selection", session.selection, readFocus);
    reader.list("stops", session.stops, readFocus, nothing);
    reader.list("suppressions", session.suppressions, readSuppression, nothing);
    reader.list("bookmarks", session.bookmarks, readBookmark, nothing);
    reader.list("groups", session.groups, readGroup, nothing);
    // One that cannot be read keeps its place: pairs know theirs.
    reader.list("comparisons", session.comparisons, readGraphReference,
                [&](std::size_t) { session.comparisons.emplace_back(); });
    reader.part("comparedWith", session.comparedWith, readPosition);
    reader.part("remarks", session.remarks, &JsonPlace::text);
    reader.part("view", session.view, &JsonPlace::text);
    reader.part("rows", session.rows, readRows);
    reader.part("layout", session.layout, readBytes);
    reader.part("savedAs", session.savedAs, &JsonPlace::text);
    reader.part("graph", session.graph, readGraphReference);
    reader.part("content", session.graph.content, readContent);
    // A plan that cannot be read keeps its place: others are known by theirs.
    reader.list("plans", session.plans, readSavedPlan, [&](std::size_t) { session.plans.emplace_back(); });
    reader.part("run", session.run, readSavedRun);
    reader.part("runFile", session.runFile, &JsonPlace::text);
    session.others = root.unknownFields({"schema",       "savedAs",      "history",   "position", "selection",
                                         "stops",        "suppressions", "bookmarks", "groups",   "comparisons",
                                         "comparedWith", "remarks",      "view",      "rows",     "layout",
                                         "graph",        "content",      "plans",     "run",      "runFile"});
    return session;
}

/// The fields of a damaged text that are whole, as JSON; empty where there are none. The writer begins each on a line
/// of its own, one blank deep.
std::string wholeFields(std::string_view text, std::vector<Message>& unread)
{
    constexpr std::string_view Mark = "\n \"";
    std::string fields;
    std::set<std::string> keys;
    for (std::size_t begin = text.find(Mark); begin != std::string_view::npos;) {
        const std::size_t next = text.find(Mark, begin + 1);
        std::string_view field = text.substr(begin + 1, next == std::string_view::npos ? next : next - begin - 1);
        field = field.substr(0, field.find_last_not_of(" \r\n") + 1);
        if (next == std::string_view::npos && field.ends_with("\n}")) field.remove_suffix(2);
        if (field.ends_with(',')) field.remove_suffix(1);
        const auto whole = parseJson("{" + std::string(field) + "}");
        const auto keep = [&](const std::string& key, const JsonPlace& place) -> Status {
            if (keys.insert(key).second) fields += (fields.empty() ? "{" : ",") + jsonQuoted(key) + ":" + place.json();
            return {};
        };
        if (whole.ok())
            static_cast<void>(JsonPlace(whole.value(), {}).forEachField(keep));
        else
            unread.push_back(say("session.field", word::Name {std::string(field.substr(2, field.find('"', 2) - 2))}));
        begin = next;
    }
    return fields.empty() ? fields : fields + "}";
}

Result<ReadSession> readRoot(std::string_view text)
{
    PLIMSOLL_TRY(checkJsonSize(text));
    ReadSession read;
    auto json = parseJson(text);
    if (!json.ok()) {
        read.unread.push_back(toMessage(json.error()));
        const std::string whole = wholeFields(text, read.unread);
        if (whole.empty()) return json.error();
        PLIMSOLL_SET(json, parseJson(whole));
    }
    const JsonPlace root(json.value(), {});
    PLIMSOLL_TRY(root.expectObject());
    const bool damaged = !read.unread.empty();
    if (!damaged || root.has("schema")) {
        PLIMSOLL_ASSIGN(schema, root.requiredText("schema"));
        if (schema != Schema) return root.at("schema").error(say("session.other-schema", word::Name {schema}));
    }
    read.session = readParts(root, read.unread);
    return read;
}

Result<SavedRun> readRunFile(const std::filesystem::path& file)
{
    PLIMSOLL_ASSIGN(mapped, MappedFile::open(file));
    PLIMSOLL_ASSIGN(json, parseJson(mapped.text()));
    return readSavedRun(JsonPlace(json, "run"));
}

} // namespace

bool beginsSession(std::string_view head)
{
    return head.starts_with('{') && head.find("\"plimsoll.session/") != std::string_view::npos;
}

bool isSessionFile(const std::filesystem::path& file)
{
    std::error_code none;
    if (!std::filesystem::is_regular_file(file, none)) return false;
    if (file.extension() == ".plimsoll") return true;
    std::string head(Head, '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(head.data(), static_cast<std::streamsize>(head.size()));
    return beginsSession(std::string_view(head).substr(0, static_cast<std::size_t>(stream.gcount())));
}

Result<ReadSession> readSessionJson(std::string_view text, const std::filesystem::path& file)
{
    return fromFile(readRoot(text), file);
}

Result<ReadSession> readSession(const std::filesystem::path& file)
{
    PLIMSOLL_ASSIGN(mapped, MappedFile::open(file));
    PLIMSOLL_ASSIGN(read, readSessionJson(mapped.text(), file));
    SavedSession& session = read.session;
    if (session.run || session.runFile.empty()) return read;
    const std::filesystem::path name(session.runFile);
    auto run = name == name.filename() ? readRunFile(file.parent_path() / name)
                                       : Result<SavedRun>(badInput(say("session.run-file"), "runFile"));
    if (run.ok())
        session.run = std::move(run).value();
    else
        read.unread.push_back(toMessage(run.error()));
    return read;
}

} // namespace plimsoll
