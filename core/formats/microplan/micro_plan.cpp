#include "core/formats/microplan/micro_plan.h"
#include "core/formats/bad_input.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace plimsoll {
namespace {

/// Numbers as they are printed: no sum of two of them leaves 63 bits.
struct PlanLine
{
    std::int32_t id = 0;
    std::int32_t size = 0;
    std::int32_t offset = 0; ///< -1: it has no place.
    std::int32_t first = 0;
    std::int32_t last = 0;
};

Error bad(Message message, std::size_t line)
{
    return badInput(std::move(message), "line " + std::to_string(line));
}

bool take(std::string_view& text, std::string_view mark, std::int32_t& number)
{
    if (!text.starts_with(mark)) return false;
    text.remove_prefix(mark.size());
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return error == std::errc();
}

bool takeBeginning(std::string_view& text, PlanLine& line)
{
    text.remove_prefix(std::min(text.find("(id="), text.size()));
    return take(text, "(id=", line.id) && take(text, "): size=", line.size);
}

/// Nothing where the line is of something else.
Result<std::optional<PlanLine>> readLine(std::string_view text, std::size_t number)
{
    PlanLine line;
    if (!takeBeginning(text, line)) return std::optional<PlanLine>();
    if (!take(text, ", offset=", line.offset) || !take(text, ", first_used=", line.first) ||
        !take(text, " last_used=", line.last))
        return bad(say("memory-plan.line"), number);
    if (line.size < 0 || line.offset < -1 || line.first < 0 || line.last < line.first)
        return bad(say("memory-plan.buffer", word::Number {line.id}), number);
    return std::optional(line);
}

using Plans = std::vector<std::vector<PlanLine>>;

Result<std::size_t> choose(const Plans& plans, const std::string& wanted)
{
    if (wanted.empty()) return std::size_t {0};
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (wanted == std::to_string(i + 1)) return i;
    }
    return badInput(say("memory-plan.no-such-plan", word::Name {wanted}, plans.size()));
}

} // namespace

bool looksLikeMicroPlan(const FormatInput& input)
{
    if (input.content.kind != ContentKind::Text) return false;
    const std::string_view head = input.head();
    for (std::size_t at = head.find("(id="); at != std::string_view::npos; at = head.find("(id=", at + 1)) {
        std::string_view rest = head.substr(at);
        PlanLine line;
        if (takeBeginning(rest, line) && take(rest, ", offset=", line.offset)) return true;
    }
    return false;
}

Result<PackingTable> readMicroPlan(const FormatInput& input, std::size_t mostRows)
{
    Plans plans; // each begins with the id 0 and counts up
    std::string_view text = input.text();
    std::size_t rows = 0;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        PLIMSOLL_ASSIGN(line, readLine(text.substr(0, end), number));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!line) continue;
        if (++rows > mostRows) return bad(say("memory-plan.too-many-buffers", mostRows), number);
        if (line->id == 0) plans.emplace_back();
        const std::size_t expected = plans.empty() ? 0 : plans.back().size();
        if (!std::cmp_equal(line->id, expected))
            return bad(say("memory-plan.lines-missing", word::Number {line->id}, word::Number {expected}), number);
        plans.back().push_back(*line);
    }
    if (plans.empty()) return badInput(say("memory-plan.none"));
    PLIMSOLL_ASSIGN(chosen, choose(plans, input.graph));
    PackingTable table;
    table.problem.arenas = {{"cpu", 1, {}}};
    for (const PlanLine& line : plans[chosen]) {
        Buffer buffer;
        buffer.bytes = line.size;
        buffer.live.add({line.first, std::int64_t {line.last} + 1});
        table.problem.buffers.push_back(std::move(buffer));
        table.ids.push_back("buffer" + std::to_string(line.id));
        table.offsets.push_back(line.offset < 0 ? std::nullopt : std::optional<std::int64_t>(line.offset));
    }
    if (plans.size() > 1) {
        table.notes.push_back(say("note.several-plans", plans.size(), word::Number {chosen + 1}));
        for (std::size_t number = 1; number <= plans.size(); ++number)
            table.tables.names.push_back(std::to_string(number));
        table.tables.chosen = chosen;
    }
    return table;
}

} // namespace plimsoll
