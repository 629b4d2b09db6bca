#include "core/advice/bisect_json.h"

#include "core/facts/english/english.h"
#include "core/facts/words/run_sentences.h"
#include "core/formats/files/json_input.h"
#include "core/formats/files/json_text.h"
#include "core/plan/plan_file.h"
#include "core/report/run_json.h"

#include <algorithm>
#include <span>

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

Json pairOf(Interval range)
{
    return {range.begin, range.end};
}

/// As events of a plan have it, and on which streams the two stand.
Json waitJson(const Program& program, const StreamEvent& event)
{
    return {{"after", (*program.graph)[event.signal].name},
            {"afterStream", program.streams.of(event.signal)},
            {"before", (*program.graph)[event.waiter].name},
            {"beforeStream", program.streams.of(event.waiter)}};
}

Json culpritJson(const Program& program, const Culprit& culprit)
{
    const Graph& graph = *program.graph;
    const std::vector<std::string> later = namesOf(graph, culprit.later);
    std::vector<std::string> values = culprit.earlier ? namesOf(graph, *culprit.earlier) : std::vector<std::string>();
    const bool lone = culprit.wait && !culprit.earlier; // no bytes mend it
    const std::vector<std::string> apart = lone ? std::vector<std::string>() : culprit.laterApart ? later : values;
    values.insert(values.end(), later.begin(), later.end());
    std::vector<std::string> nodes;
    for (const NodeId node : culprit.nodes)
        nodes.push_back(graph[node].name);
    Json json = {{"values", std::move(values)},
                 {"apart", apart},
                 {"nodes", std::move(nodes)},
                 {"steps", pairOf(culprit.steps)},
                 {"arena", culprit.arena.valid() ? culprit.arena.number() : -1},
                 {"bytes", pairOf(culprit.bytes)},
                 {"message", english(mismatchText(culprit.mismatch))}};
    if (culprit.wait) json["wait"] = waitJson(program, *culprit.wait);
    return json;
}

Result<Interval> intervalFrom(const JsonPlace& place, const char* key)
{
    std::vector<std::int64_t> ends;
    PLIMSOLL_TRY(place.readList(key, ends, &JsonPlace::integer));
    if (ends.size() != 2) return place.error(say("bisect.no-interval", key));
    return Interval {ends[0], ends[1]};
}

/// Of the names from \p begin to \p end.
Result<Culprit::Side> sideFrom(const JsonPlace& place, const Graph& graph, std::span<const std::string> names)
{
    Culprit::Side side;
    for (const std::string& name : names) {
        if (const ValueId value = findValue(graph, name); value.valid())
            side.values.push_back(value);
        else if (name.starts_with(ScratchPrefix))
            side.scratchOf = findNode(graph, name.substr(ScratchPrefix.size()));
        if (side.values.empty() && !side.scratchOf.valid())
            return place.error(say("bisect.no-such-value", word::Name {name}));
    }
    return side;
}

Result<StreamEvent> waitFrom(const JsonPlace& place, const Graph& graph)
{
    PLIMSOLL_ASSIGN(after, place.requiredText("after"));
    PLIMSOLL_ASSIGN(before, place.requiredText("before"));
    const StreamEvent event {findNode(graph, after), findNode(graph, before)};
    if (event.signal.valid() && event.waiter.valid()) return event;
    return place.error(say("bisect.no-such-node", word::Name {event.signal.valid() ? before : after}));
}

Result<Culprit> culpritFrom(const JsonPlace& place, const Graph& graph)
{
    Culprit culprit;
    std::vector<std::string> values;
    std::vector<std::string> apart;
    std::vector<std::string> nodes;
    PLIMSOLL_TRY(place.readList("values", values, &JsonPlace::text));
    PLIMSOLL_TRY(place.readList("apart", apart, &JsonPlace::text));
    PLIMSOLL_TRY(place.readList("nodes", nodes, &JsonPlace::text));
    if (place.has("wait")) PLIMSOLL_SET(culprit.wait, waitFrom(place.at("wait"), graph));
    if (apart.empty() && culprit.wait) apart = values;
    if (apart.empty() || apart.size() > values.size()) return place.error(say("bisect.no-side"));
    const std::span<const std::string> all(values);
    culprit.laterApart = std::ranges::equal(all.last(apart.size()), apart);
    const std::size_t earlier = culprit.laterApart ? all.size() - apart.size() : apart.size();
    if (earlier > 0) PLIMSOLL_SET(culprit.earlier, sideFrom(place, graph, all.first(earlier)));
    PLIMSOLL_SET(culprit.later, sideFrom(place, graph, all.subspan(earlier)));
    for (const std::string& name : nodes)
        if (const NodeId node = findNode(graph, name); node.valid()) culprit.nodes.push_back(node);
    PLIMSOLL_ASSIGN(arena, place.requiredInteger("arena"));
    if (arena >= 0) culprit.arena = ArenaId(static_cast<std::size_t>(arena));
    PLIMSOLL_SET(culprit.steps, intervalFrom(place, "steps"));
    PLIMSOLL_SET(culprit.bytes, intervalFrom(place, "bytes"));
    return culprit;
}

} // namespace

std::vector<std::string> namesOf(const Graph& graph, const Culprit::Side& side)
{
    if (side.scratchOf.valid()) return {std::string(ScratchPrefix) + graph[side.scratchOf].name};
    std::vector<std::string> names;
    for (const ValueId value : side.values)
        names.push_back(graph[value].name);
    return names;
}

std::string bisectJsonText(const Program& program, const Bisection& found)
{
    Json culprits = Json::array();
    RunResult spoiled;
    for (const Culprit& culprit : found.culprits) {
        culprits.push_back(culpritJson(program, culprit));
        spoiled.mismatches.push_back(culprit.mismatch);
    }
    if (found.elsewhere) spoiled.mismatches.push_back(*found.elsewhere);
    Json json = {{"schema", "plimsoll.bisect/1"},
                 {"culprits", std::move(culprits)},
                 {"runs", found.runs},
                 {"sharings", found.sharings}};
    if (found.elsewhere) json["elsewhere"] = english(mismatchText(*found.elsewhere));
    json["run"]["mismatches"] = runJson(spoiled)["mismatches"];
    return jsonText(json, 2);
}

Result<Bisection> readBisectJson(std::string_view text, const Graph& graph)
{
    PLIMSOLL_ASSIGN(json, parseJson(text));
    const JsonPlace root(json, {});
    Bisection found;
    PLIMSOLL_TRY(
        root.readList("culprits", found.culprits, [&](const JsonPlace& place) { return culpritFrom(place, graph); }));
    PLIMSOLL_SET(found.runs, root.requiredInteger("runs"));
    PLIMSOLL_SET(found.sharings, root.requiredInteger("sharings"));
    PLIMSOLL_ASSIGN(spoiled, readRunJson(text));
    const std::size_t wanted = found.culprits.size() + (root.has("elsewhere") ? 1 : 0);
    if (spoiled.mismatches.size() != wanted) return root.error(say("bisect.mismatches", wanted));
    for (std::size_t i = 0; i < found.culprits.size(); ++i)
        found.culprits[i].mismatch = std::move(spoiled.mismatches[i]);
    if (root.has("elsewhere")) found.elsewhere = std::move(spoiled.mismatches.back());
    return found;
}

} // namespace plimsoll
