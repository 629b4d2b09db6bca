#include "core/record/run_record.h"

#include "core/base/name_index.h"
#include "core/formats/files/json_input.h"

#include <algorithm>
#include <numeric>

namespace plimsoll {
namespace {

/// Ids by the names of a list of nodes or values.
template <typename Id, typename List>
class Names
{
public:
    explicit Names(const List& list) : m_list(list)
    {
        m_index.reserve(list.size());
        for (std::size_t i = 0; i < list.size(); ++i)
            m_index.add(list[i].name, i, nameOf());
    }
    [[nodiscard]] Result<Id> find(const JsonPlace& line, const char* key) const
    {
        PLIMSOLL_ASSIGN(name, line.requiredText(key));
        const auto found = m_index.find(name, nameOf());
        if (!found) return line.error(say("record.other-graph", word::Name {name}));
        return Id(*found);
    }

private:
    [[nodiscard]] auto nameOf() const
    {
        return [this](std::size_t i) -> std::string_view { return m_list[i].name; };
    }

    const List& m_list;
    NameIndex m_index;
};

/// Takes in one line after the other.
class Reader
{
public:
    Reader(const PlannedProgram& program, RunRecord& record)
        : m_places(program.map.values), m_steps(program.schedule.length()), m_nodes(program.graph->nodes),
          m_values(program.graph->values), m_record(record)
    {
    }

    Status header(const JsonPlace& line) const
    {
        PLIMSOLL_ASSIGN(schema, line.textOr("schema", ""));
        if (schema != "plimsoll.record/1") return line.error(say("record.no-record"));
        PLIMSOLL_ASSIGN(steps, line.requiredInteger("steps"));
        if (steps != m_steps) return line.error(say("record.other-plan", steps, m_steps));
        return {};
    }

    Status take(const JsonPlace& line)
    {
        if (line.has("begin")) return begin(line);
        if (line.has("summary")) return summary(line);
        if (line.has("mismatch")) return {}; // the run's own report tells of them
        if (line.has("order")) return order(line);
        if (m_record.moments.empty()) return line.error(say("record.no-step"));
        if (line.has("end")) return end(line);
        if (line.has("wrote")) return content(line, "wrote");
        if (line.has("given")) return content(line, "given");
        return line.error(say("record.no-line"));
    }

private:
    Status begin(const JsonPlace& line)
    {
        Moment moment;
        PLIMSOLL_SET(moment.step, line.requiredInteger("begin"));
        if (moment.step < 0 || moment.step >= m_steps) return line.error(say("record.no-such-step", m_steps));
        PLIMSOLL_SET(moment.node, m_nodes.find(line, "node"));
        PLIMSOLL_TRY(line.readList("iteration", moment.iteration, &JsonPlace::integer));
        PLIMSOLL_TRY(line.forEach("addresses", [this](const JsonPlace& address) { return samePlace(address); }));
        const std::int64_t contents = std::ssize(m_record.contents);
        moment.contents = {contents, contents};
        m_record.moments.push_back(std::move(moment));
        return {};
    }

    /// What came before is of an order in which nothing is wrong.
    Status order(const JsonPlace& line)
    {
        PLIMSOLL_SET(m_record.order, line.requiredText("order"));
        m_record.moments.clear();
        m_record.contents.clear();
        return {};
    }

    Status samePlace(const JsonPlace& address) const
    {
        PLIMSOLL_ASSIGN(value, m_values.find(address, "value"));
        PLIMSOLL_ASSIGN(offset, address.requiredInteger("offset"));
        const std::int64_t here = m_places[value.index()].offset;
        return offset == here ? Status() : address.error(say("record.other-place", offset, here));
    }

    Status end(const JsonPlace& line)
    {
        Moment& moment = m_record.moments.back();
        if (line.has("ms")) PLIMSOLL_SET(moment.ms, line.at("ms").number());
        moment.ended = true;
        return {};
    }

