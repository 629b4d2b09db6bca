#include "core/report/placement_json.h"

#include "core/facts/peak_causes.h"

#include <algorithm>

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

/// A million-buffer plan has millions of holes; all of them can be found from storages.
constexpr std::size_t MostHoles = 200;

template <typename T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json searchJson(const SearchRecord& search)
{
    Json history = Json::array();
    for (const Incumbent& entry : search.history) {
        history.push_back({{"seconds", entry.seconds},
                           {"work", entry.work},
                           {"peakBytes", entry.peakBytes},
                           {"lowerBoundBytes", entry.boundBytes},
                           {"member", entry.member}});
    }
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
            {"history", std::move(history)}};
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

Json holesJson(const Report& report)
{
    const std::vector<Hole>& holes = report.memory.holes;
    Json list = Json::array();
    for (std::size_t i = 0; i < std::min(MostHoles, holes.size()); ++i) {
        const Hole& hole = holes[i];
        list.push_back({{"arena", hole.arena.number()},
                        {"steps", {hole.steps.begin, hole.steps.end}},
                        {"bytes", {hole.bytes.begin, hole.bytes.end}}});
    }
    return list;
}

} // namespace

void addPlacement(const Report& report, Json& json)
{
    json["search"] = report.planning.search ? searchJson(*report.planning.search) : Json(nullptr);
    json["peakCauses"] = causesJson(report);
    json["holes"] = holesJson(report);
}

} // namespace plimsoll
