#include "app/cli/commands/summary.h"

#include "app/cli/commands/what_if_text.h"
#include "app/cli/layouts_text.h"
#include "app/cli/text_table.h"
#include "core/base/bytes.h"
#include "core/base/plural.h"
#include "core/facts/arena_peaks.h"
#include "core/facts/completeness.h"
#include "core/facts/english/english.h"
#include "core/facts/sparse_use.h"
#include "core/facts/words/gradient_rows.h"
#include "core/facts/words/number_text.h"
#include "core/facts/words/placement_text.h"
#include "core/facts/words/stream_text.h"
#include "core/facts/words/terms_text.h"

#include <algorithm>
#include <set>

namespace plimsoll::cli {
namespace {

using Align = TextTable::Align;

constexpr std::size_t MostStorages = 5;
constexpr std::size_t MostSaved = 8;
constexpr std::size_t MostFindings = 10;
constexpr std::size_t MostUnplanned = 5;
constexpr std::size_t MostFallbacks = 5;

std::string exact(std::int64_t bytes)
{
    return formatCount(bytes) + " B";
}

/// "at step 7, the lower bound"; empty where neither can be said.
std::string peakNote(const Report& report, bool isLowerBound)
{
    std::string note = peakPlaces(report);
    if (isLowerBound) note += note.empty() ? " the lower bound" : ", the lower bound";
    return note.empty() ? note : note.substr(1);
}

std::string numbers(const Report& report)
{
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Left});
    const std::int64_t waste = report.memory.peakBytes - report.memory.lowerBoundBytes;
    const auto row = [&](const std::string& name, std::int64_t bytes, const std::string& note) {
        table.add({name, formatBytes(bytes), exact(bytes), note});
    };
    const bool complete = report.verdict.completeness.complete();
    row("peak", report.memory.peakBytes, peakNote(report, complete && waste == 0));
    row("lower bound", report.memory.lowerBoundBytes,
        complete ? "no plan with this sharing and these implementations is lower" : "of what has a size");
    if (report.verdict.given && report.verdict.given->ownPeakBytes)
        row("own plan", *report.verdict.given->ownPeakBytes, "ours of the same graph, order and terms");
    if (report.verdict.given)
        row("any sharing", report.verdict.given->anySharingBoundBytes,
            "no plan of this order and terms is lower, whatever shares");
    row("waste", waste, percentText(waste, report.memory.lowerBoundBytes) + " above the lower bound");
    row("no reuse", report.memory.noReuseBytes,
        percentText(report.memory.peakBytes, report.memory.noReuseBytes) + " of it is used");
    if (report.program.graph->boundary.gradients > 0)
        row("boundary", report.training.boundaryBytes, "kept from forward to backward, part of the peak");
    const std::string prepared = report.memory.preparedBytes > 0
                                     ? ", prepared ahead " + formatBytes(report.memory.preparedBytes)
                                     : std::string();
    row("external", report.memory.externalBytes,
        "inputs, parameters (" + formatBytes(report.memory.parameterBytes) + ") and constants" + prepared);
    return table.text(2);
}

/// Who computes sparse tensors as they are kept, and the price of those that nobody does.
std::string sparseTensors(const Report& report)
{
    const SparseUse use = sparseUse(report);
    if (!use.any()) return {};
    std::string text = "\nSparse tensors\n  computed as they are kept: " + formatCount(use.native) +
                       ", through dense temporaries: " + countText(report.memory.fallbacks.size()) + "\n";
    if (report.memory.fallbacks.empty()) return text;
    text += "  dense temporaries: " + exact(report.memory.fallbackBytes) + ", of which " + exact(use.atPeakBytes) +
            " are alive at the peak\n";
    for (std::size_t i = 0; i < std::min(MostFallbacks, report.memory.fallbacks.size()); ++i)
        text += "  " + (*report.program.graph)[report.memory.fallbacks[i].node].name + ": " +
                english(report.memory.fallbacks[i].reason) + "\n";
    const std::size_t more = report.memory.fallbacks.size() - std::min(MostFallbacks, report.memory.fallbacks.size());
    return more > 0 ? text + "  and " + countText(more) + " more\n" : text;
}

std::string streams(const Report& report)
{
    const std::string sentence = streamsSentence(report);
    return sentence.empty() ? sentence : "\nStreams\n  " + sentence + "\n";
}

/// How the offsets were found, and where the plan is away from its bound.
std::string placement(const Report& report)
{
    std::string text;
    if (report.planning.search) text += "\nPlacement\n  " + searchSentence(report) + "\n";
    for (const PeakCauses& causes : explainPeak(report)) {
        if (const std::string gap = gapSentence(report, causes); !gap.empty()) text += "  " + gap + "\n";
    }
    return text;
}

