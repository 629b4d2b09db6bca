#include "app/session/read_run.h"

#include "app/session/probe_json.h"
#include "core/formats/plimsoll/catalogue_json.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <limits>

namespace plimsoll::app {
namespace {

std::string text(const QJsonObject& object, const char* key)
{
    return object.value(QLatin1String(key)).toString().toStdString();
}

std::int64_t number(const QJsonObject& object, const char* key)
{
    return object.value(QLatin1String(key)).toInteger();
}

RunResult::Output output(const QJsonObject& object)
{
    RunResult::Output result;
    result.name = text(object, "name");
    result.dtype = dtypeFromName(text(object, "dtype")).value_or(DType::Unknown);
    for (const QJsonValue size : object.value(QLatin1String("shape")).toArray())
        result.shape.push_back(size.toInteger());
    for (const QJsonValue value : object.value(QLatin1String("data")).toArray())
        result.elements.push_back(elementText(value));
    result.digest = text(object, "digest");
    result.storage = storageTypeFromName(text(object, "storageType")).value_or(StorageType::Dense);
    if (result.storage != StorageType::Dense) result.kept = number(object, "stored");
    return result;
}

RunResult::Mismatch mismatch(const QJsonObject& object)
{
    const QJsonValue difference = object.value(QLatin1String("maxAbsDiff"));
    return {text(object, "value"),
            text(object, "node"),
            number(object, "step"),
            difference.isDouble() ? difference.toDouble() : std::numeric_limits<double>::quiet_NaN(),
            text(object, "note"),
            ruleFromId(text(object, "rule")).value_or(Rule::WrongValue)};
}

RunResult::Copies copies(const QJsonObject& object)
{
    return {text(object, "from"), text(object, "to"), number(object, "count"), number(object, "bytes"),
            object.value(QLatin1String("ms")).toDouble()};
}

std::optional<RunResult::Launched> launched(const QJsonValue& value)
{
    if (!value.isObject()) return std::nullopt;
    const QJsonObject object = value.toObject();
    return RunResult::Launched {number(object, "stretches"),
                                number(object, "times"),
                                object.value(QLatin1String("eagerMs")).toDouble(),
                                number(object, "replays"),
                                object.value(QLatin1String("captureMs")).toDouble(),
                                object.value(QLatin1String("replayMs")).toDouble(),
                                text(object, "why")};
}

RunResult::Held held(const QJsonObject& object)
{
    RunResult::Held held {text(object, "space"),      number(object, "plannedBytes"), number(object, "arenaBytes"),
                          number(object, "ownBytes"), number(object, "oracleBytes"),  {}};
    for (const QJsonValue step : object.value(QLatin1String("steps")).toArray())
        held.steps.push_back(step.toInteger());
    return held;
}

/// By memory space and step.
std::map<std::string, std::vector<std::int64_t>> bytesInUse(const QJsonObject& spaces)
{
    std::map<std::string, std::vector<std::int64_t>> bytes;
    for (auto space = spaces.begin(); space != spaces.end(); ++space) {
        for (const QJsonValue step : space.value().toArray())
            bytes[space.key().toStdString()].push_back(step.toInteger());
    }
    return bytes;
}

RunResult::Cut cut(const QJsonObject& object)
{
    RunResult::Cut cut {number(object, "limit"), {}};
    for (const QJsonValue loop : object.value(QLatin1String("loops")).toArray())
        cut.loops.push_back({text(loop.toObject(), "node"), number(loop.toObject(), "iterations")});
    return cut;
}

Result<QJsonObject> parse(const QByteArray& json)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (document.isObject()) return document.object();
    const std::string why = error.error ? error.errorString().toStdString() : "it is no object";
    return Error {ErrorCode::BadInput,
                  "The answer of plimsoll-cli is not JSON: " + why + ".",
                  "byte " + std::to_string(error.offset),
                  {}};
}

} // namespace

Result<RunResult> runFromReport(const QByteArray& json)
{
    PLIMSOLL_ASSIGN(report, parse(json));
    if (!report.value(QLatin1String("run")).isObject())
        return Error {ErrorCode::BadInput, "The report of plimsoll-cli has no run in it.", {}, {}};
    const QJsonObject run = report.value(QLatin1String("run")).toObject();
    RunResult result;
    result.mode = text(run, "mode");
    result.backend = text(run, "backend");
    result.fingerprintedNodes = number(run, "fingerprintedNodes");
    result.nodes = number(run, "nodes");
    result.ranNodes = number(run, "ranNodes");
    result.cut = cut(run.value(QLatin1String("cut")).toObject());
    result.measuredPeakBytes = number(run, "measuredPeakBytes");
    const QJsonObject spaces = run.value(QLatin1String("measuredBySpace")).toObject();
    for (auto space = spaces.begin(); space != spaces.end(); ++space)
        result.measuredBySpace[space.key().toStdString()] = space.value().toInteger();
    result.unplannedPeakBytes = number(run, "unplannedPeakBytes");
    for (const QJsonValue ms : run.value(QLatin1String("stepMs")).toArray())
        result.stepMs.push_back(ms.toDouble());
    result.bytesInUse = bytesInUse(run.value(QLatin1String("bytesInUse")).toObject());
    for (const QJsonValue entry : run.value(QLatin1String("held")).toArray())
        result.held.push_back(held(entry.toObject()));
    for (const QJsonValue entry : run.value(QLatin1String("copies")).toArray())
        result.copies.push_back(copies(entry.toObject()));
    result.launched = launched(run.value(QLatin1String("launched")));
    const QJsonObject compared = run.value(QLatin1String("compared")).toObject();
    result.comparedValues = number(compared, "values");
    result.comparedBytes = number(compared, "bytes");
    result.referenceValues = number(run, "referenceValues");
    for (const QJsonValue note : run.value(QLatin1String("notes")).toArray())
        result.notes.push_back(note.toString().toStdString());
    for (const QJsonValue entry : run.value(QLatin1String("mismatches")).toArray())
        result.mismatches.push_back(mismatch(entry.toObject()));
    for (const QJsonValue entry : run.value(QLatin1String("outputs")).toArray())
        result.outputs.push_back(output(entry.toObject()));
    for (const QJsonValue order : run.value(QLatin1String("orders")).toArray())
        result.orders.push_back(order.toString().toStdString());
    result.probe = probeFromRun(run);
    result.replayed = replayedFromRun(run);
    for (const QJsonValue entry : run.value(QLatin1String("gradients")).toArray())
        result.gradients.push_back(output(entry.toObject()));
    return result;
}

Result<Catalogue> catalogueFromJson(const QByteArray& json)
{
    Result<Catalogue> catalogue = readCatalogueJson({json.constData(), static_cast<std::size_t>(json.size())}, {});
    if (catalogue.ok()) return catalogue;
    Error error = catalogue.error();
    error.message = "plimsoll-cli did not answer with a catalogue: " + error.message;
    return error;
}

} // namespace plimsoll::app
