#include "core/base/bytes.h"
#include "core/facts/tables.h"
#include "core/facts/words/run_sentences.h"

#include <fmt/format.h>

#include <cmath>

namespace plimsoll {
namespace {

using enum ColumnInfo::Kind;
using Mismatch = RunResult::Mismatch;

std::vector<Fact> runFacts(const Plans& plans)
{
    if (!plans.report.run) return {};
    const RunResult& run = *plans.report.run;
    std::vector<Fact> rows;
    for (const Message& sentence : scopeSentences(run))
        rows.push_back({"Not all was run", cell::sentence(sentence)});
    rows.push_back({"Mode", cell::text(run.mode)});
    rows.push_back({"Backend", cell::text(run.backend)});
    rows.push_back({"Measured peak", cell::bytes(run.measuredPeakBytes)});
    rows.push_back({"Peak of what was not planned", cell::bytes(run.unplannedPeakBytes)});
    rows.push_back({"Fingerprinted nodes", cell::text(formatCount(run.fingerprintedNodes))});
    rows.push_back({"Values compared with the oracle", cell::text(formatCount(run.comparedValues))});
    rows.push_back({"Bytes compared with the oracle", cell::bytes(run.comparedBytes)});
    rows.push_back({"Mismatches", cell::count(run.mismatches.size())});
    if (!run.orders.empty()) rows.push_back({"Orders of its streams that were run", cell::count(run.orders.size())});
    if (run.replayed) rows.push_back({"Outputs that another replay changed", cell::count(run.replayed->size())});
    if (run.measuredBySpace.size() > 1) {
        for (const auto& [space, bytes] : run.measuredBySpace)
            rows.push_back({"Measured in " + space, cell::bytes(bytes)});
    }
    for (const Message& sentence : deviceSentences(run))
        rows.push_back({"Device", cell::sentence(sentence)});
    return rows;
}

} // namespace

const FactTable& runTable()
{
    static const FactTable table = listTable({.id = "run", .title = "Run", .empty = "Nothing was run."}, runFacts);
    return table;
}

const FactTable& mismatchesTable()
{
    static const FactTable table = factTable<Mismatch>(
        {.id = "mismatches", .title = "Mismatches with the oracle", .empty = "None."},
        {.rows =
             [](const Plans& plans) {
                 return plans.report.run ? plans.report.run->mismatches : std::vector<Mismatch>();
             }},
        {{{"Value", "", Words, 24}, [](const Report&, const Mismatch& row) { return cell::text(row.value); }},
         {{"Node", "", Words, 24}, [](const Report&, const Mismatch& row) { return cell::text(row.node); }},
         {{"Step", "", Number, 6},
          [](const Report&, const Mismatch& row) { return cell::text(formatCount(row.step)); }},
         {{"Largest difference", "", Number, 10},
          [](const Report&, const Mismatch& row) {
              const bool number = !std::isnan(row.maxAbsDiff);
              return cell::text(fmt::format("{:g}", row.maxAbsDiff)).sortedBy(number ? row.maxAbsDiff : -1);
          }},
         {{"Note", "", Long, 30}, [](const Report&, const Mismatch& row) { return cell::sentence(row.note); }}});
    return table;
}

} // namespace plimsoll
