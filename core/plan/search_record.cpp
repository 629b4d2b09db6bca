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

std::string_view searchEndText(SearchEnd end)
{
    switch (end) {
    case SearchEnd::Running:
        return "still searching";
    case SearchEnd::Optimal:
        return "proved lowest";
    case SearchEnd::Partial:
        return "nothing is proved, since the plan is incomplete";
    case SearchEnd::Limit:
        return "the limit came before a proof";
    case SearchEnd::Stopped:
        return "stopped before a proof";
    case SearchEnd::OnePlan:
        return "this algorithm makes one plan and does not search";
    }
    return "";
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
