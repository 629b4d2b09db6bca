#include "core/formats/hlo/hlo_protobuf.h"

#include "core/base/narrow.h"
#include "core/formats/files/wire_reader.h"
#include "core/formats/graph_choice.h"
#include "core/formats/hlo.pb.h"
#include "core/formats/hlo/hlo_proto_module.h"
#include "core/formats/sniff.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace plimsoll::hlo {
namespace {

constexpr int DeepestMessage = 100; ///< As in protobuf's binary form.

/// How many fields are still looked at before a file is taken for something else: it may have millions.
class Patience
{
public:
    [[nodiscard]] bool next() { return m_left-- > 0; }

private:
    int m_left = 1 << 16;
};

/// Whether \p accepts is true of one of the message's fields, and all of them are fields, as far as patience goes.
template <typename Accepts>
bool hasField(WireBytes message, Patience& patience, Accepts&& accepts)
{
    bool found = false;
    for (WireField field; patience.next();) {
        const Result<bool> more = nextField(message, field);
        if (!more.ok()) return false;
        if (!more.value()) return found;
        found = found || accepts(field);
    }
    return found;
}

bool isMessage(const WireField& field, int number)
{
    return field.number == number && field.type == WireType::Bytes;
}

/// "get-tuple-element"
bool isOpcode(const WireField& field)
{
    const auto bytes = field.payload.bytes;
    return isMessage(field, 2) && !bytes.empty() && std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) {
               const char c = static_cast<char>(byte);
               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
           });
}

/// HloModuleProto: computations (3) with instructions (2) with an opcode (2).
bool isModule(WireBytes message, Patience& patience)
{
    return hasField(message, patience, [&](const WireField& field) {
        return isMessage(field, 3) && hasField(field.payload, patience, [&](const WireField& instruction) {
                   return isMessage(instruction, 2) && hasField(instruction.payload, patience, isOpcode);
               });
    });
}

bool isModule(WireBytes message)
{
    Patience patience;
    return isModule(message, patience);
}

bool isHloProto(WireBytes message)
{
    Patience patience;
    return hasField(message, patience,
                    [&](const WireField& field) { return isMessage(field, 1) && isModule(field.payload, patience); });
}

/// XSpace: planes (1) that say of kinds of events, by number (4: 1 and 2), what they are.
bool isProfile(WireBytes message)
{
    Patience patience;
    const auto isEntry = [&](const WireField& field) {
        return isMessage(field, 4) && hasField(field.payload, patience, [](const WireField& key) {
                   return key.number == 1 && key.type == WireType::Varint;
               });
    };
    return hasField(message, patience, [&](const WireField& field) {
        return isMessage(field, 1) && hasField(field.payload, patience, isEntry);
    });
}

WireBytes whole(std::span<const std::byte> bytes)
{
    return {bytes, 0};
}

template <typename Proto>
Status parseBinary(std::span<const std::byte> bytes, Proto& proto)
{
    if (!std::in_range<int>(bytes.size()))
        return Error {ErrorCode::BadInput,
                      "The file is larger than 2 GiB, the most a protobuf file can be. Give the program as HLO text.",
                      {},
                      {}};
    if (proto.ParseFromArray(bytes.data(), narrow<int>(bytes.size()))) return {};
    return Error {ErrorCode::BadInput, "The file ends in the middle of a field, or is damaged.", {}, {}};
}

/// The programs that a profile carries, each once.
Status collect(const file::XSpace& space, std::vector<file::HloProto>& programs)
{
    for (const file::XPlane& plane : space.planes()) {
        std::map<std::int64_t, const file::XEventMetadata*> events;
        for (const auto& [id, event] : plane.event_metadata())
            events.emplace(id, &event);
        for (const auto& [id, event] : events) {
            for (const file::XStat& stat : event->stats()) {
                const std::string& bytes = stat.bytes_value();
                if (!isHloProto({std::as_bytes(std::span(bytes)), 0})) continue;
                PLIMSOLL_TRY(parseBinary(std::as_bytes(std::span(bytes)), programs.emplace_back()));
            }
        }
    }
    if (!programs.empty()) return {};
    return Error {ErrorCode::BadInput, "This is a profile (XSpace) that carries no program of XLA.", {}, {}};
}

