#include "core/report/placement_json.h"

#include "core/facts/peak_causes.h"

#include <ranges>

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json searchJson(const SearchRecord& search)
{
    return {{"algorithm", search.algorithm},
            {"end", searchEndId(search.end)},
            {"optimal", search.optimal()},
            {"lowerBoundBytes", search.boundBytes},
            {"member", search.member()},
            {"seed", search.seed},
            {"workLimit", orNull(search.workLimit)},
            {"secondsLimit", orNull(search.secondsLimit)},
            {"work", search.work},
            {"seconds", search.seconds},
            {"history", historyJson(search.history)}};
}

Json ids(const std::vector<StorageId>& storages)
{
    Json list = Json::array();
    for (const StorageId id : storages)
        list.push_back(id.number());
    return list;
}

Json causesJson(const Report& report)
{
    Json list = Json::array();
    for (const PeakCauses& causes : explainPeak(report)) {
        Json above = Json::array();
        for (const Interval steps : causes.aboveBound.intervals())
            above.push_back({steps.begin, steps.end});
        list.push_back({{"arena", causes.arena.number()},
                        {"fullestStep", causes.fullestStep},
                        {"liveBytes", causes.fullestBytes},
                        {"live", ids(causes.live)},
                        {"highestStep", causes.highestStep},
                        {"onTop", ids(causes.onTop)},
                        {"tower", ids(causes.tower)},
                        {"aboveBound", std::move(above)}});
    }
    return list;
}

} // namespace

Json historyJson(const std::vector<Incumbent>& history)
{
    Json list = Json::array();
    for (const Incumbent& entry : history) {
        list.push_back({{"seconds", entry.seconds},
                        {"work", entry.work},
                        {"peakBytes", entry.peakBytes},
                        {"lowerBoundBytes", entry.boundBytes},
                        {"member", entry.member}});
    }
    return list;
}

void addPlacement(const Report& report, Json& json)
{
    json["search"] = report.planning.search ? searchJson(*report.planning.search) : Json(nullptr);
    json["peakCauses"] = causesJson(report);
    json["holes"] = Json::array(); // the largest: a million-buffer plan has millions, to be found from its storages
    for (const Hole& hole : report.memory.holes | std::views::take(200)) {
        json["holes"].push_back({{"arena", hole.arena.number()},
                                 {"steps", {hole.steps.begin, hole.steps.end}},
                                 {"bytes", {hole.bytes.begin, hole.bytes.end}}});
    }
}

} // namespace plimsoll
