#include "core/formats/files/base64.h"
#include "core/formats/files/json_text.h"
#include "core/formats/files/utf8.h"
#include "core/formats/plimsoll/constraints_json.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/formats/plimsoll/session_json.h"
#include "core/formats/plimsoll/suppression_json.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

Json pairJson(Interval range)
{
    return Json::array({range.begin, range.end});
}

Json graphJson(const GraphReference& graph)
{
    Json out = Json::object();
    if (!graph.relative.empty()) out["relative"] = graph.relative;
    out["absolute"] = graph.absolute;
    if (!graph.graph.empty()) out["graph"] = graph.graph;
    if (graph.bytes >= 0) out["bytes"] = graph.bytes;
    if (!graph.digest.empty()) out["digest"] = graph.digest;
    return out;
}

Json choicesJson(const SessionChoices& choices)
{
    Json out = Json::object();
    const auto add = [&](const char* key, const auto& map) {
        if (!map.empty()) out[key] = map;
    };
    add("policies", choices.policies);
    add("dims", choices.dims);
    add("shapes", choices.shapes);
    add("maxStored", choices.maxStored);
    if (!choices.constraints.empty()) out["constraints"] = constraintsJson(choices.constraints);
    if (choices.plan) out["plan"] = *choices.plan;
    return out;
}

template <typename Items, typename ToJson>
Json listJson(const Items& items, ToJson toJson)
{
    Json list = Json::array();
    for (const auto& item : items)
        list.push_back(toJson(item));
    return list;
}

Json pairsJson(const SavedPairs& same)
{
    return {{"comparison", same.comparison}, {"pairs", listJson(same.pairs, [](const auto& pair) {
                                                  return Json::array({pair.first, pair.second});
                                              })}};
}

Json focusJson(const NamedFocus& focus)
{
    Json out = Json::object();
    const auto add = [&](const char* key, const std::string& name) {
        if (!name.empty()) out[key] = name;
    };
    add("node", focus.node);
    add("value", focus.value);
    add("storage", focus.storage);
    add("rule", focus.rule);
    if (!focus.values.empty()) out["values"] = focus.values;
    add("space", focus.space);
    if (!focus.bytes.empty()) out["bytes"] = pairJson(focus.bytes);
    if (!focus.steps.empty()) out["steps"] = pairJson(focus.steps);
    if (focus.step >= 0) out["step"] = focus.step;
    return out;
}

Json bookmarkJson(const Bookmark& bookmark)
{
    Json out = {{"at", focusJson(bookmark.at)}, {"name", bookmark.name}};
    if (!bookmark.note.empty()) out["note"] = bookmark.note;
    return out;
}

Json groupJson(const NamedNodes& group)
{
    return {{"name", group.name}, {"nodes", group.nodes}};
}

Json editJson(const SavedEdit& edit)
{
    Json out = choicesJson(edit.choices);
    if (!edit.what.empty()) out["what"] = edit.what;
    if (edit.peakBytes) out["peakBytes"] = *edit.peakBytes;
    if (edit.suppressions) out["suppressions"] = listJson(*edit.suppressions, suppressionJson);
    if (edit.bookmarks) out["bookmarks"] = listJson(*edit.bookmarks, bookmarkJson);
    if (edit.groups) out["groups"] = listJson(*edit.groups, groupJson);
    if (!edit.same.empty()) out["same"] = listJson(edit.same, pairsJson);
    if (edit.back != 1) out["back"] = edit.back;
    return out;
}

Json savedPlanJson(const SavedPlan& saved)
{
    if (!saved.plan) return nullptr;
    Json out = planJson(*saved.plan);
    if (saved.ofGraph) out["ofGraph"] = true;
    return out;
}

Json savedRunJson(const SavedRun& run)
{
    Json out = {{"planDigest", run.planDigest}, {"asked", Json::parse(run.asked)}, {"result", Json::parse(run.result)}};
    if (run.record) {
        out["record"] = toBase64(run.record->steps);
        out["recordBytes"] = toBase64(run.record->bytes);
    }
    if (run.leftOutBytes > 0) out["leftOutBytes"] = run.leftOutBytes;
    return out;
}

} // namespace

std::string runFileText(const SavedRun& run)
{
    return jsonText(savedRunJson(run));
}

/// What is small stands first: of a file that is cut off, it is there.
std::string sessionJsonText(const SavedSession& session)
{
    Json out = {{"schema", "plimsoll.session/1"}};
    if (!session.savedAs.empty()) out["savedAs"] = session.savedAs;
    if (!session.runFile.empty()) out["runFile"] = session.runFile;
    out["graph"] = graphJson(session.graph);
    out["history"] = listJson(session.history, editJson);
    out["position"] = session.position;
    out["selection"] = focusJson(session.selection);
    out["stops"] = listJson(session.stops, focusJson);
    if (!session.suppressions.empty()) out["suppressions"] = listJson(session.suppressions, suppressionJson);
    if (!session.bookmarks.empty()) out["bookmarks"] = listJson(session.bookmarks, bookmarkJson);
    if (!session.groups.empty()) out["groups"] = listJson(session.groups, groupJson);
    if (!session.comparisons.empty()) out["comparisons"] = listJson(session.comparisons, graphJson);
    if (session.comparedWith) out["comparedWith"] = *session.comparedWith;
    if (!session.remarks.empty()) out["remarks"] = session.remarks;
    if (!session.view.empty()) out["view"] = session.view;
    if (session.rows != SavedRows())
        out["rows"] = {
            {"pinned", session.rows.pinned}, {"hidden", session.rows.hidden}, {"byModule", session.rows.byModule}};
    if (!session.layout.empty()) out["layout"] = toBase64(session.layout);
    if (!session.others.empty()) out.update(Json::parse(session.others));
    if (const auto& content = session.graph.content)
        out["content"] = isUtf8(*content) ? Json {{"text", *content}} : Json {{"base64", toBase64(*content)}};
    if (!session.plans.empty()) out["plans"] = listJson(session.plans, savedPlanJson);
    if (session.run) out["run"] = savedRunJson(*session.run);
    return jsonText(out);
}

} // namespace plimsoll
