#include "core/report/run_json.h"

#include <charconv>
#include <cmath>
#include <optional>

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

template <typename Number>
std::optional<Number> parsed(const std::string& text)
{
    Number number {};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// Numbers as numbers, non-finite ones and strings as strings.
Json element(DType dtype, const std::string& text)
{
    if (dtype == DType::String) return text;
    if (text == "true" || text == "false") return text == "true";
    if (!isFloatingPoint(dtype)) {
        if (const auto number = parsed<std::int64_t>(text)) return *number;
        if (const auto number = parsed<std::uint64_t>(text)) return *number;
    }
    const auto number = parsed<double>(text);
    return number && std::isfinite(*number) ? Json(*number) : Json(text);
}

/// JSON has no NaN: a difference that is none is null.
Json finiteOrNull(double number)
{
    return std::isfinite(number) ? Json(number) : Json(nullptr);
}

Json outputJson(const RunResult::Output& output)
{
    Json data = Json::array();
    for (const std::string& text : output.elements)
        data.push_back(element(output.dtype, text));
    Json json {{"name", output.name},
               {"dtype", dtypeName(output.dtype)},
               {"shape", output.shape},
               {"data", std::move(data)},
               {"digest", output.digest}};
    if (output.storage == StorageType::Dense) return json;
    json["storageType"] = storageTypeName(output.storage);
    json["stored"] = output.kept;
    return json;
}

Json mismatchJson(const RunResult::Mismatch& mismatch)
{
    return {{"value", mismatch.value}, {"node", mismatch.node},
            {"step", mismatch.step},   {"maxAbsDiff", finiteOrNull(mismatch.maxAbsDiff)},
            {"note", mismatch.note},   {"rule", ruleId(mismatch.rule)}};
}

Json handleJson(const HandleName& handle)
{
    return {{"kind", handle.output ? "output" : "input"}, {"index", handle.index}, {"value", handle.value}};
}

Json contentJson(const ProbeWrite::Content& content)
{
    Json json = handleJson(content.handle);
    if (content.elements.empty()) {
        json["digest"] = content.digest;
        return json;
    }
    json["data"] = Json::array();
    for (const std::string& text : content.elements)
        json["data"].push_back(element(content.dtype, text));
    return json;
}

Json writeJson(const ProbeWrite& write)
{
    Json changed = Json::array();
    for (const ProbeWrite::Change& change : write.changed) {
        Json json = handleJson(change.handle);
        json["bytes"] = change.bytes;
        json["predicted"] = change.predicted;
        changed.push_back(std::move(json));
    }
    Json unchanged = Json::array();
    for (const HandleName& handle : write.unchanged)
        unchanged.push_back(handleJson(handle));
    Json after = Json::array();
    for (const ProbeWrite::Content& content : write.after)
        after.push_back(contentJson(content));
    return {{"written", handleJson(write.handle)},
            {"refused", write.outcome == ProbeWrite::Outcome::Refused},
            {"skipped", write.outcome == ProbeWrite::Outcome::Skipped},
            {"detached", write.outcome == ProbeWrite::Outcome::Detached},
            {"reason", write.reason},
            {"partner", write.partner ? handleJson(*write.partner) : Json(nullptr)},
            {"detachedBytes", write.detachedBytes},
            {"liveBytes", write.liveBytes},
            {"changed", std::move(changed)},
            {"unchanged", std::move(unchanged)},
            {"after", std::move(after)}};
}

Json writesJson(const RunResult& run)
{
    Json writes = Json::array();
    if (!run.probe) return writes;
    for (const ProbeWrite& write : run.probe->writes)
        writes.push_back(writeJson(write));
    return writes;
}

Json notesJson(const std::vector<WriteProbe::Stale>& notes)
{
    Json list = Json::array();
    for (const WriteProbe::Stale& one : notes) {
        Json json = handleJson(one.handle);
        json["note"] = one.note;
        list.push_back(std::move(json));
    }
    return list;
}

Json secondRunJson(const WriteProbe& probe)
{
    return {{"refreshed", probe.refreshedOutputs}, {"stale", notesJson(probe.stale)}};
}

Json betweenJson(const WriteProbe::Between& between)
{
    Json writes = Json::array();
    for (const ProbeWrite& write : between.writes)
        writes.push_back(writeJson(write));
    return {{"writes", std::move(writes)}, {"changed", notesJson(between.changed)}, {"expected", between.expected}};
}

Json copiesJson(const RunResult& run)
{
    Json list = Json::array();
    for (const RunResult::Copies& copies : run.copies)
        list.push_back({{"from", copies.from},
                        {"to", copies.to},
                        {"count", copies.count},
                        {"bytes", copies.bytes},
                        {"ms", copies.ms}});
    return list;
}

Json heldJson(const RunResult& run)
{
    Json list = Json::array();
    for (const RunResult::Held& held : run.held)
        list.push_back({{"space", held.space},
                        {"plannedBytes", held.plannedBytes},
                        {"arenaBytes", held.arenaBytes},
                        {"ownBytes", held.ownBytes},
                        {"otherBytes", held.otherBytes()},
                        {"peakBytes", held.peakBytes()},
                        {"oracleBytes", held.oracleBytes},
                        {"steps", held.steps}});
    return list;
}

Json cutJson(const RunResult::Cut& cut)
{
    if (cut.loops.empty()) return nullptr;
    Json loops = Json::array();
    for (const RunResult::Cut::Loop& loop : cut.loops)
        loops.push_back({{"node", loop.node}, {"iterations", loop.iterations}});
    return {{"limit", cut.limit}, {"loops", std::move(loops)}};
}

Json launchedJson(const RunResult::Launched& launched)
{
    return {{"stretches", launched.stretches},
            {"times", launched.times},
            {"eagerMs", launched.eagerMs},
            {"replays", launched.replays},
            {"captureMs", launched.captureMs},
            {"replayMs", launched.replayMs},
            {"why", launched.why}};
}

} // namespace

