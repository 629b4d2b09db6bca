#include "core/base/bytes.h"
#include "core/base/plural.h"
#include "core/facts/tables.h"
#include "core/facts/words/run_sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <unordered_map>

namespace plimsoll {
namespace {

using enum ColumnInfo::Kind;

void addSentences(std::vector<Fact>& rows, const char* name, const std::vector<Message>& sentences)
{
    for (const Message& sentence : sentences)
        rows.push_back({name, cell::sentence(sentence)});
}

std::vector<Fact> runFacts(const Plans& plans)
{
    if (!plans.run) return {};
    const RunResult& run = *plans.run;
    std::vector<Fact> rows;
    addSentences(rows, "Not all was run", scopeSentences(run));
    rows.push_back({"Mode", cell::text(run.mode)});
    rows.push_back({"Backend", cell::text(run.backend)});
    rows.push_back({"Measured peak", cell::bytes(run.measuredPeakBytes)});
    rows.push_back({"Planned peak", cell::bytes(plans.report.memory.peakBytes)});
    rows.push_back({"Peak of what was not planned", cell::bytes(run.unplannedPeakBytes)});
    if (!run.stepMs.empty())
        rows.push_back(
            {"Time in kernels", cell::seconds(std::accumulate(run.stepMs.begin(), run.stepMs.end(), 0.0) / 1e3)});
    rows.push_back({"Fingerprinted nodes", cell::text(formatCount(run.fingerprintedNodes))});
    if (run.fingerprintedNodes > 0)
        rows.push_back({"Fingerprints", cell::word("a hash of what a node reads: equal bytes still speak for the plan, "
                                                   "but they are not the model's numbers")});
    rows.push_back({"Values compared with the oracle", cell::text(formatCount(run.comparedValues))});
    rows.push_back({"Bytes compared with the oracle", cell::bytes(run.comparedBytes)});
    if (Message forced = forcedSentence(run); !forced.empty())
        rows.push_back({"Forced", cell::sentence(std::move(forced))});
    rows.push_back({"Mismatches", cell::count(run.mismatches.size())});
    if (Message watched = watchedSentence(run); !watched.empty())
        rows.push_back({"Poison and guards", cell::sentence(std::move(watched))});
    if (!run.orders.empty())
        rows.push_back({"Orders of its streams that were run",
                        cell::count(run.orders.size()).withTip(fmt::format("{}", fmt::join(run.orders, ", ")))});
    if (run.replayed) rows.push_back({"Outputs that another replay changed", cell::count(run.replayed->size())});
    addSentences(rows, "Replay", replaySentences(run));
    if (run.measuredBySpace.size() > 1) {
        for (const auto& [space, bytes] : run.measuredBySpace)
            rows.push_back({english(say("run.measured-in", space)), cell::bytes(bytes)});
    }
    addSentences(rows, "Device", deviceSentences(run));
    addSentences(rows, "Note", run.notes);
    return rows;
}

/// Something that a run names, and the value of the plan; invalid where there is none of that name.
template <typename T>
struct Named
{
    const T* said;
    ValueId value;
};

template <typename T, typename NameOf>
std::vector<Named<T>> named(const Report& report, std::span<const T> all, NameOf nameOf)
{
    std::unordered_map<std::string_view, ValueId> values;
    for (const ValueId id : idsOf<ValueId>(all.empty() ? 0 : report.program.graph->values.size()))
        values.emplace((*report.program.graph)[id].name, id);
    std::vector<Named<T>> rows;
    for (const T& said : all) {
        const auto found = values.find(nameOf(said));
        rows.push_back({&said, found == values.end() ? ValueId() : found->second});
    }
    return rows;
}

Cell nameCell(const Report& report, ValueId value, std::string_view name)
{
    return value.valid() ? cell::value(report, value) : cell::text(name);
}

using MismatchRow = Named<RunResult::Mismatch>;

std::vector<MismatchRow> mismatchesOf(const Plans& plans)
{
    if (!plans.run) return {};
    return named(plans.report, std::span(plans.run->mismatches), [](const auto& one) { return one.value; });
}

struct OutputRow
{
    const RunResult::Output* said;
    ValueId value; ///< Invalid where the plan has none of that name.
    bool hashed;   ///< Its bytes may come from a fingerprint.
};

/// Of RunResult::outputs or RunResult::gradients.
template <std::vector<RunResult::Output> RunResult::*Part>
std::vector<OutputRow> outputsOf(const Plans& plans)
{
    std::vector<OutputRow> rows;
    if (!plans.run) return rows;
    const std::span<const RunResult::Output> outputs = plans.run->*Part;
    for (const auto& [said, value] : named(plans.report, outputs, [](const auto& output) { return output.name; }))
        rows.push_back({said, value, plans.run->fingerprintedNodes > 0});
    return rows;
}

/// "csr(float32[4,1000]), 17 kept".
std::string typeText(const RunResult::Output& output)
{
    TensorType type = TensorType::dense(output.dtype, output.shape);
    type.storage = output.storage;
    return output.kept < 0 ? describe(type) : english(say("outputs.kept", describe(type), output.kept));
}

std::string elementsText(const RunResult::Output& output, std::size_t most)
{
    const std::span shown = std::span(output.elements).first(std::min(most, output.elements.size()));
    return fmt::format("{}{}", fmt::join(shown, "  "), shown.size() < output.elements.size() ? "  …" : "");
}

/// The first elements, or the digest of all bytes.
Cell elementsCell(const Report&, const OutputRow& row)
{
    constexpr std::size_t Most = 24;
    constexpr std::size_t MostInTip = 256;
    const RunResult::Output& output = *row.said;
    std::string text =
        output.elements.empty() ? english(say("outputs.digest", output.digest)) : elementsText(output, Most);
    if (row.hashed) text = english(say("outputs.hashed", dtypeName(output.dtype), text));
    return cell::text(text).withTip(elementsText(output, MostInTip) + "\n" +
                                    english(say("outputs.digest-of-all", output.digest)));
}

template <std::vector<RunResult::Output> RunResult::*Part>
FactTable outputTable(FactTable head)
{
    return factTable<OutputRow>(
        std::move(head),
        {.rows = outputsOf<Part>, .focus = [](const Report&, const OutputRow& row) { return Focus::on(row.value); }},
        {{{"Name", "", Words, 24},
          [](const Report& report, const OutputRow& row) { return nameCell(report, row.value, row.said->name); }},
         {{"Type", "", Words, 20}, [](const Report&, const OutputRow& row) { return cell::text(typeText(*row.said)); }},
         {{"Elements", "", Long, 40}, elementsCell}});
}

/// A write, or what was seen of all.
struct WriteRow
{
    const ProbeWrite* write;
    Message said;
    ValueId value;
};

std::vector<WriteRow> writesOf(const Plans& plans)
{
    if (!plans.run || !plans.run->probe) return {};
    const WriteProbe& probe = *plans.run->probe;
    const auto writes =
        named(plans.report, std::span(probe.writes), [](const ProbeWrite& write) { return write.handle.value; });
    std::vector<WriteRow> rows;
    for (Message& sentence : probeSentences(probe)) { // the first are about the writes
        const bool ofAll = rows.size() >= writes.size();
        rows.push_back({ofAll ? nullptr : writes[rows.size()].said, std::move(sentence),
                        ofAll ? ValueId() : writes[rows.size()].value});
    }
    return rows;
}

/// "output 0, a".
Cell handleCell(const Report&, const WriteRow& row)
{
    if (!row.write) return cell::blank();
    const HandleName& handle = row.write->handle;
    return cell::sentence(
        say(handle.output ? "writes.output" : "writes.input", word::Number(handle.index), handle.value));
}

/// Wrong where the write did something that the plan does not say.
Cell outcomeCell(const Report&, const WriteRow& row)
{
    if (!row.write) return cell::blank();
    const ProbeWrite& write = *row.write;
    constexpr std::string_view Outcomes[] = {"written", "refused", "detached", "not written"}; // by ProbeWrite::Outcome
    const bool changed = write.outcome == ProbeWrite::Outcome::Written && !write.changed.empty();
    Cell made = changed ? cell::sentence(say("writes.changed", write.changed.size()))
                        : cell::word(Outcomes[static_cast<std::size_t>(write.outcome)]);
    made.wrong = !write.unchanged.empty() || !std::ranges::all_of(write.changed, &ProbeWrite::Change::predicted);
    return made;
}

} // namespace

const FactTable& runTable()
{
    static const FactTable table = listTable({.id = "run", .title = "Run", .empty = "Nothing was run."}, runFacts);
    return table;
}

const FactTable& mismatchesTable()
{
    static const FactTable table = factTable<MismatchRow>(
        {.id = "mismatches", .title = "Mismatches with the oracle", .empty = "None."},
        {.rows = mismatchesOf,
         .focus =
             [](const Report&, const MismatchRow& row) {
                 Focus focus = Focus::on(row.value);
                 focus.step = row.said->step;
                 return focus;
             }},
        {{{"Value", "", Words, 24},
          [](const Report& report, const MismatchRow& row) {
              Cell made = nameCell(report, row.value, row.said->value);
              made.wrong = true;
              return made;
          }},
         {{"Node", "", Words, 24}, [](const Report&, const MismatchRow& row) { return cell::text(row.said->node); }},
         {{"Step", "", Number, 6},
          [](const Report&, const MismatchRow& row) { return cell::text(formatCount(row.said->step)); }},
         {{"Largest difference", "", Number, 10},
          [](const Report&, const MismatchRow& row) {
              const bool number = !std::isnan(row.said->maxAbsDiff);
              return cell::text(formatReal(row.said->maxAbsDiff, 6)).sortedBy(number ? row.said->maxAbsDiff : -1);
          }},
         {{"Rule", "", Words, 12},
          [](const Report&, const MismatchRow& row) { return cell::text(ruleId(row.said->rule)); }},
         {{"Note", "", Long, 30},
          [](const Report&, const MismatchRow& row) { return cell::sentence(row.said->note); }}});
    return table;
}

const FactTable& writesTable()
{
    static const FactTable table = factTable<WriteRow>(
        {.id = "writes", .title = "Write probe", .empty = "No write was tried."},
        {.rows = writesOf, .focus = [](const Report&, const WriteRow& row) { return Focus::on(row.value); }},
        {{{"Written through", "", Words, 24}, handleCell},
         {{"Outcome", "", Words, 16}, outcomeCell},
         {{"What was seen", "", Long, 40},
          [](const Report&, const WriteRow& row) { return cell::sentence(row.said); }}});
    return table;
}

const FactTable& outputsTable()
{
    static const FactTable table =
        outputTable<&RunResult::outputs>({.id = "outputs", .title = "Outputs", .empty = "Nothing was run."});
    return table;
}

const FactTable& runGradientsTable()
{
    static const FactTable table = outputTable<&RunResult::gradients>(
        {.id = "run-gradients", .title = "Gradients that were computed", .empty = "None."});
    return table;
}

} // namespace plimsoll
