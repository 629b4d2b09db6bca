#include "core/formats/plimsoll/plan_json.h"

#include "core/base/bytes.h"
#include "core/base/output_file.h"
#include "core/formats/files/json_input.h"
#include "core/formats/files/json_text.h"
#include "core/formats/plimsoll/from_file.h"
#include "core/formats/plimsoll/offer_json.h"
#include "core/formats/plimsoll/reserved_json.h"

#include <map>

namespace plimsoll {
namespace {

Result<ReservedBytes> readReserved(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    ReservedBytes region;
    PLIMSOLL_ASSIGN(offset, place.requiredInteger("offset"));
    PLIMSOLL_ASSIGN(bytes, place.requiredInteger("bytes"));
    PLIMSOLL_SET(region.why, place.textOr("why", {}));
    if (offset < 0) return place.at("offset").error(say("plan-json.negative-offset"));
    if (bytes < 0) return place.at("bytes").error(say("offer.negative-size"));
    const auto end = checkedAdd(offset, bytes);
    if (!end) return place.at("bytes").error(say("plan-json.no-end"));
    region.bytes = {offset, *end};
    return region;
}

Result<ArenaId> readArenaId(const JsonPlace& place, const PlanFile& plan)
{
    PLIMSOLL_ASSIGN(number, place.integerOr("arena", 0));
    if (number < 0 || number >= static_cast<std::int64_t>(plan.arenas.size()))
        return (place.has("arena") ? place.at("arena") : place)
            .error(say("plan-json.no-arena", word::Number(number), word::Number(plan.arenas.size())));
    return ArenaId(static_cast<std::size_t>(number));
}

Result<PlanFile::Entry> readEntry(const JsonPlace& place, const PlanFile& plan)
{
    PLIMSOLL_TRY(place.expectObject());
    PlanFile::Entry entry;
    PLIMSOLL_SET(entry.value, place.requiredText("value"));
    PLIMSOLL_SET(entry.offset, place.requiredInteger("offset"));
    PLIMSOLL_SET(entry.bytes, place.requiredInteger("bytes"));
    if (entry.bytes < 0) return place.at("bytes").error(say("offer.negative-size"));
    PLIMSOLL_SET(entry.host, place.textOr("host", {}));
    if (entry.host.empty()) PLIMSOLL_SET(entry.arena, readArenaId(place, plan));
    return entry;
}

Result<NamedStreams::Event> readEvent(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    NamedStreams::Event event;
    PLIMSOLL_SET(event.signal, place.requiredText("after"));
    PLIMSOLL_SET(event.waiter, place.requiredText("before"));
    return event;
}

Result<PlanFile> readOwnPlan(const JsonPlace& root)
{
    PlanFile plan;
    if (root.has("graph")) PLIMSOLL_SET(plan.graphDigest, root.at("graph").text());
    PLIMSOLL_SET(plan.edited, root.booleanOr("edited", false));
    PLIMSOLL_TRY(root.readList("arenas", plan.arenas, readPlannedArena));
    if (!root.has("allocations")) return root.error(say("plan-json.no-allocations"));
    PLIMSOLL_TRY(
        root.readList("allocations", plan.entries, [&](const JsonPlace& place) { return readEntry(place, plan); }));
    PLIMSOLL_TRY(root.readList("inserted", plan.entries, [&](const JsonPlace& place) -> Result<PlanFile::Entry> {
        PLIMSOLL_ASSIGN(entry, readEntry(place, plan));
        PLIMSOLL_SET(entry.afterStep, place.requiredInteger("afterStep"));
        return entry;
    }));
    if (root.has("implementations")) plan.implementations.emplace();
    PLIMSOLL_TRY(root.forEachField("implementations", [&](const std::string& node, const JsonPlace& place) -> Status {
        PLIMSOLL_SET((*plan.implementations)[node], place.text());
        return {};
    }));
    PLIMSOLL_TRY(readOffers(root, "offers", plan.offers, plan.unknownKeys));
    PLIMSOLL_TRY(root.readList("fused", plan.fused, &JsonPlace::text));
    if (root.has("streams") || root.has("events")) { // nothing said is not one stream: then the policy decides
        plan.streams.emplace();
        PLIMSOLL_TRY(root.forEachField("streams", [&](const std::string& node, const JsonPlace& place) -> Status {
            PLIMSOLL_ASSIGN(stream, place.integer());
            plan.streams->places.push_back({node, stream});
            return {};
        }));
        PLIMSOLL_TRY(root.readList("events", plan.streams->events, readEvent));
    }
    root.listUnknown({"schema", "graph", "arenas", "allocations", "inserted", "implementations", "offers", "fused",
                      "streams", "events", "steps", "edited"},
                     plan.unknownKeys);
    const auto within = [&](const char* key, std::initializer_list<std::string_view> known) {
        for (std::size_t i = 0; root.has(key) && i < root.at(key).size(); ++i)
            root.at(key).at(i).listUnknown(known, plan.unknownKeys);
    };
    within("arenas", {"space", "bytes", "alignment", "capacityBytes", "reserved"});
    within("allocations", {"value", "arena", "offset", "bytes", "host"});
    within("inserted", {"value", "arena", "offset", "bytes", "host", "afterStep"});
    within("events", {"after", "before"});
    if (root.has("steps")) plan.steps.emplace();
    if (plan.steps) PLIMSOLL_TRY(root.readList("steps", *plan.steps, &JsonPlace::text));
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
    PLIMSOLL_TRY(root.forEach("storages", [&](const JsonPlace& place) -> Status {
        const Status object = place.expectObject();
        if (!object.ok() || !place.has("arena")) return object;
        ReportStorage storage;
        PLIMSOLL_ASSIGN(id, place.requiredInteger("id"));
        PLIMSOLL_SET(storage.arena, readArenaId(place, plan));
        PLIMSOLL_SET(storage.offset, place.requiredInteger("offset"));
        PLIMSOLL_SET(storage.bytes, place.requiredInteger("bytes"));
        storages[id] = storage;
        PLIMSOLL_ASSIGN(node, place.textOr("scratchOf", {}));
        if (!node.empty())
            plan.entries.push_back(
                {std::string(ScratchPrefix) + node, storage.arena, storage.offset, storage.bytes, {}});
        return {};
    }));
    return storages;
}

Status appendReportValue(const JsonPlace& place, const std::map<std::int64_t, ReportStorage>& storages, PlanFile& plan)
{
    PLIMSOLL_TRY(place.expectObject());
    if (!place.has("storage") && !place.has("fusedInto")) return {};
    PlanFile::Entry entry;
    PLIMSOLL_SET(entry.value, place.requiredText("name"));
    if (place.has("fusedInto")) return plan.fused.push_back(std::move(entry.value)), Status();
    PLIMSOLL_SET(entry.host, place.textOr("host", {}));
    if (entry.host.empty()) {
        PLIMSOLL_ASSIGN(id, place.at("storage").integer());
        const auto storage = storages.find(id);
        if (storage == storages.end()) return {};
        entry.arena = storage->second.arena;
        PLIMSOLL_SET(entry.offset, place.integerOr("offset", storage->second.offset));
        PLIMSOLL_SET(entry.bytes, place.integerOr("requiredBytes", storage->second.bytes));
    } else {
        PLIMSOLL_SET(entry.offset, place.requiredInteger("offset"));
        PLIMSOLL_SET(entry.bytes, place.requiredInteger("requiredBytes"));
    }
    plan.entries.push_back(std::move(entry));
    return {};
}

/// What computes it, where that needs more than its tensors; and its stream, which a report says if there are several.
Status appendReportNode(const JsonPlace& place, PlanFile& plan, NamedStreams& streams)
{
    PLIMSOLL_TRY(place.expectObject());
    if (place.has("stream")) {
        NamedStreams::Place& where = streams.places.emplace_back();
        PLIMSOLL_SET(where.node, place.requiredText("name"));
        PLIMSOLL_SET(where.stream, place.at("stream").integer());
    }
    if (!place.has("backend") || place.has("added") || place.has("fusedInto")) return {};
    if (!plan.implementations) plan.implementations.emplace();
    PLIMSOLL_ASSIGN(node, place.requiredText("name"));
    std::vector<std::string> others; // a node of a report says more than its implementation
    PLIMSOLL_ASSIGN(offer, readOffer(place, others));
    PLIMSOLL_SET(offer.name, place.textOr("implementation", {}));
    if (offer.backend == ReferenceBackend && offer.name.empty()) return {};
    (*plan.implementations)[node] = pinOf(offer);
    plan.offers[node] = {std::move(offer)};
    return {};
}

Result<PlanFile> readReportPlan(const JsonPlace& root)
{
    PlanFile plan;
    NamedStreams streams;
    PLIMSOLL_TRY(root.readList("arenas", plan.arenas, readPlannedArena));
    PLIMSOLL_ASSIGN(storages, readStorages(root, plan));
    PLIMSOLL_TRY(
        root.forEach("values", [&](const JsonPlace& place) { return appendReportValue(place, storages, plan); }));
    PLIMSOLL_TRY(root.forEach("nodes", [&](const JsonPlace& place) { return appendReportNode(place, plan, streams); }));
    PLIMSOLL_TRY(root.forEach("fallbacks", [&](const JsonPlace& place) -> Status {
        PLIMSOLL_TRY(place.expectObject());
        PLIMSOLL_ASSIGN(node, place.requiredText("node"));
        if (plan.implementations) plan.implementations->emplace(node, ReferenceBackend);
        return {};
    }));
    PLIMSOLL_TRY(root.readList("events", streams.events, readEvent));
    if (root.has("steps")) plan.steps.emplace(); // in an order of their own
    if (plan.steps) PLIMSOLL_TRY(root.readList("steps", *plan.steps, &JsonPlace::text));
    if (!streams.places.empty()) plan.streams = std::move(streams);
    return plan;
}

} // namespace

Result<PlanFile> readPlanJson(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    PLIMSOLL_ASSIGN(schema, place.requiredText("schema"));
    if (schema == "plimsoll.plan/1") return readOwnPlan(place);
    if (schema == "plimsoll.report/1") return readReportPlan(place);
    return place.at("schema").error(say("plan-json.other-schema", word::Name {schema}));
}

Result<PlannedArena> readPlannedArena(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    PlannedArena arena;
    PLIMSOLL_SET(arena.space, place.textOr("space", "cpu"));
    if (arena.space.empty()) return place.at("space").error(say("plan-json.unnamed-space"));
    PLIMSOLL_SET(arena.bytes, place.requiredInteger("bytes"));
    PLIMSOLL_SET(arena.alignment, place.integerOr("alignment", 1));
    if (arena.bytes < 0) return place.at("bytes").error(say("plan-json.negative-arena"));
    if (arena.alignment < 1) return place.at("alignment").error(say("graph-json.alignment"));
    PLIMSOLL_TRY(place.readList("reserved", arena.reserved, readReserved));
    if (!place.has("capacityBytes")) return arena;
    PLIMSOLL_SET(arena.capacityBytes, place.at("capacityBytes").integer());
    if (*arena.capacityBytes < 0) return place.at("capacityBytes").error(say("plan-json.negative-capacity"));
    return arena;
}

Result<PlanFile> readPlanJson(std::string_view text, const std::filesystem::path& file)
{
    const auto read = [&]() -> Result<PlanFile> {
        PLIMSOLL_ASSIGN(json, parseJson(text));
        return readPlanJson(JsonPlace(json, {}));
    };
    return fromFile(read(), file);
}

nlohmann::ordered_json reservedJson(const std::vector<ReservedBytes>& reserved)
{
    auto list = nlohmann::ordered_json::array();
    for (const ReservedBytes& one : reserved) {
        list.push_back({{"offset", one.bytes.begin}, {"bytes", one.bytes.length()}});
        if (!one.why.empty()) list.back()["why"] = one.why;
    }
    return list;
}

nlohmann::ordered_json planJson(const PlanFile& plan)
{
    using Json = nlohmann::ordered_json;
    Json out = {{"schema", "plimsoll.plan/1"}};
    out["graph"] = plan.graphDigest ? Json(*plan.graphDigest) : Json(nullptr);
    if (plan.edited) out["edited"] = true;
    out["arenas"] = Json::array();
    for (const PlannedArena& arena : plan.arenas) {
        Json entry = {{"space", arena.space}, {"bytes", arena.bytes}, {"alignment", arena.alignment}};
        if (arena.capacityBytes) entry["capacityBytes"] = *arena.capacityBytes;
        if (!arena.reserved.empty()) entry["reserved"] = reservedJson(arena.reserved);
        out["arenas"].push_back(std::move(entry));
    }
    out["allocations"] = Json::array();
    for (const PlanFile::Entry& entry : plan.entries) {
        Json item = {{"value", entry.value}};
        if (entry.host.empty())
            item["arena"] = entry.arena.number();
        else
            item["host"] = entry.host;
        item["offset"] = entry.offset;
        item["bytes"] = entry.bytes;
        if (entry.afterStep) item["afterStep"] = *entry.afterStep;
        out[entry.afterStep ? "inserted" : "allocations"].push_back(std::move(item));
    }
    if (plan.implementations) out["implementations"] = *plan.implementations;
    if (!plan.offers.empty()) out["offers"] = offersJson(plan.offers);
    if (!plan.fused.empty()) out["fused"] = plan.fused;
    out["steps"] = plan.steps ? Json(*plan.steps) : Json(nullptr);
    if (!plan.streams) return out;
    out["streams"] = Json::object();
    for (const NamedStreams::Place& place : plan.streams->places)
        out["streams"][place.node] = place.stream;
    out["events"] = Json::array();
    for (const NamedStreams::Event& event : plan.streams->events)
        out["events"].push_back({{"after", event.signal}, {"before", event.waiter}});
    return out;
}

std::string planJsonText(const PlanFile& plan)
{
    return jsonText(planJson(plan));
}

Status writePlanJson(const PlanFile& plan, const std::filesystem::path& file)
{
    return writeFile(file, planJsonText(plan));
}

} // namespace plimsoll
