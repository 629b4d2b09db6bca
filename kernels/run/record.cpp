#include "kernels/run/record.h"

#include "core/formats/files/utf8.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace plimsoll::kernels {
namespace {

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

std::string number(double value)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

constexpr std::string_view Beginning = R"({"schema":"plimsoll.record/1")";

std::string header(const PlannedProgram& program)
{
    std::string line(Beginning);
    line += ",\"graph\":" + jsonString(program.graph->name) +
            ",\"nodes\":" + std::to_string(program.graph->nodes.size()) +
            ",\"steps\":" + std::to_string(program.schedule.length()) + ",\"arenas\":[";
    for (std::size_t i = 0; i < program.map.arenas.size(); ++i) {
        line += std::string(i > 0 ? "," : "") + "{\"bytes\":" + std::to_string(program.map.arenas[i].bytes) +
                ",\"space\":" + jsonString(program.map.arenas[i].space) + "}";
    }
    return line + "]}";
}

/// By how it begins, as header() has it.
bool isRecord(const std::filesystem::path& path)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return false;
    std::string begin(Beginning.size(), '\0');
    std::ifstream(path, std::ios::binary).read(begin.data(), static_cast<std::streamsize>(begin.size()));
    return begin == Beginning;
}

Error cannotWrite(const std::filesystem::path& path, int code)
{
    return {ErrorCode::BadInput,
            std::string("The record cannot be written: ") + std::strerror(code) + ".",
            {},
            path.string()};
}

} // namespace

std::string jsonString(std::string_view text)
{
    std::string result = "\"";
    const bool valid = isUtf8(text);
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (byte < 0x20) {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\u%04x", byte);
            result += escaped;
        } else if (byte >= 0x80 && !valid) {
            result += "\\ufffd";
        } else {
            result += c;
        }
    }
    return result + '"';
}

std::string placesText(const PlannedProgram& program, const Node& node)
{
    std::string text;
    const auto add = [&](const char* verb, ValueId value) {
        if (!value.valid() || !program.map.values[value.index()].placed()) return;
        const ValuePlacement& where = program.map.values[value.index()];
        text += (text.empty() ? "" : ", ") + std::string(verb) + " '" + (*program.graph)[value].name + "' at [" +
                std::to_string(where.offset) + ", " + std::to_string(where.offset + where.bytes) + ") of " +
                program.map.arenas[where.arena.index()].space;
    };
    for (const ValueId input : node.inputs)
        add("reads", input);
    for (const ValueId output : node.outputs)
        add("writes", output);
    return text;
}

Result<std::unique_ptr<Record>> Record::create(const std::filesystem::path& path, const PlannedProgram& program,
                                               Wording words)
{
    std::FILE* file = std::fopen(path.c_str(), "we");
    if (!file) return cannotWrite(path, errno);
    std::unique_ptr<Record> record(new Record(file, path, program, words));
    record->writeLine(header(program));
    PLIMSOLL_TRY(record->health());
    return record;
}

Status Record::clear(const std::filesystem::path& path)
{
    if (!isRecord(path)) return {};
    const std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "we"));
    if (!file) return cannotWrite(path, errno);
    return {};
}

Status Record::health() const
{
    if (m_fault != 0) return cannotWrite(m_path, m_fault);
    return {};
}

void Record::writeLine(const std::string& line)
{
    std::fputs(line.c_str(), m_file.get());
    std::fputc('\n', m_file.get());
    if (std::fflush(m_file.get()) != 0 && m_fault == 0) m_fault = errno;
}

std::string Record::addresses(const Node& node) const
{
    std::string list;
    const auto add = [&](ValueId value) {
        if (!value.valid() || !m_program.map.values[value.index()].placed()) return;
        const ValuePlacement& where = m_program.map.values[value.index()];
        list += std::string(list.empty() ? "" : ",") + "{\"value\":" + jsonString((*m_program.graph)[value].name) +
                ",\"arena\":" + std::to_string(where.arena.number()) + ",\"offset\":" + std::to_string(where.offset) +
                ",\"bytes\":" + std::to_string(where.bytes) + "}";
    };
    for (const ValueId input : node.inputs)
        add(input);
    for (const ValueId output : node.outputs)
        add(output);
    return "[" + list + "]";
}

void Record::begin(const StepEvent& event)
{
    const Node& node = (*m_program.graph)[event.node];
    std::string iteration;
    for (const std::int64_t number : event.iteration)
        iteration += (iteration.empty() ? "" : ",") + std::to_string(number);
    writeLine("{\"begin\":" + std::to_string(event.step) + ",\"kind\":\"" + std::string(kindName(event.kind)) +
              "\",\"node\":" + jsonString(node.name) + ",\"op\":" + jsonString(qualifiedOp(node)) + ",\"iteration\":[" +
              iteration + "],\"addresses\":" + addresses(node) + "}");
}

void Record::end(const StepEvent& event, double ms, const std::string& digest)
{
    writeLine("{\"end\":" + std::to_string(event.step) + ",\"ms\":" + number(ms) + ",\"digest\":" + jsonString(digest) +
              "}");
}

void Record::mismatch(const RunResult::Mismatch& mismatch)
{
    writeLine("{\"mismatch\":" + jsonString(mismatch.value) + ",\"node\":" + jsonString(mismatch.node) +
              ",\"step\":" + std::to_string(mismatch.step) + ",\"note\":" + jsonString(m_words(mismatch.note)) + "}");
}

void Record::finish(const Result<RunOutcome>& outcome)
{
    if (!outcome.ok()) {
        writeLine("{\"summary\":\"failed\",\"error\":" + jsonString(m_words(toMessage(outcome.error()))) + "}");
        return;
    }
    const RunResult& result = outcome.value().result;
    writeLine("{\"summary\":\"done\",\"mode\":" + jsonString(result.mode) +
              ",\"mismatches\":" + std::to_string(result.mismatches.size()) +
              ",\"measuredPeakBytes\":" + std::to_string(result.measuredPeakBytes) +
              ",\"comparedValues\":" + std::to_string(result.comparedValues) + "}");
}

} // namespace plimsoll::kernels
