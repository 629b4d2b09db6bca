#include "core/facts/compare/peak_differences.h"
#include "core/facts/range_changes.h"
#include "core/facts/stream_waits.h"
#include "core/facts/tables.h"
#include "core/facts/words/stream_text.h"

#include <optional>
#include <unordered_map>

namespace plimsoll {
namespace {

using enum ColumnInfo::Kind;

/// Bytes at the peak, or a value that changed without any; and the value of the plan now, invalid where it is no more.
struct ChangeRow
{
    RangeChange change;
    std::optional<PeakDifference> atPeak;
    ValueId value;
};

/// What is known of a storage of which no value changed: it is the fullest step that is another one.
RangeChange unchanged(const Plans& plans, const PeakDifference& row)
{
    RangeChange change {.value = row.name, .beforePlace = row.space, .afterPlace = row.space};
    change.bytes = std::max(row.before, row.after);
    const PlannedProgram& before = plans.previous->program;
    const PlannedProgram& now = plans.report.program;
    if (row.valueBefore.valid())
        change.before = before.values[row.valueBefore.index()].live;
    else if (row.storageBefore.valid())
        change.before = before.storages[row.storageBefore.index()].live;
    if (row.value.valid()) {
        change.after = now.values[row.value.index()].live;
        change.bytes = now.values[row.value.index()].requiredBytes;
    } else if (row.storage.valid()) {
        change.after = now.storages[row.storage.index()].live;
    }
    return change;
}

/// First what the peaks differ by: those rows add up to the difference.
std::vector<ChangeRow> changesOf(const Plans& plans)
{
    if (!plans.previous) return {};
    const PlanMatches found = plans.matches ? PlanMatches() : matchPlans(*plans.previous, plans.report);
    const PlanMatches& matches = plans.matches ? *plans.matches : found;
    std::vector<RangeChange> changes = changedRanges(*plans.previous, plans.report, matches.values);
    std::unordered_map<ValueId, std::size_t> places;     // of values of the plan now…
    std::unordered_map<ValueId, std::size_t> gonePlaces; // …and of those that are no more
    for (std::size_t i = 0; i < changes.size(); ++i)
        changes[i].id.valid() ? places.emplace(changes[i].id, i) : gonePlaces.emplace(changes[i].idBefore, i);
    std::vector<ChangeRow> rows;
    std::vector<bool> told(changes.size());
    for (PeakDifference& row : comparePeaks(*plans.previous, plans.report, matches).rows) {
        const auto& known = row.value.valid() ? places : gonePlaces;
        const auto at = known.find(row.value.valid() ? row.value : row.valueBefore);
        if (at != known.end()) told[at->second] = true;
        rows.push_back({at == known.end() ? unchanged(plans, row) : changes[at->second], row, row.value});
    }
    for (std::size_t i = 0; i < changes.size(); ++i) {
        if (told[i]) continue;
        const ValueId value = changes[i].id;
        rows.push_back({std::move(changes[i]), std::nullopt, value});
    }
    return rows;
}

bool isOfArena(const ChangeRow& row)
{
    return row.atPeak && row.atPeak->name.empty();
}

Cell nameCell(const ChangeRow& row)
{
    return isOfArena(row) ? cell::sentence(peakDifferenceName(row.atPeak->kind)) : cell::text(row.change.value);
}

Cell stepsCell(const ChangeRow& row, const LiveRanges& live)
{
    return isOfArena(row) ? cell::blank() : cell::steps(live);
}

/// Of bytes at the peak why they changed, unless the place says it; then why the value is kept, shares, or lies
/// elsewhere.
Message reasonOf(const ChangeRow& row)
{
    using enum PeakDifference::Kind;
    const RangeChange& change = row.change;
    if (!row.atPeak || change.beforePlace != change.afterPlace) return change.reason;
    const Message why = peakDifferenceReason(*row.atPeak);
    if (change.reason.empty() || row.atPeak->kind == Size || row.atPeak->kind == Rounding) return why;
    const bool parted = !change.beforeHost.empty() || !change.afterHost.empty();
    return parted || row.atPeak->kind == Came ? change.reason : say("clauses", why, change.reason);
}

struct ComparedRow
{
    std::string_view name;
    Cell before;
    Cell now;
    Cell change;
};

/// One of the two plans has several streams, and both can say how many.
bool haveStreams(const Plans& plans)
{
    if (!knowsStreams(plans.report.program) || !knowsStreams(plans.previous->program)) return false;
    return plans.report.program.streams.several() || plans.previous->program.streams.several();
}

std::vector<ComparedRow> comparedRows(const Plans& plans)
{
    if (!plans.previous) return {};
    const Report& before = *plans.previous;
    const Report& now = plans.report;
    std::vector<ComparedRow> rows;
    const auto add = [&](std::string_view name, std::int64_t old, std::int64_t bytes) {
        rows.push_back({name, cell::bytes(old), cell::bytes(bytes), cell::change(bytes - old)});
    };
    add("peak", before.memory.peakBytes, now.memory.peakBytes);
    add("lower bound", before.memory.lowerBoundBytes, now.memory.lowerBoundBytes);
    add("no reuse", before.memory.noReuseBytes, now.memory.noReuseBytes);
    add("boundary", before.training.boundaryBytes, now.training.boundaryBytes);
    add("external", before.memory.externalBytes, now.memory.externalBytes);
    add("of it prepared ahead", before.memory.preparedBytes, now.memory.preparedBytes);
    if (!haveStreams(plans)) return rows;
    const auto streams = [](const Report& report) {
        return cell::sentence(report.program.streams.several() ? streamsSentence(report) : say("streams.one"));
    };
    const auto waiting = [](const WaitingStorages& storages) {
        return cell::count(static_cast<std::size_t>(storages.count));
    };
    const WaitingStorages old = waitingStorages(before);
    const WaitingStorages found = waitingStorages(now);
    rows.push_back({"streams", streams(before), streams(now), {}});
    rows.push_back({"storages that stay reserved until another stream has waited", waiting(old), waiting(found), {}});
    add("their bytes", old.bytes, found.bytes);
    return rows;
}

/// A wait of one of the two plans.
struct WaitRow
{
    std::string waiter;
    std::string signal;
    std::string_view plan;
};

std::vector<WaitRow> waitsInOne(const Plans& plans)
{
    if (!plans.previous || !haveStreams(plans)) return {};
    const NamedWaits before = namedWaits(plans.previous->program);
    const NamedWaits now = namedWaits(plans.report.program);
    std::vector<WaitRow> rows;
    const auto add = [&rows](const NamedWaits& waits, const NamedWaits& others, std::string_view plan) {
        for (const auto& [waiter, signal] : waits) {
            if (!others.contains({waiter, signal})) rows.push_back({waiter, signal, plan});
        }
    };
    add(before, now, "before");
    add(now, before, "now");
    return rows;
}

/// A value's name, which is no word of ours whatever it is.
std::string orNone(const std::string& name)
{
    return name.empty() ? std::string(spoken("none")) : name;
}

std::string placeOrNone(std::string_view place)
{
    return std::string(spoken(place.empty() ? "none" : place));
}

} // namespace

const FactTable& changesTable()
{
    static const FactTable table = factTable<ChangeRow>(
        {.id = "changes",
         .title = "Changes",
         .empty = "No value is alive longer or shorter than before, shares other bytes, or lies in another memory.",
         .sum = "At the peak"},
        {.rows = changesOf, .focus = [](const Report&, const ChangeRow& row) { return Focus::on(row.value); }},
        {{{"Value", "What is alive longer or shorter, or lies elsewhere or with others", Long, 18},
          [](const Report&, const ChangeRow& row) { return nameCell(row); }},
         {{"Bytes", "That it takes", Number, 9},
          [](const Report&, const ChangeRow& row) {
              return isOfArena(row) ? cell::blank() : cell::bytes(row.change.bytes);
          }},
         {{"Before", "Its steps under the choices before", Words, 10},
          [](const Report&, const ChangeRow& row) { return stepsCell(row, row.change.before); }},
         {{"Now", "Its steps under those of now", Words, 10},
          [](const Report&, const ChangeRow& row) { return stepsCell(row, row.change.after); }},
         {{"At the peak", "How many bytes more it adds to the peak; together they are the difference of the peaks",
           Number, 10},
          [](const Report&, const ChangeRow& row) { return cell::change(row.atPeak ? row.atPeak->bytes() : 0); }},
         {{"Place", "Where it lay before, and where it lies", Words, 12},
          [](const Report&, const ChangeRow& row) {
              const auto& [before, after] = std::tie(row.change.beforePlace, row.change.afterPlace);
              return cell::text(before == after ? placeOrNone(after)
                                                : placeOrNone(before) + " → " + placeOrNone(after));
          }},
         {{"Shares with", "In whose bytes it lay before, and in whose it lies, where that differs", Words, 14},
          [](const Report&, const ChangeRow& row) {
              const auto& [before, after] = std::tie(row.change.beforeHost, row.change.afterHost);
              return before.empty() && after.empty() ? cell::blank()
                                                     : cell::text(orNone(before) + " → " + orNone(after));
          }},
         {{"Reason", "Why it is kept for backward, was, shares, or lies elsewhere", Long, 26},
          [](const Report&, const ChangeRow& row) { return cell::sentence(reasonOf(row)); }}});
    return table;
}

const FactTable& comparedTable()
{
    static const FactTable table = factTable<ComparedRow>(
        {.id = "compared", .title = "Before and now"}, {.rows = comparedRows},
        {{{"What", "", Words, 20}, [](const Report&, const ComparedRow& row) { return cell::word(row.name); }},
         {{"Before", "", Number, 20}, [](const Report&, const ComparedRow& row) { return row.before; }},
         {{"Now", "", Number, 20}, [](const Report&, const ComparedRow& row) { return row.now; }},
         {{"Change", "", Number, 20}, [](const Report&, const ComparedRow& row) { return row.change; }}});
    return table;
}

const FactTable& waitsTable()
{
    static const FactTable table = factTable<WaitRow>(
        {.id = "waits", .title = "What waits in one plan only"},
        {.rows = waitsInOne,
         .focus = [](const Report& report,
                     const WaitRow& row) { return Focus::on(findNode(*report.program.graph, row.waiter)); }},
        {{{"Node", "", Words, 24}, [](const Report&, const WaitRow& row) { return cell::text(row.waiter); }},
         {{"Waits for", "", Words, 24}, [](const Report&, const WaitRow& row) { return cell::text(row.signal); }},
         {{"Only", "", Words, 6}, [](const Report&, const WaitRow& row) { return cell::word(row.plan); }}});
    return table;
}

} // namespace plimsoll
