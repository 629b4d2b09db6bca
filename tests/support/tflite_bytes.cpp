#include "tests/support/tflite_bytes.h"

#include "core/formats/tflite/tflite_model.h"
#include "core/formats/tflite_generated.h"
#include "tests/support/line_words.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

namespace plimsoll::test {
namespace {

using namespace tflite::file;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

struct TensorLine
{
    std::string name;
    int type = 0;
    std::vector<int> shape;
    std::vector<int> open;
    std::size_t bytes = 0;
    bool behind = false;
    bool variable = false;
    bool sparse = false;
    int buffer = -1;
};

struct OpLine
{
    std::string name;
    bool custom = false;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::vector<int> runs;
    std::string composite;
};

struct SubgraphLines
{
    std::string name = "main";
    std::vector<TensorLine> tensors;
    std::vector<OpLine> ops;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
};

struct ModelLines
{
    std::vector<SubgraphLines> subgraphs = std::vector<SubgraphLines>(1);
    std::vector<std::pair<std::string, int>> signatures;
    std::vector<int> plan;
    bool hasPlan = false;
    bool vela = false;
};

int typeCode(const std::string& name)
{
    static const std::map<std::string, int> codes = {
        {"float32", 0}, {"float16", 1}, {"int32", 2}, {"uint8", 3}, {"int64", 4},     {"string", 5},   {"bool", 6},
        {"int16", 7},   {"int8", 9},    {"int4", 17}, {"int2", 19}, {"resource", 13}, {"variant", 14},
    };
    const auto found = codes.find(name);
    return found == codes.end() ? std::stoi(name) : found->second;
}

/// "key=value" of a line.
bool takes(const std::string& word, const char* key, std::string& value)
{
    const std::string start = std::string(key) + "=";
    if (!word.starts_with(start)) return false;
    value = word.substr(start.size());
    return true;
}

TensorLine tensorLine(std::istringstream& in)
{
    TensorLine tensor;
    std::string type;
    in >> tensor.name >> type;
    tensor.type = typeCode(type.substr(0, type.find('[')));
    tensor.shape = listedNumbers(type.substr(type.find('[') + 1, type.find(']') - type.find('[') - 1));
    for (std::string word, value; in >> word;) {
        if (takes(word, "open", value)) tensor.open = listedNumbers(value);
        if (takes(word, "buffer", value)) tensor.buffer = std::stoi(value);
        tensor.behind = tensor.behind || word.starts_with("behind=");
        if (takes(word, "data", value) || takes(word, "behind", value)) tensor.bytes = std::stoul(value);
        tensor.variable = tensor.variable || word == "variable";
        tensor.sparse = tensor.sparse || word == "sparse";
    }
    return tensor;
}

OpLine opLine(std::istringstream& in, bool custom)
{
    OpLine op;
    op.custom = custom;
    in >> op.name;
    std::vector<std::string>* list = &op.inputs;
    for (std::string word, value; in >> word;) {
        if (word == "->") {
            list = &op.outputs;
        } else if (takes(word, "runs", value)) {
            op.runs = listedNumbers(value);
        } else if (!takes(word, "composite", op.composite)) {
            list->push_back(word);
        }
    }
    return op;
}

ModelLines parse(std::string_view text)
{
    ModelLines model;
    std::istringstream lines {std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream in(line);
        std::string kind;
        in >> kind;
        SubgraphLines& here = model.subgraphs.back();
        std::string word;
        if (kind == "tensor") here.tensors.push_back(tensorLine(in));
        if (kind == "op" || kind == "custom") here.ops.push_back(opLine(in, kind == "custom"));
        if (kind == "subgraph") in >> model.subgraphs.emplace_back().name;
        if (kind == "signature") in >> model.signatures.emplace_back().first >> model.signatures.back().second;
        if (kind == "vela") model.vela = true;
        while ((kind == "input" || kind == "output") && in >> word)
            (kind == "input" ? here.inputs : here.outputs).push_back(word);
        model.hasPlan = model.hasPlan || kind == "plan" || kind == "words";
        while ((kind == "plan" || kind == "words") && in >> word)
            model.plan.push_back(std::stoi(word));
        if (kind == "plan") model.plan.insert(model.plan.begin() + 2, static_cast<int>(model.plan.size()) - 2);
    }
    return model;
}

int codeOf(const std::string& name)
{
    for (int code = 0; code < 250; ++code) {
        if (tflite::builtinName(code) == name) return code;
    }
    return std::stoi(name);
}

class Writer
{
public:
    /// \p behind: where the first byte behind the flatbuffer is.
    Writer(const ModelLines& model, std::size_t behind) : m_model(model), m_behind(behind)
    {
        m_buffers.push_back(CreateBuffer(m_fbb));
    }

