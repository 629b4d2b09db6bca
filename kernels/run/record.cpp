#include "kernels/run/record.h"

#include "core/formats/files/json_text.h"
#include "core/record/run_record.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

namespace plimsoll::kernels {
namespace {

using Json = nlohmann::ordered_json;

std::string lineOf(const Json& entry)
{
    return jsonText(entry, -1);
}

std::string_view kindName(StepKind kind)
{
    switch (kind) {
    case StepKind::Node:
        return "node";
    case StepKind::Enter:
        return "enter";
    case StepKind::Leave:
        return "leave";
    case StepKind::Exit:
        return "exit";
    }
    return "node";
}

constexpr std::string_view Beginning = R"({"schema":"plimsoll.record/1")";

Json header(const PlannedProgram& program)
{
    Json arenas = Json::array();
    for (const PlannedArena& arena : program.map.arenas)
        arenas.push_back({{"bytes", arena.bytes}, {"space", arena.space}});
    return {{"schema", "plimsoll.record/1"},
            {"graph", program.graph->name},
            {"nodes", program.graph->nodes.size()},
            {"steps", program.schedule.length()},
            {"arenas", std::move(arenas)}};
}

/// What the node reads of the arenas, then what it writes there.
std::vector<std::pair<ValueId, bool>> placedValues(const PlannedProgram& program, const Node& node)
{
    std::vector<std::pair<ValueId, bool>> values;
    for (const bool written : {false, true}) {
        for (const ValueId value : written ? node.outputs : node.inputs) {
            if (value.valid() && program.map.values[value.index()].placed()) values.emplace_back(value, written);
        }
    }
    return values;
}

Error cannotWrite(const std::filesystem::path& path, int code)
{
    return {ErrorCode::BadInput, say("run.no-record", std::strerror(code)), {}, path.string()};
}

} // namespace

std::string placesText(const PlannedProgram& program, const Node& node)
{
    std::string text;
    for (const auto& [value, written] : placedValues(program, node)) {
        const ValuePlacement& where = program.map.values[value.index()];
        text += std::string(text.empty() ? "" : ", ") + (written ? "writes" : "reads") + " '" +
                (*program.graph)[value].name + "' at [" + std::to_string(where.offset) + ", " +
                std::to_string(where.offset + where.bytes) + ") of " + program.map.arenas[where.arena.index()].space;
    }
    return text;
}

Result<std::unique_ptr<Record>> Record::create(const std::filesystem::path& path, const PlannedProgram& program,
                                               Wording words, std::optional<Keep> keep)
{
    File file(std::fopen(path.c_str(), "we"));
    if (!file) return cannotWrite(path, errno);
    std::unique_ptr<Record> record(new Record(std::move(file), path, program, words));
    if (keep && keep->mostBytes > 0) {
        const std::filesystem::path bytes = bytesFileOf(path);
        record->m_bytes.reset(std::fopen(bytes.c_str(), "we"));
        if (!record->m_bytes) return cannotWrite(bytes, errno);
    }
    record->m_keep = keep;
    record->writeLine(lineOf(header(program)));
    PLIMSOLL_TRY(record->health());
    return record;
}

Status Record::clear(const std::filesystem::path& path)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return {};
    std::string begin(Beginning.size(), '\0'); // as header() has it
    std::ifstream(path, std::ios::binary).read(begin.data(), static_cast<std::streamsize>(begin.size()));
    if (begin != Beginning) return {};
    const std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "we"));
    if (!file) return cannotWrite(path, errno);
    return {};
}

Status Record::health() const
{
    if (m_fault != 0) return cannotWrite(m_path, m_fault);
    return {};
}

void Record::noteFault(int code)
{
    if (m_fault == 0) m_fault = code;
}

void Record::writeLine(const std::string& line)
{
    std::fputs(line.c_str(), m_file.get());
    if (std::fflush(m_file.get()) != 0) noteFault(errno);
}

std::optional<std::int64_t> Record::keepBytes(ValueId value, bool given, const TensorView& elements)
{
    const std::span<const std::byte> bytes = elements.byteSpan();
    const auto size = static_cast<std::int64_t>(bytes.size());
    const bool matters =
        given || m_step >= m_keep->fromStep || m_program.values[value.index()].live.contains(m_keep->fromStep);
    if (!m_bytes || !matters || size > m_keep->mostBytes - m_kept) return std::nullopt;
    const std::size_t written = std::fwrite(bytes.data(), 1, bytes.size(), m_bytes.get());
    if (written != bytes.size() || std::fflush(m_bytes.get()) != 0) {
        noteFault(errno);
        m_bytes.reset(); // no more: what is there stays in step with the lines
        return std::nullopt;
    }
    return std::exchange(m_kept, m_kept + size);
}

void Record::content(ValueId value, bool given, const TensorView& elements)
{
    if (given && !m_given.insert(value).second) return;
    Json line = {{given ? "given" : "wrote", (*m_program.graph)[value].name},
                 {"dtype", dtypeName(elements.dtype)},
                 {"shape", elements.shape},
                 {"bytes", elements.bytes()}};
    if (const auto at = keepBytes(value, given, elements)) line["at"] = *at;
    writeLine(lineOf(line));
}

void Record::order(const std::string& name)
{
    writeLine(lineOf({{"order", name}}));
    m_given.clear();
    if (m_keep) m_keep->mostBytes += m_kept; // as much again
}

void Record::begin(const StepEvent& event)
{
    m_step = event.step;
    const Node& node = (*m_program.graph)[event.node];
    Json addresses = Json::array();
    for (const auto& [value, written] : placedValues(m_program, node)) {
        const ValuePlacement& where = m_program.map.values[value.index()];
        addresses.push_back({{"value", (*m_program.graph)[value].name},
                             {"arena", where.arena.number()},
                             {"offset", where.offset},
                             {"bytes", where.bytes}});
    }
    writeLine(lineOf({{"begin", event.step},
                      {"kind", kindName(event.kind)},
                      {"node", node.name},
                      {"op", qualifiedOp(node)},
                      {"iteration", std::vector(event.iteration.begin(), event.iteration.end())},
                      {"addresses", std::move(addresses)}}));
}

void Record::end(const StepEvent& event, double ms, const std::string& digest)
{
    writeLine(lineOf({{"end", event.step}, {"ms", std::round(ms * 1e6) / 1e6}, {"digest", digest}})); // nanoseconds
}

void Record::mismatch(const RunResult::Mismatch& mismatch)
{
    writeLine(lineOf({{"mismatch", mismatch.value},
                      {"node", mismatch.node},
                      {"step", mismatch.step},
                      {"note", m_words(mismatch.note)}}));
}

void Record::finish(const Result<RunOutcome>& outcome)
{
    if (!outcome.ok())
        return writeLine(lineOf({{"summary", "failed"}, {"error", m_words(toMessage(outcome.error()))}}));
    const RunResult& result = outcome.value().result;
    writeLine(lineOf({{"summary", "done"},
                      {"mode", result.mode},
                      {"mismatches", result.mismatches.size()},
                      {"measuredPeakBytes", result.measuredPeakBytes},
                      {"comparedValues", result.comparedValues}}));
}

} // namespace plimsoll::kernels
