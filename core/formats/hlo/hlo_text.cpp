#include "core/formats/hlo/hlo_text.h"
#include "core/formats/bad_input.h"

#include "core/base/shared_words.h"
#include "core/base/short_text.h"
#include "core/formats/files/element_text.h"
#include "core/formats/graph_choice.h"
#include "core/formats/hlo/hlo_shape_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <span>
#include <unordered_map>

#include <nlohmann/json.hpp>

namespace plimsoll::hlo {
namespace {

constexpr std::string_view Heading = "HloModule";
constexpr std::size_t LongestAttribute = 200;

/// Attributes that say which computations an instruction runs, in the order of Instruction::called.
constexpr std::string_view Callees[] = {"condition",           "body",  "true_computation", "false_computation",
                                        "branch_computations", "calls", "to_apply",         "called_computations"};
/// Tables that metadata points into: one row a line, each with a number in front.
constexpr std::string_view Tables[] = {"FileNames", "FunctionNames", "FileLocations", "StackFrames"};
/// What says nothing of memory, and may be long.
constexpr std::string_view Dropped[] = {"backend_config", "frontend_attributes",        "sharding",
                                        "statistics",     "operand_layout_constraints", "origin",
                                        "metadata",       "output_to_operand_aliasing", "control-predecessors"};

bool isAmong(std::string_view key, std::span<const std::string_view> list)
{
    return std::find(list.begin(), list.end(), key) != list.end();
}

/// What "key=" of a list of metadata says: a word, or a text without its quotes.
std::string_view metadataOf(std::string_view metadata, std::string_view key)
{
    const std::string wanted = std::string(key) + "=";
    std::size_t at = metadata.find(wanted);
    while (at != std::string_view::npos && at > 0 && metadata[at - 1] != ' ' && metadata[at - 1] != '{')
        at = metadata.find(wanted, at + 1);
    if (at == std::string_view::npos) return {};
    const std::string_view rest = metadata.substr(at + wanted.size());
    if (!rest.starts_with('"')) return rest.substr(0, rest.find_first_of(" }"));
    return rest.substr(1, rest.find('"', 1) - 1);
}

/// By name.
using Positions = std::unordered_map<std::string_view, std::size_t>;

/// An instruction that runs computations, which may stand behind it.
struct Call
{
    std::size_t computation;
    std::size_t instruction;
    std::vector<std::string_view> names;
};

Error atLine(std::int64_t line, Message message)
{
    return badInput(std::move(message), "line " + std::to_string(line));
}

/// ", key=value" as often as there is one.
template <typename OnAttribute>
Status forEachAttribute(Scanner& scanner, OnAttribute&& onAttribute)
{
    while (scanner.accept(',')) {
        PLIMSOLL_ASSIGN(key, scanner.name("hlo.no-attribute-name"));
        if (!scanner.accept('=')) return scanner.error(say("hlo.attribute-form"));
        PLIMSOLL_ASSIGN(value, scanner.value());
        PLIMSOLL_TRY(onAttribute(key, value));
    }
    return {};
}

/// "1", "-2.5", "true" as JSON; empty for anything else.
std::string numberOf(std::string_view word)
{
    if (word == "true" || word == "false") return std::string(word);
    std::int64_t whole = 0;
    std::uint64_t large = 0;
    double real = 0;
    const char* end = word.data() + word.size();
    const auto reads = [&](auto& number) {
        const auto [stop, trouble] = std::from_chars(word.data(), end, number);
        return trouble == std::errc() && stop == end;
    };
    if (reads(whole)) return std::to_string(whole);
    if (reads(large)) return std::to_string(large);
    return reads(real) && std::isfinite(real) ? nlohmann::json(real).dump() : std::string();
}

/// JSON has no such number; as a text it is understood.
std::string elementOf(std::string_view word)
{
    if (word == "nan" || word == "-nan") return "\"nan\"";
    if (word == "inf" || word == "-inf") return jsonQuoted(word);
    return numberOf(word);
}

/// The bytes of a constant as the text prints it, "{ {1, 2}, {3, inf} }"; absent where it leaves elements out
/// ("{...}"), or where they are none of numbers that are known here.
TensorData literalData(const Shape& shape, std::string_view text)
{
    const auto sizes = shape.type.shape();
    const auto count = sizes ? elementCount(*sizes) : std::nullopt;
    if (!count || shape.standIn || !hasNumbers(shape.type.dtype) || dtypeBits(shape.type.dtype) < 8) return {};
    std::string elements = "[";
    constexpr std::string_view Between = "{}, \t\r\n";
    for (std::size_t at = 0; (at = text.find_first_not_of(Between, at)) != std::string_view::npos;) {
        const std::string_view rest = text.substr(at);
        if (rest.starts_with("/*")) {
            at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
            continue;
        }
        const std::string_view word = rest.substr(0, rest.find_first_of(Between));
        const std::string element = elementOf(word);
        if (element.empty()) return {};
        elements += (elements.size() > 1 ? "," : "") + element;
        at += word.size();
    }
    const auto written = parseJson(elements + "]");
    std::vector<std::byte> bytes;
    const auto append = [&](const JsonPlace& element) { return appendElement(element, shape.type.dtype, bytes); };
    if (!written.ok() || !JsonPlace(written.value(), {}).forEachElement(append).ok()) return {};
    TensorData data;
    if (JsonPlace(written.value(), {}).size() == static_cast<std::size_t>(*count))
        data.bytes = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    return data;
}

/// "%x", "x", or with its type in front, as older versions print it.
Status readOperand(Instruction& one, std::string_view operand, const Positions& names)
{
    std::string_view name = operand.substr(operand.find_last_of(" \t\r\n/") + 1);
    if (name.starts_with('%')) name.remove_prefix(1);
    const auto found = names.find(name);
    if (found == names.end()) return badInput(say("hlo.no-instruction", word::Name {std::string(name)}), placeOf(one));
    one.operands.push_back(found->second);
    return {};
}

void readMetadata(Instruction& one, std::string_view metadata, SharedWords& words)
{
    const std::string_view op = metadataOf(metadata, "op_name");
    const std::string_view file = metadataOf(metadata, "source_file");
    const std::string_view line = metadataOf(metadata, "source_line");
    one.module = words[moduleOf(op)];
    if (!op.empty()) one.attributes.emplace("op_name", shortMiddle(op, LongestAttribute));
    if (file.empty()) return;
    one.source = words[shortMiddle(file, LongestAttribute) + (line.empty() ? "" : ":") + std::string(line)];
}

Status readAttribute(Instruction& one, std::string_view key, std::string_view value, SharedWords& words)
{
    if (key == "metadata") readMetadata(one, value, words);
    if (key == "output_to_operand_aliasing") {
        PLIMSOLL_SET(one.aliasing, parseAliasing(value, one.line));
    }
    if (key == "index" && one.opcode == "get-tuple-element") {
        const auto index = Scanner(value, one.line).integer();
        if (!index) return badInput(say("hlo.tuple-index"), placeOf(one));
        one.number = *index;
        return {};
    }
    if (isAmong(key, Dropped)) return {};
    one.attributes.emplace(key, shortMiddle(value.starts_with('"') ? inner(value) : value, LongestAttribute));
    return {};
}

/// Of "{(f32[4]{0})->f32[4]{0:S(5)}}" what stands behind the arrow.
Result<Shape> parseEntryResult(std::string_view layout, std::int64_t line)
{
    Scanner scanner(inner(layout), line);
    PLIMSOLL_TRY(parseShape(scanner));
    if (!scanner.accept('-') || !scanner.accept('>')) return scanner.error(say("hlo.result-type"));
    return parseShape(scanner);
}

class Parser
{
public:
    Parser(const ModuleText& text, const Context& context, ReadingRoom& room)
        : m_scanner(text.text, text.line), m_context(context), m_room(room)
    {
    }

