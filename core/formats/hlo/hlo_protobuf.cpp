#include "core/formats/bad_input.h"
#include "core/formats/hlo/hlo_proto_reader.h"

#include "core/base/heap.h"
#include "core/base/narrow.h"
#include "core/formats/files/wire_reader.h"
#include "core/formats/graph_choice.h"
#include "core/formats/hlo.pb.h"
#include "core/formats/hlo/hlo_plan.h"
#include "core/formats/hlo/hlo_proto_module.h"
#include "core/formats/hlo/hlo_proto_room.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

namespace plimsoll {
namespace {

using namespace hlo;

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

template <typename Proto>
Status parseBinary(std::span<const std::byte> bytes, Proto& proto, ReadingRoom& room)
{
    if (!std::in_range<int>(bytes.size())) return badInput(say("hlo.file-too-large"));
    PLIMSOLL_TRY(takeMessage({bytes, 0}, *Proto::descriptor(), room));
    if (proto.ParseFromArray(bytes.data(), narrow<int>(bytes.size()))) return {};
    return badInput(say("hlo.file-damaged"));
}

/// A program, and the memory of the device that its file names.
struct Compiled
{
    file::HloProto program;
    std::string device {};
};

/// The first of a kind: "cuda:0", "tpu:0"; empty without a kind.
std::string firstDevice(std::string kind)
{
    std::ranges::transform(kind, kind.begin(), [](unsigned char c) { return std::tolower(c); });
    return kind.empty() ? kind : kind + ":0";
}

/// "tpu:0", of a profile that has a plane "/device:TPU:0"; empty where it has none of a device.
std::string deviceOf(const file::XSpace& space)
{
    constexpr std::string_view Devices = "/device:";
    for (const file::XPlane& plane : space.planes()) {
        const std::string_view name = plane.name();
        const std::size_t colon = name.rfind(':');
        if (!name.starts_with(Devices) || colon < Devices.size()) continue;
        return firstDevice(std::string(name.substr(Devices.size(), colon - Devices.size())));
    }
    return {};
}

/// The programs that a profile carries, each once.
Status collect(const file::XSpace& space, std::vector<Compiled>& programs, ReadingRoom& room)
{
    const std::string device = deviceOf(space);
    for (const file::XPlane& plane : space.planes()) {
        std::map<std::int64_t, const file::XEventMetadata*> events;
        for (const auto& [id, event] : plane.event_metadata())
            events.emplace(id, &event);
        for (const auto& [id, event] : events) {
            for (const file::XStat& stat : event->stats()) {
                const std::string& bytes = stat.bytes_value();
                if (!isHloProto({std::as_bytes(std::span(bytes)), 0})) continue;
                programs.push_back({.program = {}, .device = device});
                PLIMSOLL_TRY(parseBinary(std::as_bytes(std::span(bytes)), programs.back().program, room));
            }
        }
    }
    if (!programs.empty()) return {};
    return badInput(say("hlo.profile-without-program"));
}

class FirstError : public google::protobuf::io::ErrorCollector
{
public:
    void AddError(int line, google::protobuf::io::ColumnNumber, const std::string& message) override
    {
        if (m_error) return;
        m_error = badInput(say("hlo.protobuf-says", message), "line " + std::to_string(line + 1));
    }
    void AddWarning(int, google::protobuf::io::ColumnNumber, const std::string&) override {}
    [[nodiscard]] Error error() const { return m_error.value_or(badInput(say("hlo.protobuf-cannot-read"))); }

private:
    std::optional<Error> m_error;
};

Status parseText(std::string_view text, Compiled& compiled)
{
    file::HloProto& program = compiled.program;
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
        compiled.device = firstDevice(file.gpu_executable().executable_abi_version().platform_name());
    } else if (file.has_hlo()) {
        program = file.hlo();
    } else if (file.has_hlo_module()) {
        *program.mutable_hlo_module() = file.hlo_module();
        if (file.has_buffer_assignment()) *program.mutable_buffer_assignment() = file.buffer_assignment();
    } else {
        return badInput(say("hlo.no-module-field"));
    }
    return {};
}

/// Whether the text is a program in protobuf's text form.
bool isTextForm(std::string_view text)
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

Result<std::vector<Compiled>> readAll(const FormatInput& input, ReadingRoom& room)
{
    const std::span<const std::byte> bytes = input.bytes;
    std::vector<Compiled> programs;
    if (isTextForm(input.text())) {
        PLIMSOLL_TRY(parseText(input.text(), programs.emplace_back()));
    } else if (isHloProto({bytes, 0})) {
        PLIMSOLL_TRY(parseBinary(bytes, programs.emplace_back().program, room));
    } else if (isModule({bytes, 0})) {
        PLIMSOLL_TRY(parseBinary(bytes, *programs.emplace_back().program.mutable_hlo_module(), room));
    } else {
        file::XSpace space;
        PLIMSOLL_TRY(parseBinary(bytes, space, room));
        PLIMSOLL_TRY(collect(space, programs, room));
    }
    return programs;
}

} // namespace

bool looksLikeHloProto(const FormatInput& input)
{
    const WireBytes all {input.bytes, 0};
    return isHloProto(all) || isModule(all) || isProfile(all) || isTextForm(input.text());
}

Result<FormatContent> readHloProto(const FormatInput& input, const Context& context)
{
    context.report("reading", 0);
    ReadingRoom room(input.bytes.size());
    PLIMSOLL_ASSIGN(programs, readAll(input, room));
    PLIMSOLL_TRY(checkStopped(context));
    std::vector<std::string> names;
    for (const Compiled& one : programs)
        names.push_back(one.program.hlo_module().name());
    numberRepeated(names);
    PLIMSOLL_ASSIGN(chosen, chooseGraph(names, input.graph, "hlo.no-program"));
    const file::HloProto& from = programs[chosen].program;
    PLIMSOLL_ASSIGN(module, moduleFrom(from.hlo_module()));
    Program program {std::move(module), {}};
    if (from.has_buffer_assignment()) {
        PLIMSOLL_SET(program.assignment, assignmentFrom(from.buffer_assignment()));
    }
    const std::string device = std::move(programs[chosen].device);
    programs.clear();
    giveBackPages();
    PLIMSOLL_ASSIGN(made, Emitter(program.module, context, room, program.assignment.has_value()).run());
    if (!program.assignment) program.module = {};
    giveBackPages();
    PLIMSOLL_ASSIGN(graph, std::move(made).finish(input.stem(names[chosen])));
    if (program.assignment) setSpaces(program, made.placed, graph);
    if (!device.empty()) {
        program.device = device;
        for (Value& value : graph.values)
            if (value.at->space.empty()) value.at.edit().space = device;
    }
    FormatContent content {std::move(graph)};
    noteOthers(content, names, chosen, "note.several-programs");
    content.plan = program.assignment ? planFrom(program, made.placed, content.graph)
                                      : Result<PlanFile>(badInput(say("hlo.no-assignment")));
    if (!program.assignment) return content;
    Message note = content.plan->ok() ? allocationsNote(*program.assignment) : content.plan->error().message;
    if (!note.empty()) content.graph.notes.push_back(std::move(note));
    return content;
}

} // namespace plimsoll
