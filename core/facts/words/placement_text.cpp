#include "core/facts/words/placement_text.h"

#include "core/base/bytes.h"
#include "core/facts/words/names.h"
#include "core/facts/words/number_text.h"

namespace plimsoll {
namespace {

/// What could be done about a gap, or why nothing can.
std::string reasonOfGap(const SearchRecord& search, const Report& report)
{
    switch (search.end) {
    case SearchEnd::Optimal:
        return "No plan with this sharing is lower: the search has proved it.";
    case SearchEnd::OnePlan:
        return "placement=" + search.algorithm + " makes one plan; best would search for a lower one.";
    case SearchEnd::Partial:
        return "The plan is incomplete, so nothing is proved.";
    case SearchEnd::Running:
    case SearchEnd::Limit:
    case SearchEnd::Stopped:
        break;
    }
    if (search.boundBytes > report.memory.lowerBoundBytes) {
        const bool several = report.program.map.arenas.size() > 1;
        return (several ? "All arenas together are never below " : "No plan is below ") +
               formatBytes(search.boundBytes) + " with this sharing, as the search has proved; between, it is open.";
    }
    return "Whether a lower plan exists is open; a longer search may find one.";
}

} // namespace

std::string searchEnd(const Report& report)
{
    if (!report.planning.search) return {};
    const std::string text(searchEndText(report.planning.search->end));
    return report.planning.search->optimal() ? text + " for this sharing" : text;
}

std::string searchSentence(const Report& report)
{
    if (!report.planning.search) return {};
    const SearchRecord& search = *report.planning.search;
    std::string text = search.algorithm + ": " + searchEnd(report);
    if (search.end != SearchEnd::OnePlan && !search.history.empty())
        text += "; found by " + std::string(search.member());
    return text + ".";
}

std::string gapSentence(const Report& report, const PeakCauses& causes)
{
    if (causes.peakBytes <= causes.lowerBoundBytes || causes.onTop.empty() || causes.lowerBoundBytes <= 0) return {};
    const double above = static_cast<double>(causes.peakBytes) / static_cast<double>(causes.lowerBoundBytes) - 1;
    std::string text = percentText(above) + " above the bound: at step " + formatCount(causes.highestStep) + " '" +
                       storageTitle(report, causes.onTop.front()) + "' ends at " + formatBytes(causes.peakBytes) +
                       " while " + formatBytes(causes.liveThere) + " are alive";
    if (causes.peakBytes > causes.liveThere)
        text += ", so " + formatBytes(causes.peakBytes - causes.liveThere) + " lie free beneath" +
                (report.program.streams.several() ? " or wait for a stream" : "");
    text += ".";
    return report.planning.search ? text + " " + reasonOfGap(*report.planning.search, report) : text;
}

} // namespace plimsoll
