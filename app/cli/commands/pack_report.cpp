#include "app/cli/commands/pack_report.h"

#include "core/base/bytes.h"
#include "core/base/plural.h"
#include "core/facts/english/english.h"
#include "core/facts/words/number_text.h"
#include "core/formats/files/json_text.h"
#include "core/formats/snapshot/allocator_record.h"
#include "core/plan/finding.h"
#include "core/report/placement_json.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace plimsoll::cli {
namespace {

using Json = nlohmann::ordered_json;

word::Name nameOf(const PackReport& report, BufferId id)
{
    return {report.table.ids[id.index()]};
}

Message sentence(const PackReport& report, const PackingFault& fault)
{
    const word::Name buffer = nameOf(report, fault.buffer);
    switch (fault.kind) {
    case PackingFault::Kind::Overlap:
        return say("pack.overlap", buffer, nameOf(report, fault.other), rangeText(fault.bytes),
                   word::Number {fault.step});
    case PackingFault::Kind::Misaligned:
        return say("pack.misaligned", buffer, fault.bytes.begin);
    case PackingFault::Kind::Moved:
        return say("pack.moved", buffer);
    case PackingFault::Kind::BelowArena:
        return say("pack.below-arena", buffer, word::Number {fault.bytes.begin});
    case PackingFault::Kind::BeyondCapacity:
        return say("pack.beyond-capacity", buffer, fault.bytes.end);
    case PackingFault::Kind::BeyondNumbers:
        return say("pack.beyond-numbers", buffer);
    }
    return {};
}

Message shortfallText(const PackReport& report, const CapacityShortfall& shortfall)
{
    if (!shortfall.step) return say("pack.infeasible-proved", shortfall.neededBytes, shortfall.capacityBytes);
    return say("pack.infeasible", shortfall.neededBytes, shortfall.capacityBytes, word::Number {*shortfall.step},
               listOf(
                   shortfall.buffers, [&](BufferId buffer) { return nameOf(report, buffer); }, 5));
}

std::string peakText(const PackReport& report)
{
    if (report.table.allocator && !report.answer) // what it handed out was never meant to lie close together
        return countText(report.table.ids.size()) + " allocations on " + formatCount(report.peakBytes()) +
               " B of addresses, at most " + formatCount(report.lowerBoundBytes()) + " B of them alive at once";
    const std::int64_t bound = report.lowerBoundBytes();
    char over[32] = "";
    if (bound > 0) std::snprintf(over, sizeof over, " (%.4f)", double(report.peakBytes()) / double(bound));
    return formatCount(std::int64_t(report.table.ids.size())) +
           (report.table.ids.size() == 1 ? " buffer: peak " : " buffers: peak ") + formatCount(report.peakBytes()) +
           " B, lower bound " + formatCount(bound) + " B" + over;
}

Json faultsJson(const PackReport& report)
{
    Json faults = Json::array();
    for (const PackingFault& fault : report.verdict.faults) {
        Json entry = {{"rule", std::string(packingFaultId(fault.kind))},
                      {"buffers", {report.table.ids[fault.buffer.index()]}}};
        if (fault.other.valid()) entry["buffers"].push_back(report.table.ids[fault.other.index()]);
        entry["step"] = fault.step;
        entry["bytes"] = {fault.bytes.begin, fault.bytes.end};
        entry["message"] = english(sentence(report, fault));
        faults.push_back(std::move(entry));
    }
    return faults;
}

Json shortfallsJson(const PackReport& report, const SearchAnswer& answer)
{
    Json all = Json::array();
    for (const CapacityShortfall& shortfall : answer.shortfalls) {
        Json entry = {{"capacityBytes", shortfall.capacityBytes}, {"neededBytes", shortfall.neededBytes}};
        if (shortfall.step) entry["step"] = *shortfall.step;
        entry["buffers"] = Json::array();
        for (const BufferId buffer : shortfall.buffers)
            entry["buffers"].push_back(report.table.ids[buffer.index()]);
        all.push_back(std::move(entry));
    }
    return all;
}

/// "cuda:0: reserved 10.2 GiB, alive at most 8.1 GiB; placed anew 8.2 GiB"
std::string allocatorText(const PackReport& report)
{
    const AllocatorRecord& record = *report.table.allocator;
    std::string text = record.device + ": ";
    if (record.mostReservedBytes > 0) text += "reserved " + formatBytes(record.mostReservedBytes) + ", ";
    text += "alive at most " + formatBytes(record.mostAliveBytes);
    const std::optional<SearchAnswer>& anew = report.answer ? report.answer : report.anew;
    if (!anew) return text + "\n";
    text += "; placed anew " + formatBytes(anew->plan.arenaBytes.front()) + " (" +
            formatCount(anew->plan.arenaBytes.front()) + " B";
    text += anew->optimal() ? ", proved lowest)" : ")";
    const auto& capacity = report.table.problem.arenas.front().capacityBytes;
    if (capacity && report.fits()) text += ", within the capacity of " + formatBytes(*capacity);
    return text + "\n";
}

/// What all requests of a record need that were met; negative: nothing was packed anew.
std::int64_t repackedBytes(const PackReport& report)
{
    const std::optional<SearchAnswer>& anew = report.answer ? report.answer : report.anew;
    return anew ? anew->plan.arenaBytes.front() : -1;
}

/// Of a process that ran out of memory, the last request first.
std::vector<std::string> refusalTexts(const PackReport& report)
{
    std::vector<std::string> texts;
    if (!report.table.allocator) return texts;
    const auto& refused = report.table.allocator->refused;
    for (auto one = refused.rbegin(); one != refused.rend(); ++one)
        texts.push_back(english(refusalText(*one, repackedBytes(report))));
    const std::string earlier = english(earlierRefusals(*report.table.allocator));
    if (!texts.empty() && !earlier.empty()) texts.back() += " " + earlier;
    return texts;
}

std::string refusals(const PackReport& report)
{
    std::string text;
    for (const std::string& one : refusalTexts(report))
        text += "error " + std::string(ruleId(Rule::OutOfMemory)) + ": " + one + "\n";
    return text;
}

/// Why the plan that was searched for does not fit, as far as is known.
std::string capacityText(const PackReport& report, const SearchAnswer& answer)
{
    std::string text;
    for (const CapacityShortfall& shortfall : answer.shortfalls)
        text += english(shortfallText(report, shortfall)) + "\n";
    if (report.fits() || answer.infeasible()) return text;
    return text + "No plan was found that fits the capacity, nor a proof that there is none: search longer.\n";
}

} // namespace

