#include "core/report/saved_report.h"

#include "core/base/bytes.h"
#include "core/facts/arena_peaks.h"
#include "core/facts/compare/fullest_moment.h"
#include "core/formats/files/json_input.h"
#include "core/formats/files/mapped_file.h"
#include "core/formats/format.h"
#include "core/formats/plimsoll/from_file.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/formats/top_words.h"
#include "core/report/completeness_json.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace plimsoll {
namespace {

/// Ids by the names that the file uses.
struct Names
{
    std::unordered_map<std::string, ValueId> values;
    std::unordered_map<std::string, NodeId> nodes;
};

template <typename Id>
Result<Id> idNamed(const JsonPlace& place, const std::unordered_map<std::string, Id>& names)
{
    PLIMSOLL_ASSIGN(name, place.text());
    const auto found = names.find(name);
    if (found == names.end()) return place.error(say("saved-report.unknown", word::Name {name}));
    return found->second;
}

/// An id of so many things; invalid where the field is missing or null.
template <typename Id>
Result<Id> idAt(const JsonPlace& place, const char* key, std::size_t count)
{
    if (!place.has(key)) return Id();
    PLIMSOLL_ASSIGN(number, place.at(key).integer());
    if (number < 0 || static_cast<std::size_t>(number) >= count)
        return place.at(key).error(say("saved-report.no-such", word::Number(number)));
    return Id(static_cast<std::size_t>(number));
}

Result<LiveRanges> readLive(const JsonPlace& place, std::int64_t steps)
{
    steps = std::max<std::int64_t>(1, steps); // also of a graph without nodes
    LiveRanges live;
    PLIMSOLL_TRY(place.forEach("liveRanges", [&](const JsonPlace& range) -> Status {
        if (!range.isList() || range.size() != 2) return range.error(say("saved-report.range"));
        PLIMSOLL_ASSIGN(begin, range.at(std::size_t {0}).integer());
        PLIMSOLL_ASSIGN(end, range.at(std::size_t {1}).integer());
        if (begin < 0 || end < begin || end > steps) return range.error(say("saved-report.range"));
        live.add(Interval {begin, end});
        return {};
    }));
    return live;
}

ValueRole roleNamed(const std::string& role)
{
    if (role == "input") return ValueRole::Input;
    if (role == "parameter") return ValueRole::Parameter;
    if (role == "constant") return ValueRole::Constant;
    return role == "body-input" ? ValueRole::BodyInput : ValueRole::Intermediate;
}

/// A node and the steps that it spans; what is fused into another one has that one's.
Status readNode(const JsonPlace& place, Schedule& schedule, Graph& graph, Names& names)
{
    Node node;
    PLIMSOLL_SET(node.name, place.requiredText("name"));
    PLIMSOLL_SET(node.op, place.textOr("op", {}));
    PLIMSOLL_ASSIGN(begin, place.integerOr("step", -1));
    PLIMSOLL_ASSIGN(end, place.integerOr("endStep", begin + 1));
    const NodeId id(graph.nodes.size());
    names.nodes.emplace(node.name, id);
    graph.nodes.push_back(std::move(node));
    schedule.nodes.push_back(begin < 0 ? Interval {} : Interval {begin, end});
    if (begin < 0) return {};
    if (end <= begin || end > schedule.length()) return place.at("step").error(say("saved-report.range"));
    if (place.has("fusedInto")) return {};
    const bool nests = end > begin + 1;
    if (nests) schedule.steps[static_cast<std::size_t>(end - 1)] = {StepKind::Exit, id, {}};
    schedule.steps[static_cast<std::size_t>(begin)] = {nests ? StepKind::Enter : StepKind::Node, id, {}};
    return {};
}

/// Where no node stands, a body of the innermost node around it ends.
void nameLeaves(Schedule& schedule)
{
    std::vector<NodeId> around = {NodeId(std::size_t {0})};
    for (Step& step : schedule.steps) {
        if (!step.node.valid()) step = {StepKind::Leave, around.back(), {}};
        if (step.kind == StepKind::Enter) around.push_back(step.node);
        if (step.kind == StepKind::Exit && around.size() > 1) around.pop_back();
    }
}

Status readNodes(const JsonPlace& root, Report& report, Graph& graph, Names& names)
{
    Schedule& schedule = report.program.schedule;
    schedule.steps.resize(report.memory.liveBytes.size());
    PLIMSOLL_TRY(
        root.forEach("nodes", [&](const JsonPlace& place) { return readNode(place, schedule, graph, names); }));
    if (!graph.nodes.empty()) nameLeaves(schedule);
    return {};
}

/// What is told of an incomplete plan: nothing of it is said as if it were of the whole.
Status readGaps(const JsonPlace& root, Report& report, const Names& names)
{
    if (!root.has("incomplete")) return {};
    const JsonPlace incomplete = root.at("incomplete");
    PLIMSOLL_TRY(incomplete.expectObject());
    PLIMSOLL_ASSIGN(values, incomplete.integerOr("values", 0));
    report.verdict.completeness.unsized = static_cast<std::size_t>(std::max<std::int64_t>(0, values));
    return incomplete.readList("missing", report.verdict.completeness.gaps, [&](const JsonPlace& place) -> Result<Gap> {
        Gap gap;
        PLIMSOLL_ASSIGN(kind, place.requiredText("kind"));
        const auto known = std::ranges::find(GapKinds, kind);
        if (known == GapKinds.end()) return place.at("kind").error(say("saved-report.unknown", word::Name {kind}));
        gap.kind = static_cast<Gap::Kind>(known - GapKinds.begin());
        PLIMSOLL_ASSIGN(reason, place.textOr("reason", {}));
        gap.reason = Message(reason);
        if (place.has("value"))
            PLIMSOLL_SET(gap.value, idNamed(place.at("value"), names.values));
        else if (gap.kind != Gap::Kind::NoNodes)
            return place.error(say("saved-report.unknown", word::Name {"value"}));
        return gap;
    });
}

Status readValues(const JsonPlace& root, Report& report, Graph& graph, Names& names)
{
    const std::size_t storages = root.has("storages") ? root.at("storages").size() : 0;
    return root.forEach("values", [&](const JsonPlace& place) -> Status {
        Value value;
        PlannedValue planned;
        PLIMSOLL_SET(value.name, place.requiredText("name"));
        if (place.has("space")) PLIMSOLL_SET(value.at.edit().space, place.textOr("space", {}));
        PLIMSOLL_ASSIGN(role, place.textOr("role", {}));
        value.role = roleNamed(role);
        PLIMSOLL_SET(planned.storage, idAt<StorageId>(place, "storage", storages));
        PLIMSOLL_SET(planned.logicalBytes, place.integerOr("logicalBytes", -1));
        PLIMSOLL_SET(planned.requiredBytes, place.integerOr("requiredBytes", -1));
        PLIMSOLL_SET(planned.offset, place.integerOr("offset", 0));
        PLIMSOLL_SET(planned.visible, place.booleanOr("visible", false));
        PLIMSOLL_SET(planned.live, readLive(place, report.program.schedule.length()));
        const ValueId id(graph.values.size());
        if (place.has("fusedInto"))
            PLIMSOLL_SET(graph.decided.at(id).fusedInto, idNamed(place.at("fusedInto"), names.nodes));
        names.values.emplace(value.name, id);
        graph.values.push_back(std::move(value));
        report.program.values.push_back(std::move(planned));
        return {};
    });
}

/// Sums of offsets and of rounded sizes fit in 63 bits.
Status readStorages(const JsonPlace& root, Report& report, const Names& names)
{
    const std::vector<PlannedArena>& arenas = report.program.map.arenas;
    std::int64_t taken = 0;
    return root.forEach("storages", [&](const JsonPlace& place) -> Status {
        Storage storage;
        PLIMSOLL_SET(storage.arena, idAt<ArenaId>(place, "arena", arenas.size()));
        PLIMSOLL_SET(storage.offset, place.requiredInteger("offset"));
        PLIMSOLL_SET(storage.bytes, place.requiredInteger("bytes"));
        const std::int64_t alignment = storage.arena.valid() ? arenas[storage.arena.index()].alignment : 1;
        const auto rounded = checkedAlignUp(std::max<std::int64_t>(0, storage.bytes), alignment);
        const auto sum = rounded ? checkedAdd(taken, *rounded) : std::nullopt;
        if (!sum || !checkedAdd(std::max<std::int64_t>(0, storage.offset), *sum))
            return place.at("bytes").error(say("saved-report.end"));
        taken = *sum;
        PLIMSOLL_SET(storage.live, readLive(place, report.program.schedule.length()));
        PLIMSOLL_TRY(place.readList("values", storage.values,
                                    [&](const JsonPlace& value) { return idNamed(value, names.values); }));
        if (place.has("scratchOf")) PLIMSOLL_SET(storage.scratchOf, idNamed(place.at("scratchOf"), names.nodes));
        report.program.storages.push_back(std::move(storage));
        return {};
    });
}

Result<Finding> readFinding(const JsonPlace& place, const Names& names)
{
    Finding finding;
    PLIMSOLL_ASSIGN(rule, place.requiredText("rule"));
    PLIMSOLL_ASSIGN(severity, place.requiredText("severity"));
    PLIMSOLL_ASSIGN(message, place.textOr("message", {}));
    const auto known = ruleFromId(rule);
    if (!known) return place.at("rule").error(say("saved-report.unknown", word::Name {rule}));
    finding.rule = *known;
    finding.message = Message(message);
    for (const Severity one : {Severity::Error, Severity::Warning, Severity::Advice}) {
        if (severityName(one) == severity) finding.severity = one;
    }
    PLIMSOLL_TRY(
        place.readList("values", finding.values, [&](const JsonPlace& value) { return idNamed(value, names.values); }));
    PLIMSOLL_TRY(
        place.readList("nodes", finding.nodes, [&](const JsonPlace& node) { return idNamed(node, names.nodes); }));
    return finding;
}

Status readVerdict(const JsonPlace& root, Report& report, const Names& names)
{
    PLIMSOLL_TRY(root.readList("findings", report.verdict.findings,
                               [&](const JsonPlace& place) { return readFinding(place, names); }));
    for (const Severity one : {Severity::Error, Severity::Warning, Severity::Advice}) {
        if (!root.has("findingsLeftOut")) break;
        PLIMSOLL_ASSIGN(count, root.at("findingsLeftOut").integerOr(std::string(severityName(one)).c_str(), 0));
        report.verdict.leftOut[static_cast<std::size_t>(one)] =
            static_cast<std::size_t>(std::max<std::int64_t>(0, count));
    }
    return {};
}

/// 0 where it is missing.
Result<std::int64_t> sizeOr0(const JsonPlace& root, const char* key)
{
    PLIMSOLL_ASSIGN(bytes, root.integerOr(key, 0));
    if (bytes < 0) return root.at(key).error(say("offer.negative-size"));
    return bytes;
}

Status readTotals(const JsonPlace& root, Report& report)
{
    MemoryUse& use = report.memory;
    PLIMSOLL_SET(use.peakBytes, root.requiredInteger("peakBytes"));
    PLIMSOLL_SET(use.lowerBoundBytes, sizeOr0(root, "lowerBoundBytes"));
    PLIMSOLL_SET(use.noReuseBytes, sizeOr0(root, "noReuseBytes"));
    PLIMSOLL_SET(use.externalBytes, sizeOr0(root, "externalBytes"));
    PLIMSOLL_SET(use.parameterBytes, sizeOr0(root, "parameterBytes"));
    PLIMSOLL_SET(use.preparedBytes, sizeOr0(root, "preparedBytes"));
    PLIMSOLL_SET(report.training.boundaryBytes, sizeOr0(root, "boundaryBytes"));
    PLIMSOLL_SET(report.program.ownPlan, root.booleanOr("ownPlan", true));
    PLIMSOLL_TRY(root.readList("liveBytes", use.liveBytes, &JsonPlace::integer));
    PLIMSOLL_TRY(root.readList("arenas", use.arenas, [](const JsonPlace& place) -> Result<ArenaUse> {
        ArenaUse arena;
        PLIMSOLL_SET(arena.lowerBoundBytes, sizeOr0(place, "lowerBoundBytes"));
        PLIMSOLL_SET(arena.noReuseBytes, sizeOr0(place, "noReuseBytes"));
        return arena;
    }));
    return root.forEachField("policies", [&](const std::string& id, const JsonPlace& place) -> Status {
        PLIMSOLL_ASSIGN(value, place.text());
        return setPolicy(report.program.policies, id, value);
    });
}

/// Compared is what the arenas hold, so it has to be what the report says of the peak.
Status checkPeak(const JsonPlace& root, const Report& report)
{
    std::optional<std::int64_t> sum = 0;
    for (std::size_t arena = 0; arena < report.program.map.arenas.size() && sum; ++arena)
        sum = checkedAdd(*sum, arenaHeight(report, ArenaId(arena)));
    if (sum == report.memory.peakBytes) return {};
    return root.at("peakBytes").error(sum ? say("saved-report.peak", *sum) : say("saved-report.end"));
}

Result<Report> readRoot(const JsonPlace& root)
{
    PLIMSOLL_TRY(root.expectObject());
    Report report;
    Graph graph;
    Names names;
    if (root.has("graph")) {
        PLIMSOLL_SET(graph.name, root.at("graph").textOr("name", {}));
        PLIMSOLL_SET(report.captured.digest, root.at("graph").textOr("digest", {}));
    }
    graph.file.format = "plimsoll.report/1";
    PLIMSOLL_TRY(readTotals(root, report));
    PLIMSOLL_TRY(readNodes(root, report, graph, names));
    PLIMSOLL_TRY(readValues(root, report, graph, names));
    PLIMSOLL_TRY(root.readList("arenas", report.program.map.arenas, readPlannedArena));
    PLIMSOLL_TRY(readStorages(root, report, names));
    PLIMSOLL_TRY(readVerdict(root, report, names));
    PLIMSOLL_TRY(readGaps(root, report, names));
    PLIMSOLL_TRY(checkPeak(root, report));
    report.memory.peaks = arenaPeaks(report.program);
    report.memory.storages = plannedStorages(report.program);
    report.program.graph = std::make_shared<const Graph>(std::move(graph));
    return report;
}

} // namespace

bool isSavedReport(std::string_view head)
{
    return head.starts_with('{') && topWords(head).contains("plimsoll.report/1");
}

Result<Report> readSavedReport(std::string_view text)
{
    PLIMSOLL_ASSIGN(json, parseJson(text));
    return readRoot({json, {}});
}

Result<Report> openSavedReport(const std::filesystem::path& file)
{
    PLIMSOLL_ASSIGN(mapped, MappedFile::open(file));
    return fromFile(readSavedReport(FormatInput(mapped.bytes()).text()), file);
}

} // namespace plimsoll
