#include "core/formats/plimsoll/plan_json.h"

#include "core/base/output_file.h"
#include "core/formats/files/json_input.h"
#include "core/formats/files/json_text.h"
#include "core/formats/plimsoll/from_file.h"
#include "core/formats/plimsoll/offer_json.h"

#include <map>

namespace plimsoll {
namespace {

Result<std::int64_t> requiredInteger(const JsonPlace& place, const char* key)
{
    if (!place.has(key)) return place.error("\"" + std::string(key) + "\" is missing.");
    return place.at(key).integer();
}

Result<PlannedArena> readArena(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    PlannedArena arena;
    PLIMSOLL_ASSIGN(space, place.textOr("space", "cpu"));
    if (space.empty()) return place.at("space").error("A memory space has a name, such as \"cpu\".");
    PLIMSOLL_ASSIGN(bytes, requiredInteger(place, "bytes"));
    PLIMSOLL_ASSIGN(alignment, place.integerOr("alignment", 1));
    if (bytes < 0) return place.at("bytes").error("An arena has no negative size.");
    if (alignment < 1) return place.at("alignment").error("An alignment is at least 1.");
    arena.space = std::move(space);
    arena.bytes = bytes;
    arena.alignment = alignment;
    if (place.has("capacityBytes")) {
        PLIMSOLL_ASSIGN(capacity, place.at("capacityBytes").integer());
        if (capacity < 0) return place.at("capacityBytes").error("A capacity is not negative.");
        arena.capacityBytes = capacity;
    }
    return arena;
}

/// Of a plan's own file; a report has more of its own.
void listUnknownKeys(const JsonPlace& root, std::vector<std::string>& places)
{
    root.listUnknown({"schema", "graph", "arenas", "allocations", "inserted", "implementations", "offers", "fused",
                      "streams", "events", "steps"},
                     places);
    const auto within = [&](const char* key, std::initializer_list<std::string_view> known) {
        for (std::size_t i = 0; root.has(key) && i < root.at(key).value().size(); ++i)
            root.at(key).at(i).listUnknown(known, places);
    };
    within("arenas", {"space", "bytes", "alignment", "capacityBytes"});
    within("allocations", {"value", "arena", "offset", "bytes", "host"});
    within("inserted", {"value", "arena", "offset", "bytes", "host", "afterStep"});
    within("events", {"after", "before"});
}

Status readArenas(const JsonPlace& root, PlanFile& plan)
{
    return root.forEach("arenas", [&](const JsonPlace& place) -> Status {
        PLIMSOLL_ASSIGN(arena, readArena(place));
        plan.arenas.push_back(std::move(arena));
        return {};
    });
}

Result<ArenaId> readArenaId(const JsonPlace& place, const PlanFile& plan)
{
    PLIMSOLL_ASSIGN(number, place.integerOr("arena", 0));
    if (number < 0 || number >= static_cast<std::int64_t>(plan.arenas.size()))
        return (place.has("arena") ? place.at("arena") : place)
            .error("There is no arena " + std::to_string(number) + "; the plan has " +
                   std::to_string(plan.arenas.size()) + " (\"arenas\").");
    return ArenaId(static_cast<std::size_t>(number));
}

Result<PlanFile::Entry> readEntry(const JsonPlace& place, const PlanFile& plan)
{
    PLIMSOLL_TRY(place.expectObject());
    PLIMSOLL_ASSIGN(value, place.requiredText("value"));
    PLIMSOLL_ASSIGN(offset, requiredInteger(place, "offset"));
    PLIMSOLL_ASSIGN(bytes, requiredInteger(place, "bytes"));
    if (bytes < 0) return place.at("bytes").error("A size is not negative.");
    PLIMSOLL_ASSIGN(host, place.textOr("host", {}));
    if (!host.empty()) return PlanFile::Entry {std::move(value), {}, offset, bytes, std::move(host)};
    PLIMSOLL_ASSIGN(arena, readArenaId(place, plan));
    return PlanFile::Entry {std::move(value), arena, offset, bytes, {}};
}

Status appendEntry(PlanFile& plan, const JsonPlace& place)
{
    PLIMSOLL_ASSIGN(entry, readEntry(place, plan));
    plan.entries.push_back(std::move(entry));
    return {};
}

/// What was added beside the graph says where in the order it belongs.
Status appendInserted(PlanFile& plan, const JsonPlace& place)
{
    PLIMSOLL_TRY(appendEntry(plan, place));
    PLIMSOLL_ASSIGN(afterStep, requiredInteger(place, "afterStep"));
    plan.entries.back().afterStep = afterStep;
    return {};
}

Status readImplementations(const JsonPlace& root, PlanFile& plan)
{
    if (root.has("implementations")) {
        const JsonPlace all = root.at("implementations");
        PLIMSOLL_TRY(all.expectObject());
        plan.implementations.emplace();
        for (const auto& [node, name] : all.value().items()) {
            PLIMSOLL_ASSIGN(text, all.at(node.c_str()).text());
            (*plan.implementations)[node] = std::move(text);
        }
    }
    return readOffers(root, "offers", plan.offers, plan.unknownKeys);
}

Status appendName(const JsonPlace& place, std::vector<std::string>& names)
{
    PLIMSOLL_ASSIGN(name, place.text());
    names.push_back(std::move(name));
    return {};
}

Status appendEvent(const JsonPlace& place, NamedStreams& streams)
{
    PLIMSOLL_TRY(place.expectObject());
    PLIMSOLL_ASSIGN(after, place.requiredText("after"));
    PLIMSOLL_ASSIGN(before, place.requiredText("before"));
    streams.events.push_back({std::move(after), std::move(before)});
    return {};
}

/// Nothing said of streams is not the same as one stream: then the policy decides.
Status readStreams(const JsonPlace& root, PlanFile& plan)
{
    if (!root.has("streams") && !root.has("events")) return {};
    NamedStreams streams;
    if (root.has("streams")) {
        const JsonPlace all = root.at("streams");
        PLIMSOLL_TRY(all.expectObject());
        for (const auto& [node, stream] : all.value().items()) {
            PLIMSOLL_ASSIGN(number, all.at(node.c_str()).integer());
            streams.places.push_back({node, number});
        }
    }
    PLIMSOLL_TRY(root.forEach("events", [&](const JsonPlace& place) { return appendEvent(place, streams); }));
    plan.streams = std::move(streams);
    return {};
}

Status appendReportNode(const JsonPlace& place, NamedStreams& streams)
{
    PLIMSOLL_TRY(place.expectObject());
    if (!place.has("stream")) return {};
    PLIMSOLL_ASSIGN(name, place.requiredText("name"));
    PLIMSOLL_ASSIGN(stream, place.at("stream").integer());
    streams.places.push_back({std::move(name), stream});
    return {};
}

/// Of a report: it says of each node where it runs, if there are several streams.
Status readReportStreams(const JsonPlace& root, PlanFile& plan)
{
    NamedStreams streams;
    PLIMSOLL_TRY(root.forEach("nodes", [&](const JsonPlace& place) { return appendReportNode(place, streams); }));
    PLIMSOLL_TRY(root.forEach("events", [&](const JsonPlace& place) { return appendEvent(place, streams); }));
    if (!streams.places.empty()) plan.streams = std::move(streams);
    return {};
}

Result<PlanFile> readOwnPlan(const JsonPlace& root)
{
    PlanFile plan;
    if (root.has("graph")) {
        PLIMSOLL_ASSIGN(digest, root.at("graph").text());
        plan.graphDigest = std::move(digest);
    }
    PLIMSOLL_TRY(readArenas(root, plan));
    if (!root.has("allocations"))
        return root.error("\"allocations\" is missing: the list of what lies where. An empty one is [].");
    PLIMSOLL_TRY(root.forEach("allocations", [&](const JsonPlace& place) { return appendEntry(plan, place); }));
    PLIMSOLL_TRY(root.forEach("inserted", [&](const JsonPlace& place) { return appendInserted(plan, place); }));
    PLIMSOLL_TRY(readImplementations(root, plan));
    PLIMSOLL_TRY(root.forEach("fused", [&](const JsonPlace& place) { return appendName(place, plan.fused); }));
    PLIMSOLL_TRY(readStreams(root, plan));
    listUnknownKeys(root, plan.unknownKeys);
    if (!root.has("steps")) return plan;
    plan.steps.emplace();
    const Status status = root.forEach("steps", [&](const JsonPlace& place) { return appendName(place, *plan.steps); });
    if (!status.ok()) return status.error();
    return plan;
}

/// A storage of a report that lies in a planned arena.
struct ReportStorage
{
    ArenaId arena;
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
};

/// Storages in arenas by id. Those without an arena are inputs, parameters and constants: not part of a plan.
/// A storage without values is a scratchpad and carries its node's name ("scratchOf").
Result<std::map<std::int64_t, ReportStorage>> readStorages(const JsonPlace& root, PlanFile& plan)
{
    std::map<std::int64_t, ReportStorage> storages;
    const Status status = root.forEach("storages", [&](const JsonPlace& place) -> Status {
        const Status object = place.expectObject();
        if (!object.ok() || !place.has("arena")) return object;
        PLIMSOLL_ASSIGN(id, requiredInteger(place, "id"));
        PLIMSOLL_ASSIGN(arena, readArenaId(place, plan));
        PLIMSOLL_ASSIGN(offset, requiredInteger(place, "offset"));
        PLIMSOLL_ASSIGN(bytes, requiredInteger(place, "bytes"));
        storages[id] = {arena, offset, bytes};
        PLIMSOLL_ASSIGN(node, place.textOr("scratchOf", {}));
        if (!node.empty()) plan.entries.push_back({"scratch:" + node, arena, offset, bytes, {}});
        return {};
    });
    if (!status.ok()) return status.error();
    return storages;
}

Status appendReportValue(const JsonPlace& place, const std::map<std::int64_t, ReportStorage>& storages, PlanFile& plan)
{
    PLIMSOLL_TRY(place.expectObject());
    if (!place.has("storage") && !place.has("fusedInto")) return {};
    PLIMSOLL_ASSIGN(name, place.requiredText("name"));
    if (place.has("fusedInto")) {
        plan.fused.push_back(std::move(name));
        return {};
    }
    PLIMSOLL_ASSIGN(host, place.textOr("host", {}));
    if (!host.empty()) {
        PLIMSOLL_ASSIGN(offset, requiredInteger(place, "offset"));
        PLIMSOLL_ASSIGN(bytes, requiredInteger(place, "requiredBytes"));
        plan.entries.push_back({std::move(name), {}, offset, bytes, std::move(host)});
        return {};
    }
    PLIMSOLL_ASSIGN(id, place.at("storage").integer());
    const auto storage = storages.find(id);
    if (storage == storages.end()) return {};
    PLIMSOLL_ASSIGN(offset, place.integerOr("offset", storage->second.offset));
    PLIMSOLL_ASSIGN(bytes, place.integerOr("requiredBytes", storage->second.bytes));
    plan.entries.push_back({std::move(name), storage->second.arena, offset, bytes, {}});
    return {};
}

/// Who computes it, where that needs more than its tensors.
Status appendReportImplementation(const JsonPlace& place, PlanFile& plan)
{
    PLIMSOLL_TRY(place.expectObject());
    if (!place.has("backend") || place.has("added") || place.has("fusedInto")) return {};
    if (!plan.implementations) plan.implementations.emplace();
    PLIMSOLL_ASSIGN(node, place.requiredText("name"));
    std::vector<std::string> others; // a node of a report says more than its implementation
    PLIMSOLL_ASSIGN(offer, readOffer(place, others));
    PLIMSOLL_ASSIGN(name, place.textOr("implementation", {}));
    if (offer.backend == ReferenceBackend && name.empty()) return {};
    offer.name = std::move(name);
    (*plan.implementations)[node] = offer.backend + ":" + offer.name;
    plan.offers[node] = {std::move(offer)};
    return {};
}

Status appendReportFallback(const JsonPlace& place, PlanFile& plan)
{
    PLIMSOLL_TRY(place.expectObject());
    PLIMSOLL_ASSIGN(node, place.requiredText("node"));
    if (plan.implementations) plan.implementations->emplace(node, ReferenceBackend);
    return {};
}

Result<PlanFile> readReportPlan(const JsonPlace& root)
{
    PlanFile plan;
    PLIMSOLL_TRY(readArenas(root, plan));
    PLIMSOLL_ASSIGN(storages, readStorages(root, plan));
    PLIMSOLL_TRY(
        root.forEach("values", [&](const JsonPlace& place) { return appendReportValue(place, storages, plan); }));
    PLIMSOLL_TRY(root.forEach("nodes", [&](const JsonPlace& node) { return appendReportImplementation(node, plan); }));
    PLIMSOLL_TRY(root.forEach("fallbacks", [&](const JsonPlace& one) { return appendReportFallback(one, plan); }));
    PLIMSOLL_TRY(readReportStreams(root, plan));
    return plan;
}

Result<PlanFile> readRoot(const JsonPlace& root)
{
    PLIMSOLL_TRY(root.expectObject());
    PLIMSOLL_ASSIGN(schema, root.requiredText("schema"));
    if (schema == "plimsoll.plan/1") return readOwnPlan(root);
    if (schema == "plimsoll.report/1") return readReportPlan(root);
    return root.at("schema").error("The file is '" + schema +
                                   "', not a plan; plimsoll.plan/1 and plimsoll.report/1 are read.");
}

} // namespace

Result<PlanFile> readPlanJson(std::string_view text, const std::filesystem::path& file)
{
    const auto read = [&]() -> Result<PlanFile> {
        PLIMSOLL_ASSIGN(json, parseJson(text));
        return readRoot({json, {}});
    };
    return fromFile(read(), file);
}

using Json = nlohmann::ordered_json;

namespace {

void addStreams(const NamedStreams& streams, Json& out)
{
    out["streams"] = Json::object();
    for (const NamedStreams::Place& place : streams.places)
        out["streams"][place.node] = place.stream;
    out["events"] = Json::array();
    for (const NamedStreams::Event& event : streams.events)
        out["events"].push_back({{"after", event.signal}, {"before", event.waiter}});
}

Json entryJson(const PlanFile::Entry& entry)
{
    Json item = {{"value", entry.value}};
    if (entry.host.empty())
        item["arena"] = entry.arena.number();
    else
        item["host"] = entry.host;
    item["offset"] = entry.offset;
    item["bytes"] = entry.bytes;
    if (entry.afterStep) item["afterStep"] = *entry.afterStep;
    return item;
}

} // namespace

std::string planJsonText(const PlanFile& plan)
{
    Json out = {{"schema", "plimsoll.plan/1"}};
    out["graph"] = plan.graphDigest ? Json(*plan.graphDigest) : Json(nullptr);
    out["arenas"] = Json::array();
    for (const PlannedArena& arena : plan.arenas) {
        Json entry = {{"space", arena.space}, {"bytes", arena.bytes}, {"alignment", arena.alignment}};
        if (arena.capacityBytes) entry["capacityBytes"] = *arena.capacityBytes;
        out["arenas"].push_back(std::move(entry));
    }
    out["allocations"] = Json::array();
    for (const PlanFile::Entry& entry : plan.entries)
        out[entry.afterStep ? "inserted" : "allocations"].push_back(entryJson(entry));
    if (plan.implementations) out["implementations"] = *plan.implementations;
    if (!plan.offers.empty()) out["offers"] = offersJson(plan.offers);
    if (!plan.fused.empty()) out["fused"] = plan.fused;
    out["steps"] = plan.steps ? Json(*plan.steps) : Json(nullptr);
    if (plan.streams) addStreams(*plan.streams, out);
    return jsonText(out);
}

Status writePlanJson(const PlanFile& plan, const std::filesystem::path& file)
{
    return writeFile(file, planJsonText(plan));
}

} // namespace plimsoll