std::string arenas(const Report& report)
{
    TextTable table({Align::Left, Align::Right, Align::Left, Align::Left});
    for (const PlannedArena& arena : report.program.map.arenas) {
        const std::string capacity = arena.capacityBytes ? "of " + formatBytes(*arena.capacityBytes) : "";
        table.add({arena.space, formatBytes(arena.bytes), capacity, "alignment " + formatBytes(arena.alignment)});
    }
    return "\nArenas\n" + table.text(2);
}

std::string valueNames(const Report& report, const Storage& storage)
{
    if (storage.scratchOf.valid()) return "scratchpad of " + (*report.program.graph)[storage.scratchOf].name;
    if (storage.values.empty()) return "";
    const std::string more = storage.values.size() > 1 ? " and " + countText(storage.values.size() - 1) + " more" : "";
    return (*report.program.graph)[storage.values.front()].name + more;
}

/// Which storages make the peak: of each arena what is alive at its fullest step, the biggest first.
std::string aliveAtPeak(const Report& report)
{
    std::string text;
    for (const PeakCauses& causes : explainPeak(report)) {
        if (causes.live.empty()) continue;
        TextTable table({Align::Right, Align::Right, Align::Left, Align::Left, Align::Left});
        for (std::size_t i = 0; i < std::min(MostStorages, causes.live.size()); ++i) {
            const Storage& storage = report.program.storages[causes.live[i].index()];
            table.add({std::to_string(causes.live[i].number()), formatBytes(storage.bytes), placeText(report, storage),
                       "steps " + rangesText(storage.live), valueNames(report, storage)});
        }
        const std::string space = report.program.map.arenas.size() > 1
                                      ? " of " + report.program.map.arenas[causes.arena.index()].space
                                      : std::string();
        text += "\nAlive at the peak" + space + ", step " + formatCount(causes.fullestStep) + ": " +
                formatBytes(causes.fullestBytes) + ", biggest of " + plural(causes.live.size(), "storage") + "\n" +
                table.text(2);
    }
    return text;
}

/// What is kept from forward to backward, the largest first.
std::string savedTensors(const Report& report)
{
    if (report.training.saved.empty()) return {};
    std::vector<const SavedReport*> order;
    for (const SavedReport& saved : report.training.saved)
        order.push_back(&saved);
    std::stable_sort(order.begin(), order.end(),
                     [](const SavedReport* a, const SavedReport* b) { return a->bytes > b->bytes; });
    TextTable table({Align::Left, Align::Right, Align::Left, Align::Left});
    const Graph& graph = *report.program.graph;
    for (std::size_t i = 0; i < std::min(MostSaved, order.size()); ++i) {
        const SavedTensor& saved = order[i]->tensor;
        table.add({graph[saved.value].name, order[i]->bytes > 0 ? formatBytes(order[i]->bytes) : "the caller's",
                   "from " + graph[saved.savedBy].name + " to " + graph[saved.readBy].name,
                   std::string(savingReasonId(saved.reason)) + (saved.neededFor.empty() ? ", needless" : "") +
                       (order[i]->donation == Donation::Donated ? ", donated" : "")});
    }
    return "\nKept for backward, biggest of " + plural(order.size(), "slot") + "\n" + table.text(2);
}

/// What was asked of the gradients, where anything else than to write them.
std::string gradientRequests(const Report& report)
{
    TextTable table({Align::Left, Align::Left, Align::Left});
    bool plain = true;
    for (const GradientRow& row : gradientRows(report)) {
        plain = plain && row.request == GradientRequest::Write;
        const auto name = [&](ValueId value) {
            return value.valid() ? (*report.program.graph)[value].name : std::string("none");
        };
        table.add({name(row.variable), std::string(gradientRequestName(row.request)),
                   name(row.gradient) + (row.buffer.valid() ? ", added to " + name(row.buffer) : "")});
    }
    return plain ? "" : "\nGradients\n" + table.text(2);
}

/// What backward computes anew instead, the largest first.
std::string recomputedTensors(const Report& report)
{
    if (report.training.recomputed.empty()) return {};
    std::vector<const RecomputedReport*> order;
    std::int64_t bytes = 0;
    std::int64_t moved = 0;
    for (const RecomputedReport& one : report.training.recomputed) {
        order.push_back(&one);
        bytes += one.bytes;
        moved += one.tensor.movedBytes;
    }
    std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->bytes > b->bytes; });
    TextTable table({Align::Left, Align::Right, Align::Left, Align::Left});
    for (std::size_t i = 0; i < std::min(MostSaved, order.size()); ++i)
        table.add({(*report.program.graph)[order[i]->tensor.value].name, formatBytes(order[i]->bytes),
                   "by " + plural(order[i]->tensor.nodes.size(), "node"),
                   formatBytes(order[i]->tensor.movedBytes) + " moved"});
    return "\nComputed anew in backward, biggest of " + plural(order.size(), "tensor") + ": " + formatBytes(bytes) +
           " not kept, " + formatBytes(moved) + " moved\n" + table.text(2);
}

