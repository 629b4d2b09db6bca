#include "core/plan/search_record.h"

#include <algorithm>

namespace plimsoll {

std::string_view searchEndId(SearchEnd end)
{
    switch (end) {
    case SearchEnd::Running:
        return "running";
    case SearchEnd::Optimal:
        return "optimal";
    case SearchEnd::Partial:
        return "partial";
    case SearchEnd::Limit:
        return "limit";
    case SearchEnd::Stopped:
        return "stopped";
    case SearchEnd::OnePlan:
        return "one-plan";
    }
    return "";
}

Message searchEndText(SearchEnd end)
{
    switch (end) {
    case SearchEnd::Running:
        return say("search.running");
    case SearchEnd::Optimal:
        return say("search.optimal");
    case SearchEnd::Partial:
        return say("search.partial");
    case SearchEnd::Limit:
        return say("search.limit");
    case SearchEnd::Stopped:
        return say("search.stopped");
    case SearchEnd::OnePlan:
        return say("search.one-plan");
    }
    return {};
}

const Incumbent* SearchRecord::best() const
{
    const auto lowest = std::min_element(history.begin(), history.end(), [](const Incumbent& a, const Incumbent& b) {
        return a.peakBytes < b.peakBytes;
    });
    return lowest == history.end() ? nullptr : &*lowest;
}

std::string_view SearchRecord::member() const
{
    const Incumbent* found = best();
    return found == nullptr ? std::string_view() : found->member;
}

} // namespace plimsoll
