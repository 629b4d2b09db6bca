#include "app/session/document/saved_run.h"

#include "core/facts/plan_digest.h"
#include "core/formats/files/json_input.h"
#include "core/formats/files/mapped_file.h"
#include "core/record/run_record.h"
#include "core/report/run_json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace plimsoll::app {
namespace {

constexpr std::size_t LargestRecord = std::size_t {64} << 20;

nlohmann::json askedJson(const RunRequest& request)
{
    return {{"mode", request.mode.toStdString()},
            {"seed", std::int64_t {request.seed}},
            {"inputs", request.inputs.toStdString()},
            {"reference", request.reference},
            {"emulateDevice", request.emulateDevice},
            {"writeProbe", request.writeProbe},
            {"poison", request.poison}};
}

Result<RunRequest> readAsked(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    RunRequest request;
    PLIMSOLL_ASSIGN(mode, place.textOr("mode", "auto"));
    request.mode = QString::fromStdString(mode);
    PLIMSOLL_SET(request.seed, place.integerOr("seed", 0));
    PLIMSOLL_ASSIGN(inputs, place.textOr("inputs", {}));
    request.inputs = QString::fromStdString(inputs);
    PLIMSOLL_SET(request.reference, place.booleanOr("reference", false));
    PLIMSOLL_SET(request.emulateDevice, place.booleanOr("emulateDevice", false));
    PLIMSOLL_SET(request.writeProbe, place.booleanOr("writeProbe", false));
    PLIMSOLL_SET(request.poison, place.booleanOr("poison", true));
    return request;
}

} // namespace

SavedRun savedRun(const ShownRun& run)
{
    SavedRun saved;
    saved.planDigest = planDigest(*run.report);
    saved.asked = askedJson(run.request).dump();
    saved.result = runJson(*run.result).dump();
    if (run.recordFile.isEmpty()) return saved;
    const std::filesystem::path file = run.recordFile.toStdString();
    const auto steps = MappedFile::open(file);
    const auto bytes = MappedFile::open(bytesFileOf(file));
    if (!steps.ok()) return saved; // it could not be read before either, which was said
    const std::string_view lines = steps.value().text();
    const std::string_view kept = bytes.ok() ? bytes.value().text() : std::string_view();
    if (lines.size() + kept.size() > LargestRecord)
        saved.leftOutBytes = static_cast<std::int64_t>(lines.size() + kept.size());
    else
        saved.record = std::make_shared<const SavedRecord>(SavedRecord {std::string(lines), std::string(kept)});
    return saved;
}

Result<RestoredRun> restoredRun(const SavedRun& saved)
{
    RestoredRun run;
    run.planDigest = saved.planDigest;
    PLIMSOLL_ASSIGN(asked, parseJson(saved.asked));
    PLIMSOLL_SET(run.request, readAsked(JsonPlace(asked, "run.asked")));
    PLIMSOLL_ASSIGN(result, readRunJson("{\"run\":" + saved.result + "}"));
    if (std::ranges::any_of(result.mismatches, [](const auto& mismatch) { return mismatch.step < 0; }))
        return Error {ErrorCode::BadInput, say("session.negative"), "run.result.mismatches", {}};
    run.result = std::make_shared<const RunResult>(std::move(result));
    run.record = saved.record;
    if (saved.leftOutBytes > 0) run.note = say("session.no-record", word::Size {saved.leftOutBytes});
    return run;
}

} // namespace plimsoll::app