    Result<Module> run()
    {
        if (m_scanner.accept(Heading)) PLIMSOLL_TRY(readHeading());
        while (!m_scanner.atEnd()) {
            PLIMSOLL_TRY(checkStopped(m_context));
            if (std::ranges::none_of(Tables, [&](std::string_view table) { return m_scanner.accept(table); })) {
                PLIMSOLL_TRY(readComputation());
                continue;
            }
            while (m_scanner.integer())
                PLIMSOLL_TRY(m_scanner.value());
        }
        m_module.entryIsMarked = m_hasEntry;
        if (!m_hasEntry && m_module.computations.size() != 1) return m_scanner.error(say("hlo.no-entry"));
        for (const Call& call : m_calls) {
            Instruction& one = m_module.computations[call.computation].instructions[call.instruction];
            for (std::string_view name : call.names) {
                if (name.starts_with('%')) name.remove_prefix(1);
                const auto found = m_computations.find(name);
                if (found == m_computations.end())
                    return badInput(say("hlo.no-computation", word::Name {std::string(name)}), placeOf(one));
                one.called.push_back(found->second);
            }
        }
        return std::move(m_module);
    }

private:
    Status readHeading()
    {
        PLIMSOLL_SET(m_module.name, m_scanner.name("hlo.no-program-name"));
        return forEachAttribute(m_scanner, [&](std::string_view key, std::string_view value) -> Status {
            if (key == "is_scheduled") m_module.scheduled = value == "true";
            if (key == "input_output_alias") {
                PLIMSOLL_SET(m_module.aliases, parseAliasing(value, m_scanner.line()));
            }
            if (key == "entry_computation_layout") { // what is wrong in it spoils nothing
                if (auto result = parseEntryResult(value, m_scanner.line()); result.ok())
                    m_module.entryResult = std::move(result).value();
            }
            if (key == "buffer_donor") {
                PLIMSOLL_SET(m_module.donors, parseDonors(value, m_scanner.line()));
            }
            return {};
        });
    }

