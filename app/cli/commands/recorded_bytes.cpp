#include "app/cli/commands/recorded_bytes.h"

#include "app/cli/text_table.h"
#include "core/base/bytes.h"
#include "core/facts/english/english.h"
#include "core/facts/words/area_text.h"
#include "core/facts/words/number_text.h"
#include "core/record/shown_bytes.h"

#include <algorithm>

namespace plimsoll::cli {
namespace {

constexpr std::int64_t MostLines = 64;
using Align = TextTable::Align;

std::string ownerText(const Graph& graph, const HeldBytes& held, const RecordedContent* content)
{
    if (held.scratchOf.valid()) return "scratchpad of " + graph[held.scratchOf].name;
    return content ? graph[content->value].name : "nothing written yet";
}

std::string stepText(const RunRecord& record, std::size_t moment)
{
    const Moment& then = record.moments[moment];
    const std::string iteration = iterationText(then.iteration);
    return "step " + std::to_string(then.step) + (iteration.empty() ? "" : ", iteration " + iteration);
}

std::string writesText(const RunRecord& record, const PlannedProgram& program, const PlanArea& area)
{
    TextTable table({Align::Left, Align::Left, Align::Left});
    const std::vector<HeldBytes> writes = writesTo(record, program, area.arena, area.bytes);
    for (std::size_t i = 0; i < std::min<std::size_t>(writes.size(), MostLines); ++i) {
        const RecordedContent* content = writes[i].content ? &record.contents[*writes[i].content] : nullptr;
        const std::string range = addressText(writes[i].bytes.begin) + ".." + addressText(writes[i].bytes.end);
        table.add({stepText(record, writes[i].moment), ownerText(*program.graph, writes[i], content), range});
    }
    const std::string more =
        std::ssize(writes) > MostLines ? "    … " + formatCount(std::ssize(writes) - MostLines) + " more\n" : "";
    return "  Written by\n" + table.text(4) + more;
}

std::string linesText(const ShownBytes& bytes, const RunRecord& record, const Graph& graph)
{
    TextTable table({Align::Left, Align::Left, Align::Left, Align::Left, Align::Left});
    for (std::int64_t i = 0; i < std::min(bytes.lines(), MostLines); ++i) {
        const ShownBytes::Line line = bytes.line(i);
        const HeldBytes& held = bytes.pieces()[line.piece];
        const RecordedContent* content = bytes.contentOf(line);
        const bool kept = !content || content->at;
        const std::string owner = ownerText(graph, held, content);
        table.add({addressText(line.bytes.begin), bytes.isDead(held) ? "nobody any more, last " + owner : owner,
                   held.written() ? stepText(record, held.moment) : "", bytes.hexText(line),
                   kept ? bytes.elementsText(line) : "not kept"});
    }
    const std::string more =
        bytes.lines() > MostLines ? "    … " + formatCount(bytes.lines() - MostLines) + " more lines\n" : "";
    return table.text(4) + more;
}

} // namespace

Result<std::string> recordedBytes(const Report& report, const std::filesystem::path& record,
                                  const std::vector<Focus>& subjects, std::int64_t step)
{
    const auto program = std::make_shared<const PlannedProgram>(report.program);
    PLIMSOLL_ASSIGN(read, readRunRecord(record, *program));
    const auto run = std::make_shared<const RunRecord>(std::move(read));
    const auto moment = run->latestAt(step < 0 ? program->schedule.length() : step);
    if (!moment) return std::string("\nIn the run\n  nothing had run by this step\n");
    std::string text;
    for (const Focus& subject : subjects) {
        const PlanArea area = areaOf(report, subject);
        if (!area.valid() && !subject.value.valid()) continue;
        text += "\nIn the run\n";
        if (area.valid()) text += writesText(*run, *program, area);
        const ShownBytes bytes = area.valid() ? ShownBytes(run, program, area.arena, area.bytes, *moment)
                                              : ShownBytes(run, program, subject.value, *moment);
        const std::string order = run->order.empty() ? "" : ", " + english(say("run.in-order", run->order));
        text += "  After " + stepText(*run, *moment) + order + "\n" + linesText(bytes, *run, *program->graph);
    }
    return text;
}

} // namespace plimsoll::cli
