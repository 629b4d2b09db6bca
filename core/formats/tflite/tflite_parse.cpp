#include "core/formats/bad_input.h"
#include "core/formats/files/flatbuffer_copies.h"
#include "core/formats/tflite/tflite_model.h"
#include "core/formats/tflite_generated.h"

#include <algorithm>
#include <limits>

namespace plimsoll::tflite {
namespace {

constexpr int Custom = 32; ///< BuiltinOperator_CUSTOM

std::string element(const char* list, std::size_t index)
{
    return std::string(list) + "[" + std::to_string(index) + "]";
}

/// Which table an operator's options are, as the unions of the schema number them, and what its subgraphs are.
struct FlowOptions
{
    std::string_view op;
    int kind = 0;
    bool second = false; ///< In the second union.
    Flow flow = Flow::None;
    int subgraphs = 0;
};
constexpr FlowOptions Flows[] = {
    {"CALL", 16, false, Flow::Call, 1},
    {"IF", 92, false, Flow::If, 2},
    {"WHILE", 93, false, Flow::While, 2},
    {"CALL_ONCE", 103, false, Flow::Once, 1},
    {"STABLEHLO_WHILE", 15, true, Flow::While, 2},
    {"STABLEHLO_COMPOSITE", 21, true, Flow::Composite, 1},
};

class Parser
{
public:
    Parser(std::span<const std::byte> bytes, const Context& context)
        : m_bytes(bytes), m_context(context), m_data(reinterpret_cast<const std::uint8_t*>(bytes.data())),
          m_copies(bytes.size())
    {
    }

    Result<Model> run()
    {
        flatbuffers::Verifier verifier = flatbufferVerifier(m_bytes);
        if (!file::VerifyModelBuffer(verifier)) return badInput(say("tflite.damaged"), {});
        m_file = file::GetModel(m_data);
        m_model.version = m_file->version();
        PLIMSOLL_TRY(readBuffers());
        PLIMSOLL_TRY(readSubgraphs());
        PLIMSOLL_TRY(readSignatures());
        PLIMSOLL_TRY(readMetadata());
        return std::move(m_model);
    }

private:
    Status readBuffers()
    {
        if (!m_file->buffers()) return {};
        for (const file::Buffer* buffer : *m_file->buffers()) {
            PLIMSOLL_ASSIGN(bytes, bytesOf(*buffer));
            m_model.buffers.push_back(bytes);
        }
        return {};
    }

    /// Inside the flatbuffer, or behind it: an offset above 1 says where.
    Result<FilePart> bytesOf(const file::Buffer& buffer) const
    {
        const auto* data = buffer.data();
        if (data && data->size() > 0) {
            const auto offset = static_cast<std::int64_t>(data->data() - m_data);
            return FilePart {m_bytes.subspan(static_cast<std::size_t>(offset), data->size()), offset};
        }
        if (buffer.offset() <= 1 || buffer.size() == 0) return FilePart {};
        if (buffer.offset() > m_bytes.size() || buffer.size() > m_bytes.size() - buffer.offset())
            return badInput(
                say("tflite.buffer-beyond-end", word::Number {buffer.offset()}, word::Number {buffer.size()}),
                element("buffers", m_model.buffers.size()));
        return FilePart {m_bytes.subspan(buffer.offset(), buffer.size()), static_cast<std::int64_t>(buffer.offset())};
    }

    Status readSubgraphs()
    {
        if (!m_file->subgraphs() || m_file->subgraphs()->size() == 0) return badInput(say("tflite.no-subgraph"), {});
        for (const file::SubGraph* from : *m_file->subgraphs()) {
            PLIMSOLL_TRY(checkStopped(m_context));
            const std::size_t number = m_model.subgraphs.size();
            PLIMSOLL_TRY(readSubgraph(*from, number, m_model.subgraphs.emplace_back()));
        }
        return {};
    }