    Status readComputation()
    {
        const bool entry = m_scanner.accept("ENTRY");
        const std::int64_t line = m_scanner.line();
        PLIMSOLL_ASSIGN(name, m_scanner.name("hlo.no-computation-name"));
        if (m_scanner.peek() == '(') PLIMSOLL_TRY(m_scanner.bracketed());
        if (m_scanner.accept('-')) {
            if (!m_scanner.accept('>')) return m_scanner.error(say("hlo.result-type"));
            PLIMSOLL_TRY(parseShape(m_scanner));
        }
        if (!m_scanner.accept('{'))
            return m_scanner.error(say("hlo.computation-begins", word::Name {std::string(name)}));
        if (entry && m_hasEntry) return atLine(line, say("hlo.entry-twice"));
        if (entry) m_module.entry = m_module.computations.size();
        m_hasEntry = m_hasEntry || entry;
        if (!m_computations.emplace(name, m_module.computations.size()).second)
            return atLine(line, say("hlo.computation-twice", word::Name {std::string(name)}));
        m_module.computations.push_back({std::string(name), {}, 0});
        Computation& computation = m_module.computations.back();
        m_names.clear();
        bool rooted = false;
        while (!m_scanner.accept('}')) {
            if (m_scanner.atEnd())
                return atLine(line, say("hlo.computation-not-closed", word::Name {computation.name}));
            const bool root = m_scanner.accept("ROOT");
            if (root) computation.root = computation.instructions.size();
            rooted = rooted || root;
            PLIMSOLL_TRY(readInstruction(computation));
        }
        if (computation.instructions.empty())
            return atLine(line, say("hlo.computation-empty", word::Name {computation.name}));
        if (!rooted) computation.root = computation.instructions.size() - 1;
        return forEachAttribute(m_scanner, [](std::string_view, std::string_view) { return Status(); });
    }

