#include "tests/support/executorch_bytes.h"

#include "core/formats/executorch_generated.h"
#include "tests/support/line_words.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <sstream>
#include <vector>

namespace plimsoll::test {
namespace {

using namespace executorch::file;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

struct ValueLine
{
    std::string name;
    Kind kind = Kind_Tensor;
    int type = 0;
    std::vector<int> sizes;
    std::vector<std::string> items;
    unsigned memory = 0;
    std::uint64_t offset = 0;
    bool placed = false;
    std::size_t bytes = 0;
    std::string weight;
    bool external = false;
    int dynamism = 0;
};

struct CallLine
{
    std::string kind;
    std::string callee;
    std::vector<std::string> args;
};

struct MethodLines
{
    std::string name;
    std::vector<std::int64_t> memories = {0};
    std::vector<ValueLine> values;
    std::vector<CallLine> calls;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
};

struct ProgramLines
{
    bool segment = false;
    std::vector<MethodLines> methods;
};

int scalarType(const std::string& name)
{
    static const std::map<std::string, int> codes = {{"uint8", 0}, {"int8", 1},     {"int16", 2},   {"int32", 3},
                                                     {"int64", 4}, {"float16", 5},  {"float32", 6}, {"float64", 7},
                                                     {"bool", 11}, {"bfloat16", 15}};
    const auto found = codes.find(name);
    return found == codes.end() ? std::stoi(name) : found->second;
}

/// "@1+16"
void place(const std::string& word, ValueLine& value)
{
    const auto plus = word.find('+');
    value.placed = true;
    value.memory = static_cast<unsigned>(std::stoul(word.substr(1, plus - 1)));
    value.offset = std::stoull(word.substr(plus + 1));
}

ValueLine valueLine(const std::string& kind, std::istringstream& in)
{
    ValueLine value;
    std::string word;
    in >> value.name;
    if (kind == "int") value.kind = Kind_Int;
    if (kind == "list") value.kind = Kind_OptionalTensorList;
    if (kind == "tensor") {
        in >> word;
        value.type = scalarType(word.substr(0, word.find('[')));
        value.sizes = listedNumbers(word.substr(word.find('[') + 1, word.find(']') - word.find('[') - 1));
    }
    while (in >> word) {
        if (kind == "list") {
            value.items.push_back(word);
        } else if (word.front() == '@') {
            place(word, value);
        } else if (word.starts_with("data=")) {
            value.bytes = std::stoul(word.substr(5));
        } else {
            value.external = value.external || word.starts_with("external");
            value.dynamism = word == "bounded" ? 1 : word == "unbounded" ? 2 : value.dynamism;
            if (word.find('=') != std::string::npos) value.weight = word.substr(word.find('=') + 1);
        }
    }
    return value;
}

ProgramLines parse(std::string_view text)
{
    ProgramLines program;
    std::istringstream lines {std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream in(line);
        std::string kind;
        std::string word;
        in >> kind;
        if (kind == "segment") program.segment = true;
        if (kind == "method") in >> program.methods.emplace_back().name;
        if (program.methods.empty()) continue;
        MethodLines& here = program.methods.back();
        if (kind == "tensor" || kind == "list" || kind == "int") here.values.push_back(valueLine(kind, in));
        while (kind == "memory" && in >> word)
            here.memories.push_back(std::stoll(word));
        while ((kind == "input" || kind == "output") && in >> word)
            (kind == "input" ? here.inputs : here.outputs).push_back(word);
        if (kind == "kernel" || kind == "delegate" || kind == "move" || kind == "jump" || kind == "free" ||
            kind == "chain") {
            CallLine& call = here.calls.emplace_back();
            call.kind = kind;
            if (kind == "kernel" || kind == "delegate") in >> call.callee;
            while (in >> word)
                call.args.push_back(word);
        }
    }
    return program;
}

class Writer
{
public:
    explicit Writer(const ProgramLines& program) : m_program(program), m_constants {CreateBuffer(m_fbb)} {}

    std::string run()
    {
        std::vector<Offset<Method>> methods;
        for (const MethodLines& lines : m_program.methods)
            methods.push_back(method(lines));
        const auto all = m_fbb.CreateVector(methods);
        const auto constants = m_program.segment ? 0 : m_fbb.CreateVector(m_constants);
        const auto segments =
            m_fbb.CreateVector(std::vector<Offset<Segment>> {CreateSegment(m_fbb, 0, m_behind.size())});
        const auto offsets = CreateOffsets(m_fbb, 0, m_program.segment ? m_fbb.CreateVector(m_offsets) : 0);
        m_fbb.Finish(CreateProgram(m_fbb, 0, all, constants, segments, offsets), "ET12");
        std::string flat(reinterpret_cast<const char*>(m_fbb.GetBufferPointer()), m_fbb.GetSize());
        return m_program.segment ? withHeader(std::move(flat)) : flat;
    }

private:
    /// The header goes between the identifier and the tables, so the root moves.
    std::string withHeader(std::string flat) const
    {
        constexpr std::uint32_t HeaderBytes = 32;
        std::uint32_t root = 0;
        std::memcpy(&root, flat.data(), sizeof root);
        root += HeaderBytes;
        const std::uint64_t total = flat.size() + HeaderBytes;
        const std::uint32_t length = HeaderBytes;
        std::string header(HeaderBytes, '\0');
        std::memcpy(header.data(), "eh00", 4);
        std::memcpy(header.data() + 4, &length, sizeof length);
        std::memcpy(header.data() + 8, &total, sizeof total);
        std::memcpy(header.data() + 16, &total, sizeof total);
        std::memcpy(flat.data(), &root, sizeof root);
        return flat.substr(0, 8) + header + flat.substr(8) + m_behind;
    }