    Status readSubgraph(const file::SubGraph& from, std::size_t number, Subgraph& to)
    {
        PLIMSOLL_TRY(m_copies.copy(from.name(), to.name));
        const std::string place = element("subgraphs", number);
        for (std::size_t t = 0; from.tensors() && t < from.tensors()->size(); ++t)
            PLIMSOLL_TRY(readTensor(*(*from.tensors())[static_cast<flatbuffers::uoffset_t>(t)],
                                    place + "." + element("tensors", t), to.tensors.emplace_back()));
        PLIMSOLL_TRY(m_copies.copy(from.inputs(), to.inputs));
        PLIMSOLL_TRY(m_copies.copy(from.outputs(), to.outputs));
        PLIMSOLL_TRY(checkTensors(to.inputs, to, 0, place + ".inputs"));
        PLIMSOLL_TRY(checkTensors(to.outputs, to, 0, place + ".outputs"));
        for (std::size_t o = 0; from.operators() && o < from.operators()->size(); ++o)
            PLIMSOLL_TRY(readOperator(*(*from.operators())[static_cast<flatbuffers::uoffset_t>(o)],
                                      place + "." + element("operators", o), to));
        return {};
    }

    Status readTensor(const file::Tensor& from, const std::string& place, Tensor& to)
    {
        PLIMSOLL_TRY(m_copies.spend(sizeof(Tensor)));
        PLIMSOLL_TRY(m_copies.copy(from.name(), to.name));
        PLIMSOLL_TRY(m_copies.copy(from.shape(), to.shape));
        PLIMSOLL_TRY(m_copies.copy(from.shape_signature(), to.signature));
        if (to.signature.size() != to.shape.size()) to.signature.clear();
        to.type = from.type();
        to.buffer = from.buffer();
        to.isVariable = from.is_variable();
        to.isSparse = from.sparsity() != nullptr;
        if (to.buffer == 0 || to.buffer < m_model.buffers.size()) return {};
        return badInput(say("tflite.no-buffer", word::Number {to.buffer}, word::Number {m_model.buffers.size()}),
                        place);
    }

    /// \p least is -1 where a tensor may be absent.
    static Status checkTensors(const std::vector<int>& list, const Subgraph& in, int least, const std::string& place)
    {
        for (const int tensor : list) {
            if (tensor >= least && tensor < static_cast<std::int64_t>(in.tensors.size())) continue;
            return badInput(say("tflite.no-tensor", word::Number {tensor}, word::Number {in.tensors.size()}), place);
        }
        return {};
    }

    Status readOperator(const file::Operator& from, const std::string& place, Subgraph& in)
    {
        const auto* codes = m_file->operator_codes();
        if (!codes || from.opcode_index() >= codes->size())
            return badInput(say("tflite.no-operator-code", word::Number {from.opcode_index()},
                                word::Number {codes ? codes->size() : 0}),
                            place);
        const file::OperatorCode& code = *(*codes)[from.opcode_index()];
        PLIMSOLL_TRY(m_copies.spend(sizeof(Operator)));
        Operator& to = in.operators.emplace_back();
        // The older field is a byte, and stays at 127 for what came later.
        const int number = std::max<int>(code.short_code(), code.builtin_code());
        to.custom = number == Custom;
        if (to.custom) PLIMSOLL_TRY(m_copies.copy(code.custom_code(), to.name));
        if (to.name.empty()) to.name = builtinName(number);
        to.version = code.version();
        PLIMSOLL_TRY(m_copies.copy(from.inputs(), to.inputs));
        PLIMSOLL_TRY(m_copies.copy(from.outputs(), to.outputs));
        PLIMSOLL_TRY(checkTensors(to.inputs, in, -1, place + " '" + to.name + "', inputs"));
        PLIMSOLL_TRY(checkTensors(to.outputs, in, -1, place + " '" + to.name + "', outputs"));
        PLIMSOLL_TRY(readFlow(from, place + " '" + to.name + "'", to));
        const bool runs = std::ranges::any_of(Flows, [&](const FlowOptions& row) { return row.op == to.name; });
        if (to.custom || to.flow != Flow::None || !runs) return {};
        return badInput(say("tflite.runs-what"), place + " '" + to.name + "'");
    }