std::int64_t PackReport::lowerBoundBytes() const
{
    return answer ? answer->boundBytes.front() : verdict.liveBytes.front();
}

bool PackReport::fits() const
{
    const auto& capacity = table.problem.arenas.front().capacityBytes;
    const std::int64_t bytes = anew ? anew->plan.arenaBytes.front() : peakBytes();
    return !capacity || bytes <= *capacity;
}

std::string packJson(const PackReport& report)
{
    const bool searched = report.answer.has_value();
    Json json = {{"schema", "plimsoll.pack/1"},
                 {"buffers", report.table.ids.size()},
                 {"peakBytes", report.peakBytes()},
                 {"lowerBoundBytes", report.lowerBoundBytes()},
                 {"optimal", !report.table.ids.empty() && report.verdict.legal() &&
                                 report.peakBytes() == report.lowerBoundBytes()},
                 {"infeasible", searched && report.answer->infeasible()},
                 {"algorithm", searched ? report.answer->plan.algorithm : "given"},
                 {"seconds", searched ? report.answer->seconds : 0},
                 {"firstPlanSeconds", searched ? report.answer->firstPlanSeconds : 0}};
    if (const auto& capacity = report.table.problem.arenas.front().capacityBytes) json["capacityBytes"] = *capacity;
    if (report.table.ids.empty()) json["incomplete"] = "the table has no rows";
    json["fits"] = report.fits();
    json["legal"] = report.verdict.legal();
    json["faults"] = faultsJson(report);
    json["faultsComplete"] = report.verdict.complete;
    if (report.table.allocator) json["allocator"] = allocatorJson(*report.table.allocator);
    if (report.table.allocator) json["findings"] = Json::array();
    for (const std::string& one : refusalTexts(report))
        json["findings"].push_back(
            {{"rule", ruleId(Rule::OutOfMemory)}, {"severity", severityName(Severity::Error)}, {"message", one}});
    if (report.anew)
        json["anew"] = {{"peakBytes", report.anew->plan.arenaBytes.front()},
                        {"lowerBoundBytes", report.anew->boundBytes.front()},
                        {"optimal", report.anew->optimal()},
                        {"infeasible", report.anew->infeasible()},
                        {"algorithm", report.anew->plan.algorithm},
                        {"seconds", report.anew->seconds},
                        {"shortfalls", shortfallsJson(report, *report.anew)}};
    if (!report.table.notes.empty()) json["notes"] = english(report.table.notes);
    if (searched) {
        json["member"] = std::string(report.answer->member);
        json["work"] = report.answer->work;
        json["shortfalls"] = shortfallsJson(report, *report.answer);
        json["history"] = historyJson(report.answer->history);
    }
    return jsonText(json, 2);
}

std::string packText(const PackReport& report)
{
    if (report.table.ids.empty()) return "incomplete: nothing to pack was found, the table has no rows\n";
    std::string text = report.table.allocator ? allocatorText(report) : std::string();
    text = refusals(report) + text + peakText(report);
    if (report.answer) {
        char seconds[96];
        std::snprintf(seconds, sizeof seconds, "; %s, %.3f s (first plan %.3f s)\n",
                      english(searchEndText(report.answer->end)).c_str(), report.answer->seconds,
                      report.answer->firstPlanSeconds);
        text += seconds;
        text += capacityText(report, *report.answer);
    } else {
        text += report.verdict.legal() ? "; the offsets are legal\n" : "; the offsets are not legal\n";
    }
    if (report.anew) text += capacityText(report, *report.anew);
    if (report.table.partialGaps > 0)
        text += formatCount(report.table.partialGaps) + " partial gaps are taken as no gaps.\n";
    for (const PackingFault& fault : report.verdict.faults)
        text += english(sentence(report, fault)) + "\n";
    if (!report.verdict.complete) text += "There are more faults; these are the first.\n";
    for (const std::string& note : english(report.table.notes))
        text += "note: " + note + "\n";
    return text;
}

} // namespace plimsoll::cli
