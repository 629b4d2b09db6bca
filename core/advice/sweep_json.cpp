#include "core/advice/sweep_json.h"

#include "core/facts/english/english.h"
#include "core/formats/files/json_input.h"
#include "core/formats/files/json_text.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

Json pointJson(const SweepPoint& point)
{
    Json json = {{"values", point.values}};
    if (!point.refused.empty()) {
        json["refused"] = english(point.refused);
        return json;
    }
    json["peakBytes"] = point.cost.peakBytes;
    json["lowerBoundBytes"] = point.lowerBoundBytes;
    json["externalBytes"] = point.cost.externalBytes;
    json["boundaryBytes"] = point.cost.savedBytes;
    json["kernelMs"] = point.cost.kernelMs;
    json["measured"] = point.cost.measured;
    json["untimedNodes"] = point.cost.untimedNodes;
    json["complete"] = point.complete;
    json["errors"] = point.errors;
    return json;
}

Result<SweepAxis> axisFrom(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    SweepAxis axis;
    axis.ofPolicy = place.has("policy");
    PLIMSOLL_SET(axis.name, place.requiredText(axis.ofPolicy ? "policy" : "dimension"));
    PLIMSOLL_TRY(place.readList("values", axis.values, &JsonPlace::text));
    return axis;
}

Result<SweepPoint> pointFrom(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    SweepPoint point;
    PLIMSOLL_TRY(place.readList("values", point.values, &JsonPlace::text));
    PLIMSOLL_ASSIGN(refused, place.textOr("refused", {}));
    point.refused = Message(std::move(refused));
    if (!point.refused.empty()) return point;
    PLIMSOLL_SET(point.cost.peakBytes, place.requiredInteger("peakBytes"));
    PLIMSOLL_SET(point.lowerBoundBytes, place.requiredInteger("lowerBoundBytes"));
    PLIMSOLL_SET(point.cost.externalBytes, place.requiredInteger("externalBytes"));
    PLIMSOLL_SET(point.cost.savedBytes, place.requiredInteger("boundaryBytes"));
    PLIMSOLL_ASSIGN(kernels, place.required("kernelMs"));
    PLIMSOLL_SET(point.cost.kernelMs, kernels.number());
    PLIMSOLL_SET(point.cost.measured, place.booleanOr("measured", false));
    PLIMSOLL_SET(point.cost.untimedNodes, place.integerOr("untimedNodes", 0));
    PLIMSOLL_SET(point.complete, place.booleanOr("complete", true));
    PLIMSOLL_ASSIGN(errors, place.integerOr("errors", 0));
    point.errors = static_cast<std::size_t>(std::max<std::int64_t>(0, errors));
    return point;
}

} // namespace

std::string sweepJsonText(const Sweep& found)
{
    Json axes = Json::array();
    for (const SweepAxis& axis : found.axes)
        axes.push_back({{axis.ofPolicy ? "policy" : "dimension", axis.name}, {"values", axis.values}});
    Json points = Json::array();
    for (const SweepPoint& point : found.points)
        points.push_back(pointJson(point));
    return jsonText(Json {{"schema", "plimsoll.sweep/1"},
                          {"axes", std::move(axes)},
                          {"points", std::move(points)},
                          {"stopped", found.stopped}},
                    2);
}

Result<Sweep> readSweepJson(std::string_view text)
{
    PLIMSOLL_ASSIGN(json, parseJson(text));
    const JsonPlace root(json, {});
    PLIMSOLL_TRY(root.expectObject());
    Sweep found;
    PLIMSOLL_TRY(root.readList("axes", found.axes, axisFrom));
    PLIMSOLL_TRY(root.readList("points", found.points, pointFrom));
    PLIMSOLL_SET(found.stopped, root.booleanOr("stopped", false));
    for (const SweepPoint& point : found.points)
        if (point.values.size() != found.axes.size()) return root.error(say("sweep.other-axes"));
    return found;
}

} // namespace plimsoll