    Status content(const JsonPlace& line, const char* key)
    {
        RecordedContent content;
        content.given = std::string_view(key) == "given";
        PLIMSOLL_SET(content.value, m_values.find(line, key));
        PLIMSOLL_ASSIGN(dtype, line.requiredText("dtype"));
        content.dtype = dtypeFromName(dtype).value_or(DType::Unknown);
        PLIMSOLL_TRY(line.readList("shape", content.shape, &JsonPlace::integer));
        PLIMSOLL_SET(content.bytes, line.requiredInteger("bytes"));
        if (denseBytes(content.dtype, content.shape) != content.bytes) return line.error(say("record.other-size"));
        if (line.has("at")) {
            PLIMSOLL_ASSIGN(at, line.requiredInteger("at"));
            const std::int64_t there = m_record.bytes ? std::ssize(m_record.bytes->bytes()) : 0;
            if (at < 0 || at > there || content.bytes > there - at) return line.error(say("record.no-bytes", there));
            content.at = at;
        }
        m_record.contents.push_back(std::move(content));
        m_record.moments.back().contents.end = std::ssize(m_record.contents);
        return {};
    }

    Status summary(const JsonPlace& line)
    {
        PLIMSOLL_ASSIGN(how, line.requiredText("summary"));
        m_record.ended = how == "done";
        return {};
    }

    const std::vector<ValuePlacement>& m_places;
    std::int64_t m_steps;
    Names<NodeId, decltype(Graph::nodes)> m_nodes;
    Names<ValueId, decltype(Graph::values)> m_values;
    RunRecord& m_record;
};

} // namespace

std::span<const std::byte> RunRecord::bytesOf(const RecordedContent& content) const
{
    if (!bytes || !content.at) return {};
    return bytes->bytes().subspan(static_cast<std::size_t>(*content.at), static_cast<std::size_t>(content.bytes));
}

std::optional<std::size_t> RunRecord::latestAt(std::int64_t step) const
{
    for (std::size_t i = order.empty() ? 0 : moments.size(); i-- > 0;)
        if (moments[i].step == step) return i;
    for (std::size_t i = moments.size(); i-- > 0;)
        if (moments[i].step <= step) return i;
    return std::nullopt;
}

std::optional<std::int64_t> RunRecord::stepBeside(std::int64_t step, int by) const
{
    const auto isIts = [step](const Moment& moment) { return moment.step == step; };
    if (by < 0) {
        const auto first = std::ranges::find_if(moments, isIts);
        if (first == moments.end() || first == moments.begin()) return std::nullopt;
        return (first - 1)->step;
    }
    const auto last = std::find_if(moments.rbegin(), moments.rend(), isIts);
    const auto next = last == moments.rend() ? moments.begin() : last.base(); // from none to the first
    return next == moments.end() ? std::nullopt : std::optional(next->step);
}

std::int64_t RunRecord::keptBytes() const
{
    return std::accumulate(contents.begin(), contents.end(), std::int64_t {0},
                           [](std::int64_t sum, const auto& one) { return one.at ? sum + one.bytes : sum; });
}

std::int64_t RunRecord::droppedBytes() const
{
    return std::accumulate(contents.begin(), contents.end(), std::int64_t {0},
                           [](std::int64_t sum, const auto& one) { return one.at ? sum : sum + one.bytes; });
}

std::filesystem::path bytesFileOf(const std::filesystem::path& record)
{
    return record.string() + ".bytes";
}

std::string iterationText(std::span<const std::int64_t> iteration)
{
    std::string text;
    for (const std::int64_t number : iteration)
        text += (text.empty() ? "" : ".") + std::to_string(number);
    return text;
}

Result<RunRecord> readRunRecord(const std::filesystem::path& file, const PlannedProgram& program)
{
    PLIMSOLL_ASSIGN(log, MappedFile::open(file));
    const std::string_view text = log.text();
    RunRecord record;
    const std::filesystem::path kept = bytesFileOf(file);
    std::error_code ignored;
    if (std::filesystem::is_regular_file(kept, ignored)) PLIMSOLL_SET(record.bytes, MappedFile::open(kept));
    Reader reader(program, record);
    std::size_t number = 1;
    for (std::size_t begin = 0; begin < text.size(); ++number) {
        const std::size_t end = text.find('\n', begin);
        if (end == std::string_view::npos && number > 1) break; // cut off
        const auto line = parseJson(text.substr(begin, end - begin));
        const std::string where = "line " + std::to_string(number);
        if (!line.ok()) return badInput(line.error().message, where, file.string());
        const JsonPlace place(line.value(), where);
        Status taken = place.expectObject();
        if (taken.ok()) taken = number == 1 ? reader.header(place) : reader.take(place);
        if (!taken.ok()) {
            Error error = taken.error();
            error.file = file.string();
            return error;
        }
        begin = end == std::string_view::npos ? text.size() : end + 1;
    }
    if (number == 1) return badInput(say("record.no-record"), {}, file.string());
    return record;
}

} // namespace plimsoll
