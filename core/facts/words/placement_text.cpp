#include "core/facts/words/placement_text.h"

#include "core/facts/words/names.h"
#include "core/facts/words/number_text.h"

namespace plimsoll {
namespace {

/// What could be done about a gap, or why nothing can.
Message reasonOfGap(const SearchRecord& search, const Report& report)
{
    switch (search.end) {
    case SearchEnd::Optimal:
        return say("gap.proved");
    case SearchEnd::OnePlan:
        return say("gap.one-plan", Remedy::policy("placement", search.algorithm));
    case SearchEnd::Partial:
        return say("gap.partial");
    case SearchEnd::Running:
    case SearchEnd::Limit:
    case SearchEnd::Stopped:
        break;
    }
    if (search.boundBytes <= report.memory.lowerBoundBytes) return say("gap.open");
    return say(report.program.map.arenas.size() > 1 ? "gap.between-arenas" : "gap.between",
               word::Size {search.boundBytes});
}

} // namespace

Message searchEnd(const Report& report)
{
    if (!report.planning.search) return {};
    Message end = searchEndText(report.planning.search->end);
    return report.planning.search->optimal() ? say("search.this-sharing", std::move(end)) : end;
}

Message searchSentence(const Report& report)
{
    if (!report.planning.search) return {};
    const SearchRecord& search = *report.planning.search;
    if (search.end == SearchEnd::OnePlan || search.history.empty())
        return say("search", search.algorithm, searchEnd(report));
    return say("search.found-by", search.algorithm, searchEnd(report), search.member());
}

Message gapSentence(const Report& report, const PeakCauses& causes)
{
    if (causes.peakBytes <= causes.lowerBoundBytes || causes.onTop.empty() || causes.lowerBoundBytes <= 0) return {};
    const double above = static_cast<double>(causes.peakBytes) / static_cast<double>(causes.lowerBoundBytes) - 1;
    const std::int64_t free = causes.peakBytes - causes.liveThere;
    const std::string_view why = report.program.streams.several() ? "gap.free-or-waits" : "gap.free";
    Message gap = say("gap", percentText(above), causes.highestStep,
                      word::Name {storageTitle(report, causes.onTop.front())}, word::Size {causes.peakBytes},
                      word::Size {causes.liveThere}, free > 0 ? say(why, word::Size {free}) : Message());
    if (!report.planning.search) return gap;
    return together(std::move(gap), reasonOfGap(*report.planning.search, report));
}

} // namespace plimsoll