nlohmann::ordered_json runJson(const RunResult& run)
{
    Json mismatches = Json::array();
    for (const RunResult::Mismatch& mismatch : run.mismatches)
        mismatches.push_back(mismatchJson(mismatch));
    Json outputs = Json::array();
    for (const RunResult::Output& output : run.outputs)
        outputs.push_back(outputJson(output));
    Json gradients = Json::array();
    for (const RunResult::Output& gradient : run.gradients)
        gradients.push_back(outputJson(gradient));
    return {{"mode", run.mode},
            {"backend", run.backend},
            {"fingerprintedNodes", run.fingerprintedNodes},
            {"nodes", run.nodes},
            {"ranNodes", run.ranNodes},
            {"cut", cutJson(run.cut)},
            {"measuredPeakBytes", run.measuredPeakBytes},
            {"measuredBySpace", run.measuredBySpace},
            {"unplannedPeakBytes", run.unplannedPeakBytes},
            {"detachBytes", run.probe ? run.probe->detachedBytes() : 0},
            {"stepMs", run.stepMs},
            {"bytesInUse", run.bytesInUse},
            {"held", heldJson(run)},
            {"copies", copiesJson(run)},
            {"launched", run.launched ? launchedJson(*run.launched) : Json(nullptr)},
            {"compared", {{"values", run.comparedValues}, {"bytes", run.comparedBytes}}},
            {"referenceValues", run.referenceValues},
            {"mismatches", std::move(mismatches)},
            {"notes", run.notes},
            {"orders", run.orders},
            {"replayed", run.replayed ? notesJson(*run.replayed) : Json(nullptr)},
            {"outputs", std::move(outputs)},
            {"gradients", std::move(gradients)},
            {"writeProbe", writesJson(run)},
            {"liveBytes", run.probe ? Json(run.probe->liveBytes) : Json(nullptr)},
            {"secondRun", run.probe ? secondRunJson(*run.probe) : Json(nullptr)},
            {"betweenProbe", run.probe && run.probe->between ? betweenJson(*run.probe->between) : Json(nullptr)}};
}

} // namespace plimsoll