    std::string run()
    {
        std::vector<Offset<SubGraph>> subgraphs;
        for (const SubgraphLines& lines : m_model.subgraphs)
            subgraphs.push_back(subgraph(lines));
        std::vector<Offset<Metadata>> metadata;
        if (m_model.hasPlan) metadata.push_back(meta("OfflineMemoryAllocation", m_model.plan));
        if (m_model.vela) metadata.push_back(meta("vela_version", {3}));
        std::vector<Offset<SignatureDef>> signatures;
        for (const auto& [key, number] : m_model.signatures)
            signatures.push_back(
                CreateSignatureDef(m_fbb, m_fbb.CreateString(key), static_cast<std::uint32_t>(number)));
        const auto codes = m_fbb.CreateVector(m_codes);
        const auto graphs = m_fbb.CreateVector(subgraphs);
        const auto buffers = m_fbb.CreateVector(m_buffers);
        const auto entries = m_fbb.CreateVector(metadata);
        const auto named = m_fbb.CreateVector(signatures);
        m_fbb.Finish(CreateModel(m_fbb, 3, codes, graphs, m_fbb.CreateString("test"), buffers, entries, named), "TFL3");
        return {reinterpret_cast<const char*>(m_fbb.GetBufferPointer()), m_fbb.GetSize()};
    }

private:
    Offset<Metadata> meta(const char* name, const std::vector<int>& words)
    {
        const auto* first = reinterpret_cast<const std::uint8_t*>(words.data());
        m_buffers.push_back(CreateBuffer(m_fbb, m_fbb.CreateVector(first, words.size() * sizeof(int))));
        return CreateMetadata(m_fbb, m_fbb.CreateString(name), static_cast<std::uint32_t>(m_buffers.size() - 1));
    }

    std::uint32_t buffer(const TensorLine& line)
    {
        if (line.buffer >= 0) return static_cast<std::uint32_t>(line.buffer);
        if (line.bytes == 0) return 0;
        if (line.behind) {
            m_buffers.push_back(CreateBuffer(m_fbb, 0, m_behind, line.bytes));
            m_behind += line.bytes;
        } else {
            m_buffers.push_back(CreateBuffer(m_fbb, m_fbb.CreateVector(std::vector<std::uint8_t>(line.bytes, 7))));
        }
        return static_cast<std::uint32_t>(m_buffers.size() - 1);
    }

    Offset<Tensor> tensor(const TensorLine& line)
    {
        const std::uint32_t number = buffer(line);
        const auto name = m_fbb.CreateString(line.name == "_" ? "" : line.name);
        const auto shape = m_fbb.CreateVector(line.shape);
        const auto open = line.open.empty() ? 0 : m_fbb.CreateVector(line.open);
        const auto sparse = line.sparse ? CreateOptions(m_fbb) : 0;
        return CreateTensor(m_fbb, shape, static_cast<std::int8_t>(line.type), number, name, line.variable, sparse,
                            open, true);
    }

    std::uint32_t code(const OpLine& line)
    {
        const int number = line.custom ? 32 : codeOf(line.name);
        const auto custom = line.custom ? m_fbb.CreateString(line.name) : 0;
        m_codes.push_back(
            CreateOperatorCode(m_fbb, static_cast<std::int8_t>(std::min(number, 127)), custom, 1, number));
        return static_cast<std::uint32_t>(m_codes.size() - 1);
    }

    Offset<Operator> op(const SubgraphLines& in, const OpLine& line)
    {
        static const std::map<std::string, int> kinds = {
            {"CALL", 16}, {"IF", 92}, {"WHILE", 93}, {"CALL_ONCE", 103}, {"STABLEHLO_WHILE", 15}};
        const std::uint32_t number = code(line);
        const auto inputs = m_fbb.CreateVector(numbersOf(in.tensors, line.inputs));
        const auto outputs = m_fbb.CreateVector(numbersOf(in.tensors, line.outputs));
        const auto kind = kinds.find(line.name);
        const bool second = !line.composite.empty() || line.name.starts_with("STABLEHLO");
        Offset<Options> options = 0;
        if (!line.composite.empty())
            options = CreateCompositeOptions(m_fbb, m_fbb.CreateString(line.composite), line.runs.at(0)).o;
        else if (!line.runs.empty())
            options = CreateSubgraphOptions(m_fbb, line.runs[0], line.runs.size() > 1 ? line.runs[1] : 0).o;
        const auto which = static_cast<std::uint8_t>(!line.composite.empty() ? 21
                                                     : kind == kinds.end()   ? 0
                                                                             : kind->second);
        return CreateOperator(m_fbb, number, inputs, outputs, second ? std::uint8_t {0} : which, second ? 0 : options,
                              second ? which : std::uint8_t {0}, second ? options : 0);
    }

    Offset<SubGraph> subgraph(const SubgraphLines& lines)
    {
        std::vector<Offset<Tensor>> tensors;
        for (const TensorLine& line : lines.tensors)
            tensors.push_back(tensor(line));
        std::vector<Offset<Operator>> ops;
        for (const OpLine& line : lines.ops)
            ops.push_back(op(lines, line));
        const auto all = m_fbb.CreateVector(tensors);
        const auto inputs = m_fbb.CreateVector(numbersOf(lines.tensors, lines.inputs));
        const auto outputs = m_fbb.CreateVector(numbersOf(lines.tensors, lines.outputs));
        const auto operators = m_fbb.CreateVector(ops);
        return CreateSubGraph(m_fbb, all, inputs, outputs, operators, m_fbb.CreateString(lines.name));
    }

    const ModelLines& m_model;
    std::size_t m_behind;
    FlatBufferBuilder m_fbb;
    std::vector<Offset<Buffer>> m_buffers;
    std::vector<Offset<OperatorCode>> m_codes;
};

} // namespace

std::string tfliteBytes(std::string_view text)
{
    const ModelLines model = parse(text);
    constexpr std::size_t SomeOffset = 1 << 20; // any number but a default takes the same room
    const std::size_t flat = Writer(model, SomeOffset).run().size();
    std::string bytes = Writer(model, flat).run();
    for (const SubgraphLines& subgraph : model.subgraphs) {
        for (const TensorLine& tensor : subgraph.tensors)
            bytes.append(tensor.behind ? tensor.bytes : 0, '\7');
    }
    return bytes;
}

} // namespace plimsoll::test