std::string unplanned(const Report& report)
{
    if (report.memory.unplanned.empty()) return {};
    std::string text =
        "\nWithout a size before the run, counted apart: " + plural(report.memory.unplanned.size(), "value") + "\n";
    for (std::size_t i = 0; i < std::min(MostUnplanned, report.memory.unplanned.size()); ++i) {
        const UnplannedValue& one = report.memory.unplanned[i];
        text += "  " + (*report.program.graph)[one.value].name + ": " + unplannedReason(report, one) + "\n";
    }
    if (report.memory.unplanned.size() > MostUnplanned)
        text += "  and " + countText(report.memory.unplanned.size() - MostUnplanned) + " more\n";
    return text;
}

} // namespace

std::string placeText(const Report& report, const Storage& storage)
{
    if (isMadeAhead(report, storage)) return "made ahead of the run";
    if (!storage.arena.valid()) return "the caller's bytes";
    return report.program.map.arenas[storage.arena.index()].space + " " +
           rangeText({storage.offset, storage.offset + storage.bytes}) + " B";
}

std::string storageName(const Report& report, StorageId id)
{
    const Storage& storage = report.program.storages[id.index()];
    if (storage.scratchOf.valid()) return "the scratchpad of '" + (*report.program.graph)[storage.scratchOf].name + "'";
    return "storage " + std::to_string(id.number());
}

std::string verdict(const Report& report)
{
    const std::size_t errors = countFindings(report, Severity::Error);
    const bool complete = report.verdict.completeness.complete();
    if (errors == 0 && !complete) return "incomplete, so not judged as a whole";
    if (errors == 0) return "no broken rule in " + plural(report.program.schedule.steps.size(), "step");
    std::set<std::string_view> rules;
    for (const Finding& finding : report.verdict.findings) {
        if (finding.severity == Severity::Error) rules.insert(ruleId(finding.rule));
    }
    std::string names;
    for (const std::string_view rule : rules)
        names += (names.empty() ? "" : ", ") + std::string(rule);
    return (complete ? "" : "incomplete, ") + plural(errors, "error") + " (" + names + ")";
}

std::string incompleteFirst(const Report& report)
{
    const std::string line = english(incompleteLine(report));
    return line.empty() ? line : line + "\n";
}

std::string findingsText(const Report& report, std::size_t limit)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(limit, report.verdict.findings.size()); ++i) {
        const Finding& finding = report.verdict.findings[i];
        text += std::string(severityName(finding.severity)) + " " + std::string(ruleId(finding.rule)) + ": " +
                english(finding.message) + "\n";
        if (!finding.fix.empty()) text += "    fix: " + english(finding.fix) + "\n";
    }
    const std::size_t more = countFindings(report) - std::min(limit, report.verdict.findings.size());
    if (more > 0) text += "and " + countText(more) + " more\n";
    return text;
}

std::string assumptionsText(const Report& report)
{
    const std::string sizes = assumedSizes(report);
    return sizes.empty() ? sizes : "Assumed sizes (--dim or --shape gives them): " + sizes + "\n";
}

std::string notesText(const Report& report)
{
    std::string text;
    for (const std::string& note : english(report.notes))
        text += "note: " + note + "\n";
    return text;
}

std::string unplannedReason(const Report& report, const UnplannedValue& one)
{
    const Gap* gap = gapOf(report, one.lacking);
    return english(one.reason) + (gap ? "; " + english(remedyFor(*report.program.graph, *gap)) : "");
}

std::string summaryText(const Report& report)
{
    const std::string assumed = assumptionsText(report);
    std::string text = incompleteFirst(report) + report.program.graph->name + ": " + verdict(report) + "\n";
    text += termsSentence(report) + "\n\n" + numbers(report);
    const bool plain = report.program.map.arenas.size() == 1 && !report.program.map.arenas.front().capacityBytes;
    if (!plain) text += arenas(report);
    text += streams(report) + placement(report) + layoutsText(report) + sparseTensors(report) + aliveAtPeak(report) +
            whatIfText(report) + savedTensors(report) + recomputedTensors(report) + gradientRequests(report) +
            (assumed.empty() ? assumed : "\n" + assumed) + unplanned(report);
    const std::string findings = findingsText(report, MostFindings);
    if (!findings.empty()) text += "\n" + findings;
    const std::string notes = notesText(report);
    return notes.empty() ? text : text + "\n" + notes;
}

} // namespace plimsoll::cli
