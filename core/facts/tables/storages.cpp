#include "core/facts/peak_causes.h"
#include "core/facts/tables.h"
#include "core/facts/words/kept_until.h"
#include "core/facts/words/names.h"
#include "core/facts/words/placement_text.h"

#include <algorithm>
#include <numeric>

namespace plimsoll {
namespace {

using enum ColumnInfo::Kind;

const Storage& storageOf(const Report& report, StorageId id)
{
    return report.program.storages[id.index()];
}

/// Alive at the fullest step, and in the tower to the top.
constexpr std::size_t MostOfEach = 10;

/// A storage that makes an arena as high as it is.
struct PeakRow
{
    ArenaId arena;
    StorageId storage;
    Message why;
    std::int64_t step = 0; ///< At which it matters.
};

std::vector<PeakRow> peakRows(const Plans& plans)
{
    std::vector<PeakRow> rows;
    for (const PeakCauses& causes : explainPeak(plans.report)) {
        const auto add = [&](const std::vector<StorageId>& storages, const Message& why, std::int64_t step) {
            for (std::size_t i = 0; i < std::min(MostOfEach, storages.size()); ++i)
                rows.push_back({causes.arena, storages[i], why, step});
        };
        add(causes.live, say("peak.alive", causes.fullestStep), causes.fullestStep);
        if (causes.peakBytes > causes.fullestBytes) add(causes.tower, say("peak.in-tower"), causes.highestStep);
    }
    return rows;
}

/// How many are alive, and why the plan is above its bound.
Message peakNote(const Report& report)
{
    Message text;
    for (const PeakCauses& causes : explainPeak(report)) {
        if (causes.live.empty()) continue;
        text = together(std::move(text),
                        say("peak.note", causes.live.size(), word::Size {causes.fullestBytes}, causes.fullestStep));
        text = together(std::move(text), gapSentence(report, causes));
    }
    return text;
}

} // namespace

const FactTable& storagesTable()
{
    static const FactTable table = factTable<StorageId>(
        {.id = "storages", .title = "Storages", .empty = "There are no storages.", .sortedBy = 2},
        {.rows = [](const Plans& plans) { return idsOf<StorageId>(plans.report.program.storages.size()); },
         .focus = [](const Report&, const StorageId& id) { return Focus::on(id); },
         .shows =
             [](const Report& report, const StorageId& id, const Focus& focus) {
                 if (focus.storage.valid()) return focus.storage == id;
                 return focus.value.valid() && focus.value.index() < report.program.values.size() &&
                        report.program.values[focus.value.index()].storage == id;
             },
         .leads = [](const Report& report, const StorageId& id) { return storageOf(report, id).arena.valid(); }},
        {{{"Storage", "One block of bytes", Words, 6},
          [](const Report&, const StorageId& id) { return cell::storage(id); }},
         {{"Where", "Memory space, or whose bytes they are", Words, 12},
          [](const Report& report, const StorageId& id) {
              return cell::text(whereText(report, storageOf(report, id)));
          }},
         {{"Bytes", "The most that any of its values requires", Number, 9},
          [](const Report& report, const StorageId& id) { return cell::bytes(storageOf(report, id).bytes); }},
         {{"Offset", "From the start of the arena", Number, 10},
          [](const Report& report, const StorageId& id) {
              const Storage& storage = storageOf(report, id);
              return storage.arena.valid() ? cell::offset(storage.offset)
                                           : cell::blank().withTip(std::string(spoken("not in a planned arena")));
          }},
         {{"Steps", "When the bytes matter", Number, 12},
          [](const Report& report, const StorageId& id) { return cell::steps(storageOf(report, id).live); }},
         {{"Values", "How many values lie in it", Number, 6},
          [](const Report& report, const StorageId& id) { return cell::count(storageOf(report, id).values.size()); }},
         {{"Holds", "Its values, in order of definition", Long, 30},
          [](const Report& report, const StorageId& id) {
              const Storage& storage = storageOf(report, id);
              if (storage.scratchOf.valid()) return cell::text(storageTitle(report, id));
              return cell::sentence(joinedNames(*report.program.graph, storage.values, 12));
          }},
         {{"Source", "Where the first of them was written, as far as the file tells", Long, 18},
          [](const Report& report, const StorageId& id) { return cell::source(report, id); }}});
    return table;
}

const FactTable& holesTable()
{
    static const FactTable table = factTable<std::size_t>(
        {.id = "holes",
         .title = "Holes",
         .empty = "No holes: nowhere do free bytes lie below live ones.",
         .note = [](const Report&) { return say("table.largest-first"); }},
        {.rows =
             [](const Plans& plans) {
                 std::vector<std::size_t> ranks(plans.report.memory.holes.size());
                 std::iota(ranks.begin(), ranks.end(), std::size_t {0});
                 return ranks;
             },
         .focus =
             [](const Report& report, const std::size_t& rank) {
                 Focus focus = Focus::onHole(static_cast<std::int32_t>(rank));
                 focus.step = report.memory.holes[rank].steps.begin;
                 return focus;
             }},
        {{{"Hole", "By bytes × steps", Number, 6},
          [](const Report&, const std::size_t& rank) { return cell::count(rank + 1); }},
         {{"Arena", "Memory space", Words, 10},
          [](const Report& report, const std::size_t& rank) {
              return cell::space(report, report.memory.holes[rank].arena);
          }},
         {{"Bytes", "Free, with live bytes above", Number, 10},
          [](const Report& report, const std::size_t& rank) {
              return cell::bytes(report.memory.holes[rank].bytes.length());
          }},
         {{"From", "First byte, from the start of the arena", Number, 12},
          [](const Report& report, const std::size_t& rank) {
              return cell::offset(report.memory.holes[rank].bytes.begin);
          }},
         {{"To", "The byte after its last", Number, 12},
          [](const Report& report, const std::size_t& rank) {
              return cell::offset(report.memory.holes[rank].bytes.end);
          }},
         {{"Steps", "While they are free", Number, 12},
          [](const Report& report, const std::size_t& rank) {
              return cell::steps(LiveRanges(report.memory.holes[rank].steps));
          }},
         {{"Bytes × steps", "How much could lie there", Number, 12},
          [](const Report& report, const std::size_t& rank) { return cell::area(report.memory.holes[rank].area()); }},
         {{"Share", "Of the whole picture of its arena, peak × steps", Number, 10},
          [](const Report& report, const std::size_t& rank) {
              const Hole& hole = report.memory.holes[rank];
              const double whole = double(report.program.map.arenas[hole.arena.index()].bytes) *
                                   double(report.program.schedule.length());
              return cell::percent(whole > 0 ? hole.area() / whole : 0);
          }}});
    return table;
}

const FactTable& arenasTable()
{
    static const FactTable table = factTable<ArenaId>(
        {.id = "arenas", .title = "Arenas", .empty = "Nothing is planned."},
        {.rows = [](const Plans& plans) { return idsOf<ArenaId>(plans.report.program.map.arenas.size()); }},
        {{{"Arena", "Its number in a plan file", Number, 6},
          [](const Report&, const ArenaId& id) { return cell::count(id.index()); }},
         {{"Space", "Whose memory it is", Long, 12},
          [](const Report& report, const ArenaId& id) { return cell::space(report, id); }},
         {{"Bytes", "Its height in this plan", Number, 9},
          [](const Report& report, const ArenaId& id) {
              return cell::bytes(report.program.map.arenas[id.index()].bytes);
          }},
         {{"Lower bound", "No plan with this sharing is lower", Number, 9},
          [](const Report& report, const ArenaId& id) {
              return cell::bytes(
                  id.index() < report.memory.arenas.size() ? report.memory.arenas[id.index()].lowerBoundBytes : 0);
          }},
         {{"Alignment", "Offsets in it are multiples of this", Number, 9},
          [](const Report& report, const ArenaId& id) {
              return cell::bytes(report.program.map.arenas[id.index()].alignment);
          }},
         {{"Capacity", "A plan that is higher does not fit", Number, 9}, [](const Report& report, const ArenaId& id) {
              const auto& capacity = report.program.map.arenas[id.index()].capacityBytes;
              return capacity ? cell::bytes(*capacity) : cell::word("unlimited").sortedBy(9e18);
          }}});
    return table;
}

const FactTable& peakTable()
{
    static const FactTable table = factTable<PeakRow>(
        {.id = "peak", .title = "What forces the peak", .empty = "Nothing is alive.", .note = peakNote},
        {.rows = peakRows, .focus = [](const Report&, const PeakRow& row) { return Focus::on(row.storage); }},
        {{{"Arena", "Memory space", Words, 8},
          [](const Report& report, const PeakRow& row) { return cell::space(report, row.arena); }},
         {{"Why", "How it comes to matter", Words, 20},
          [](const Report&, const PeakRow& row) { return cell::sentence(row.why); }},
         {{"Storage", "One block of bytes", Words, 6},
          [](const Report&, const PeakRow& row) { return cell::storage(row.storage); }},
         {{"Bytes", "That it takes", Number, 9},
          [](const Report& report, const PeakRow& row) { return cell::bytes(storageOf(report, row.storage).bytes); }},
         {{"Offset", "From the start of the arena", Number, 10},
          [](const Report& report, const PeakRow& row) { return cell::offset(storageOf(report, row.storage).offset); }},
         {{"Steps", "When the bytes matter", Number, 12},
          [](const Report& report, const PeakRow& row) { return cell::steps(storageOf(report, row.storage).live); }},
         {{"Kept because", "What still needs the bytes after that step", Long, 24},
          [](const Report& report, const PeakRow& row) {
              return cell::sentence(keptUntil(report, row.storage, row.step));
          }},
         {{"Holds", "The first of its values", Long, 30},
          [](const Report& report, const PeakRow& row) { return cell::text(storageTitle(report, row.storage)); }},
         {{"Source", "Where it was written, as far as the file tells", Long, 18},
          [](const Report& report, const PeakRow& row) { return cell::source(report, row.storage); }}});
    return table;
}

} // namespace plimsoll