    /// Options of other operators say nothing of memory.
    Status readFlow(const file::Operator& from, const std::string& place, Operator& to)
    {
        for (const FlowOptions& row : Flows) {
            const file::Options* options = row.second ? from.options_2() : from.options();
            if ((row.second ? from.options_2_kind() : from.options_kind()) != row.kind || !options) continue;
            to.flow = row.flow;
            return row.flow == Flow::Composite ? readComposite(*options, place, to)
                                               : readNumbers(*options, row.subgraphs, place, to);
        }
        return {};
    }

    /// The options as the table that they are, or nothing where they are damaged.
    template <typename Table>
    const Table* optionsAs(const file::Options& options) const
    {
        const auto* table = reinterpret_cast<const Table*>(&options);
        flatbuffers::Verifier verifier = flatbufferVerifier(m_bytes);
        return table->Verify(verifier) ? table : nullptr;
    }

    Status readComposite(const file::Options& options, const std::string& place, Operator& to)
    {
        const auto* table = optionsAs<file::CompositeOptions>(options);
        if (!table) return badInput(say("tflite.options-damaged"), place);
        PLIMSOLL_TRY(m_copies.copy(table->name(), to.composite));
        return addSubgraph(table->decomposition(), place, to);
    }

    Status readNumbers(const file::Options& options, int count, const std::string& place, Operator& to)
    {
        const auto* table = optionsAs<file::SubgraphOptions>(options);
        if (!table) return badInput(say("tflite.options-damaged"), place);
        PLIMSOLL_TRY(addSubgraph(table->first(), place, to));
        return count > 1 ? addSubgraph(table->second(), place, to) : Status();
    }

    Status addSubgraph(std::int64_t number, const std::string& place, Operator& to) const
    {
        const std::size_t count = m_file->subgraphs()->size();
        if (number < 0 || static_cast<std::size_t>(number) >= count)
            return badInput(say("tflite.no-run-subgraph", word::Number {number}, word::Number {count}), place);
        to.subgraphs.push_back(static_cast<std::size_t>(number));
        return {};
    }

    Status readSignatures()
    {
        if (!m_file->signature_defs()) return {};
        for (const file::SignatureDef* from : *m_file->signature_defs()) {
            Signature& to = m_model.signatures.emplace_back();
            PLIMSOLL_TRY(m_copies.copy(from->signature_key(), to.key));
            to.subgraph = from->subgraph_index();
            if (to.subgraph < m_model.subgraphs.size()) continue;
            return badInput(
                say("tflite.no-entered-subgraph", word::Number {to.subgraph}, word::Number {m_model.subgraphs.size()}),
                element("signature_defs", m_model.signatures.size() - 1));
        }
        return {};
    }

    Status readMetadata()
    {
        if (!m_file->metadata()) return {};
        std::size_t index = 0;
        for (const file::Metadata* entry : *m_file->metadata()) {
            const std::string place = element("metadata", index++);
            std::string name;
            PLIMSOLL_TRY(m_copies.copy(entry->name(), name));
            m_model.compiledByVela = m_model.compiledByVela || name == "vela_version";
            if (name != "OfflineMemoryAllocation") continue;
            if (entry->buffer() >= m_model.buffers.size())
                return badInput(
                    say("tflite.no-buffer", word::Number {entry->buffer()}, word::Number {m_model.buffers.size()}),
                    place);
            m_model.plan = m_model.buffers[entry->buffer()];
        }
        return {};
    }

    std::span<const std::byte> m_bytes;
    const Context& m_context;
    const std::uint8_t* m_data;
    FlatbufferCopies m_copies;
    const file::Model* m_file = nullptr;
    Model m_model;
};

} // namespace

Result<Model> parseModel(std::span<const std::byte> bytes, const Context& context)
{
    return Parser(bytes, context).run();
}

std::string placeOf(std::size_t subgraph, std::size_t number, const Operator& op)
{
    return element("subgraphs", subgraph) + "." + element("operators", number) + " '" + op.name + "'";
}

} // namespace plimsoll::tflite
