#include "core/base/bytes.h"
#include "core/base/numbered_names.h"
#include "core/facts/tables.h"
#include "core/report/escape.h"
#include "core/report/writers.h"

#include <numeric>
#include <set>

namespace plimsoll {

std::string writeCsv(const FactTable& table, const OpenTable& open, std::span<const std::uint32_t> rows)
{
    std::string text;
    for (const ColumnInfo& column : table.columns)
        text += (text.empty() ? "" : ",") + escapeCsv(column.title);
    text += "\r\n";
    for (const std::uint32_t row : rows) {
        for (std::size_t column = 0; column < table.columns.size(); ++column)
            text += (column == 0 ? "" : ",") + escapeCsv(plainText(open.cell(row, column)));
        text += "\r\n";
    }
    return text;
}

std::string writeCsv(const std::vector<FactSection>& sections)
{
    std::string text = "Section,Name,Value\r\n";
    for (const FactSection& section : sections)
        for (const Fact& fact : section.facts)
            text +=
                escapeCsv(section.title) + "," + escapeCsv(fact.name) + "," + escapeCsv(plainText(fact.cell)) + "\r\n";
    return text;
}

std::string writeCsv(const Report& report)
{
    const auto open = valuesFile().open({report});
    std::vector<std::uint32_t> rows(open->size());
    std::iota(rows.begin(), rows.end(), 0);
    return writeCsv(valuesFile(), *open, rows);
}

std::string writeBuffersCsv(const Report& report)
{
    const PlannedProgram& program = report.program;
    std::vector<std::int64_t> floors; // of each arena
    std::int64_t top = 0;
    for (const PlannedArena& arena : program.map.arenas) {
        floors.push_back(alignUp(top, arena.alignment));
        top = floors.back() + arena.bytes;
    }
    std::set<std::string> taken; // also by storages that come later: names of the graph stay
    for (const Value& value : program.graph->values)
        taken.insert(value.name);
    std::set<std::string> names;
    NumberedNames free("_");
    std::string text = "id,lower,upper,size,alignment,gaps,offset\n";
    for (const StorageId id : idsOf<StorageId>(program.storages.size())) {
        const Storage& storage = program.storages[id.index()];
        if (!storage.arena.valid() || storage.bytes <= 0 || storage.live.empty()) continue;
        std::string name = storage.values.empty() ? std::string() : (*program.graph)[storage.values.front()].name;
        if (name.empty() || escapeCsv(name) != name || !names.insert(name).second)
            name = free.name("s" + std::to_string(id.number()),
                             [&](const std::string& one) { return taken.insert(one).second; });
        std::string gaps;
        const auto ranges = storage.live.intervals();
        for (std::size_t i = 1; i < ranges.size(); ++i)
            gaps += (i == 1 ? "" : " ") + std::to_string(ranges[i - 1].end) + "-" + std::to_string(ranges[i].begin);
        const PlannedArena& arena = program.map.arenas[storage.arena.index()];
        const Interval life = storage.live.hull();
        text += name;
        for (const std::int64_t number : {life.begin, life.end, storage.bytes, arena.alignment})
            text += "," + std::to_string(number);
        text += "," + gaps + "," + std::to_string(floors[storage.arena.index()] + storage.offset) + "\n";
    }
    return text;
}

} // namespace plimsoll