    std::uint32_t constant(std::size_t bytes)
    {
        if (bytes == 0) return 0;
        m_constants.push_back(CreateBuffer(m_fbb, m_fbb.CreateVector(std::vector<std::uint8_t>(bytes, 7))));
        m_offsets.push_back(m_behind.size());
        m_behind.append(bytes, '\7');
        return static_cast<std::uint32_t>(m_constants.size() - 1);
    }

    Offset<void> content(const MethodLines& in, const ValueLine& line)
    {
        if (line.kind == Kind_Int) return CreateSkipped(m_fbb).Union();
        if (line.kind == Kind_OptionalTensorList)
            return CreateList(m_fbb, m_fbb.CreateVector(numbersOf(in.values, line.items))).Union();
        const std::uint32_t data = constant(line.bytes);
        const auto sizes = m_fbb.CreateVector(line.sizes);
        const auto allocation = line.placed
                                    ? CreateAllocation(m_fbb, line.memory, static_cast<std::uint32_t>(line.offset),
                                                       static_cast<std::uint32_t>(line.offset >> 32U))
                                    : 0;
        const auto extra =
            line.weight.empty() ? 0 : CreateExtra(m_fbb, 0, m_fbb.CreateString(line.weight), line.external ? 1 : 0);
        const std::uint32_t number = !line.weight.empty() && !line.external && data == 0 ? 1 : data;
        return CreateTensor(m_fbb, static_cast<std::int8_t>(line.type), 0, sizes, number, allocation,
                            static_cast<std::int8_t>(line.dynamism), extra)
            .Union();
    }

    Offset<Instruction> instruction(const MethodLines& in, const CallLine& line)
    {
        const std::vector<int> args = line.kind == "jump" ? std::vector<int>() : numbersOf(in.values, line.args);
        if (line.kind == "jump")
            return CreateInstruction(m_fbb, Kinds_JumpFalse,
                                     CreateJumpFalse(m_fbb, 0, std::stoi(line.args.front())).Union());
        if (line.kind == "move")
            return CreateInstruction(m_fbb, Kinds_Move, CreateMove(m_fbb, args[0], args[1]).Union());
        if (line.kind == "free") return CreateInstruction(m_fbb, Kinds_Free, CreateFree(m_fbb, args[0]).Union());
        const bool kernel = line.kind == "kernel";
        const int callee = static_cast<int>(kernel ? m_operators.size() : m_delegates.size());
        if (kernel) {
            const auto dot = line.callee.find('.');
            const auto name = m_fbb.CreateString(line.callee.substr(0, dot));
            const auto overload = m_fbb.CreateString(dot == std::string::npos ? "" : line.callee.substr(dot + 1));
            m_operators.push_back(CreateOperator(m_fbb, name, overload));
        } else {
            m_delegates.push_back(CreateBackend(m_fbb, m_fbb.CreateString(line.callee)));
        }
        const auto call = CreateCall(m_fbb, callee, m_fbb.CreateVector(args)).Union();
        return CreateInstruction(m_fbb, kernel ? Kinds_Kernel : Kinds_Delegate, call);
    }

    Offset<Method> method(const MethodLines& lines)
    {
        m_operators.clear();
        m_delegates.clear();
        std::vector<Offset<EValue>> values;
        for (const ValueLine& line : lines.values) {
            const auto made = content(lines, line);
            values.push_back(CreateEValue(m_fbb, line.kind, made));
        }
        std::vector<std::vector<Offset<Instruction>>> calls(1);
        for (const CallLine& line : lines.calls) {
            if (line.kind == "chain")
                calls.emplace_back();
            else
                calls.back().push_back(instruction(lines, line));
        }
        std::vector<Offset<Chain>> made;
        for (const auto& chain : calls)
            made.push_back(CreateChain(m_fbb, m_fbb.CreateVector(chain)));
        const auto chains = m_fbb.CreateVector(made);
        const auto name = m_fbb.CreateString(lines.name);
        const auto all = m_fbb.CreateVector(values);
        const auto inputs = m_fbb.CreateVector(numbersOf(lines.values, lines.inputs));
        const auto outputs = m_fbb.CreateVector(numbersOf(lines.values, lines.outputs));
        const auto operators = m_fbb.CreateVector(m_operators);
        const auto delegates = m_fbb.CreateVector(m_delegates);
        const auto memories = m_fbb.CreateVector(lines.memories);
        return CreateMethod(m_fbb, name, all, inputs, outputs, chains, operators, delegates, memories);
    }

    const ProgramLines& m_program;
    FlatBufferBuilder m_fbb;
    std::vector<Offset<Buffer>> m_constants;
    std::vector<std::uint64_t> m_offsets = {0};
    std::string m_behind;
    std::vector<Offset<Operator>> m_operators;
    std::vector<Offset<Backend>> m_delegates;
};

} // namespace

std::string executorchBytes(std::string_view text)
{
    const ProgramLines program = parse(text);
    return Writer(program).run();
}

} // namespace plimsoll::test