    Status readInstruction(Computation& computation)
    {
        Instruction one;
        PLIMSOLL_ASSIGN(name, m_scanner.name("hlo.no-instruction-name"));
        one.line = m_scanner.line();
        one.name = name;
        if (!m_scanner.accept('=')) return m_scanner.error(say("hlo.instruction-form"));
        PLIMSOLL_SET(one.shape, parseShape(m_scanner));
        PLIMSOLL_ASSIGN(opcode, m_scanner.name("hlo.no-opcode"));
        one.opcode = m_words[opcode];
        if (m_scanner.peek() != '(') return m_scanner.error(say("hlo.operands", word::Name {one.opcode}));
        PLIMSOLL_ASSIGN(operands, m_scanner.bracketed());
        if (one.opcode == "constant") {
            one.data = literalData(one.shape, inner(operands));
        } else if (one.opcode == "parameter") {
            const auto found = Scanner(inner(operands), one.line).integer();
            if (!found || *found < 0) return badInput(say("hlo.parameter-number"), placeOf(one));
            one.number = *found;
        } else {
            for (const std::string_view operand : splitList(inner(operands)))
                PLIMSOLL_TRY(readOperand(one, operand, m_names));
        }
        std::vector<std::vector<std::string_view>> callees(std::size(Callees));
        PLIMSOLL_TRY(forEachAttribute(m_scanner, [&](std::string_view key, std::string_view value) {
            m_room.take(ReadingRoom::Attribute);
            if (m_room.isFull()) return Status(badInput(ReadingRoom::refusal(), placeOf(one)));
            const auto* callee = std::find(std::begin(Callees), std::end(Callees), key);
            if (callee == std::end(Callees)) return readAttribute(one, key, value, m_words);
            auto& names = callees[static_cast<std::size_t>(callee - std::begin(Callees))];
            names = value.starts_with('{') ? splitList(inner(value)) : std::vector {value};
            return Status();
        }));
        Call call {m_module.computations.size() - 1, m_module.computations.back().instructions.size(), {}};
        for (const auto& names : callees)
            call.names.insert(call.names.end(), names.begin(), names.end());
        if (!call.names.empty()) m_calls.push_back(std::move(call));
        if (!m_names.emplace(name, computation.instructions.size()).second)
            return badInput(say("hlo.instruction-twice"), placeOf(one));
        m_room.take(sizeof(Instruction) + 2 * one.name.size() + countLeaves(one.shape) * sizeof(Shape));
        if (m_room.isFull()) return badInput(ReadingRoom::refusal(), placeOf(one));
        computation.instructions.push_back(std::move(one));
        return {};
    }

    Scanner m_scanner;
    const Context& m_context;
    ReadingRoom& m_room;
    Module m_module;
    bool m_hasEntry = false;
    SharedWords m_words;
    Positions m_computations;
    Positions m_names; ///< Instructions of the computation that is read.
    std::vector<Call> m_calls;
};

} // namespace

std::vector<ModuleText> findModules(std::string_view text)
{
    std::vector<ModuleText> modules;
    std::vector<std::string> names;
    std::int64_t line = 1;
    for (std::size_t at = 0; at < text.size(); ++line) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view heading = trimmed(text.substr(at, end - at));
        if (heading == Heading || heading.starts_with(std::string(Heading) + " ")) {
            if (!modules.empty()) {
                std::string_view& last = modules.back().text;
                last = last.substr(0, static_cast<std::size_t>(text.data() + at - last.data()));
            }
            names.emplace_back(Scanner(heading.substr(Heading.size())).word());
            modules.push_back({{}, text.substr(at), line});
        }
        at = end + 1;
    }
    if (modules.empty() && Scanner(text).accept("ENTRY")) { // a heading may be missing
        names.emplace_back();
        modules.push_back({{}, text, 1});
    }
    numberRepeated(names);
    for (std::size_t i = 0; i < modules.size(); ++i)
        modules[i].name = names[i];
    return modules;
}

Result<Module> parseModule(const ModuleText& module, const Context& context, ReadingRoom& room)
{
    return Parser(module, context, room).run();
}

} // namespace plimsoll::hlo