class FirstError : public google::protobuf::io::ErrorCollector
{
public:
    void AddError(int line, google::protobuf::io::ColumnNumber, const std::string& message) override
    {
        if (m_error) return;
        m_error = Error {
            ErrorCode::BadInput, "Protobuf cannot read this text: " + message, "line " + std::to_string(line + 1), {}};
    }
    void AddWarning(int, google::protobuf::io::ColumnNumber, const std::string&) override {}
    [[nodiscard]] Error error() const
    {
        return m_error.value_or(Error {ErrorCode::BadInput, "Protobuf cannot read this text.", {}, {}});
    }

private:
    std::optional<Error> m_error;
};

Status parseText(std::string_view text, file::HloProto& program)
{
    google::protobuf::TextFormat::Parser parser;
    FirstError errors;
    file::TextFile file;
    parser.AllowUnknownField(true);
    parser.SetRecursionLimit(DeepestMessage);
    parser.RecordErrorsTo(&errors);
    if (!parser.ParseFromString(std::string(text), &file)) return errors.error();
    if (file.has_cpu_executable()) {
        *program.mutable_hlo_module() = file.cpu_executable().hlo_module().hlo_module();
        *program.mutable_buffer_assignment() = file.cpu_executable().buffer_assignment();
    } else if (file.has_gpu_executable()) {
        *program.mutable_hlo_module() = file.gpu_executable().hlo_module_with_config().hlo_module();
        *program.mutable_buffer_assignment() = file.gpu_executable().buffer_assignment();
    } else if (file.has_hlo()) {
        program = file.hlo();
    } else if (file.has_hlo_module()) {
        *program.mutable_hlo_module() = file.hlo_module();
        if (file.has_buffer_assignment()) *program.mutable_buffer_assignment() = file.buffer_assignment();
    } else {
        return Error {ErrorCode::BadInput, "The text has no field 'hlo_module'.", {}, {}};
    }
    return {};
}

Result<std::vector<file::HloProto>> readAll(std::span<const std::byte> bytes)
{
    std::vector<file::HloProto> programs;
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (looksLikeHloProtoText(text)) {
        PLIMSOLL_TRY(parseText(text, programs.emplace_back()));
    } else if (isHloProto(whole(bytes))) {
        PLIMSOLL_TRY(parseBinary(bytes, programs.emplace_back()));
    } else if (isModule(whole(bytes))) {
        PLIMSOLL_TRY(parseBinary(bytes, *programs.emplace_back().mutable_hlo_module()));
    } else {
        file::XSpace space;
        PLIMSOLL_TRY(parseBinary(bytes, space));
        PLIMSOLL_TRY(collect(space, programs));
    }
    return programs;
}

} // namespace

bool looksLikeHloBinary(std::span<const std::byte> bytes)
{
    return isHloProto(whole(bytes)) || isModule(whole(bytes)) || isProfile(whole(bytes));
}

bool looksLikeHloProtoText(std::string_view text)
{
    text = text.substr(0, SniffedBytes);
    std::size_t first = text.find_first_not_of(" \t\r\n");
    while (first != std::string_view::npos && text[first] == '#') // a comment
        first = text.find_first_not_of(" \t\r\n", std::min(text.find('\n', first), text.size()));
    if (first == std::string_view::npos || text[first] < 'a' || text[first] > 'z') return false;
    const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", first);
    if (end == std::string_view::npos || std::string_view(" {:").find(text[end]) == std::string_view::npos)
        return false;
    for (const std::string_view field : {"hlo_module {", "hlo_module_with_config {", "hlo_module: {"}) {
        if (text.find(field) != std::string_view::npos) return true;
    }
    return false;
}

Result<ProgramChoice> readProgram(std::span<const std::byte> bytes, std::string_view wanted, const Context& context)
{
    PLIMSOLL_ASSIGN(programs, readAll(bytes));
    if (context.stopped()) return Error {ErrorCode::Stopped, "Stopped while reading.", {}, {}};
    ProgramChoice choice;
    for (const file::HloProto& program : programs)
        choice.names.push_back(program.hlo_module().name());
    numberRepeated(choice.names);
    PLIMSOLL_ASSIGN(chosen, chooseGraph(choice.names, wanted, "The file has no program"));
    choice.chosen = chosen;
    PLIMSOLL_ASSIGN(module, moduleFrom(programs[chosen].hlo_module()));
    choice.program.module = std::move(module);
    if (!programs[chosen].has_buffer_assignment()) return choice;
    PLIMSOLL_ASSIGN(assignment, assignmentFrom(programs[chosen].buffer_assignment()));
    choice.program.assignment = std::move(assignment);
    return choice;
}

} // namespace plimsoll::hlo
