#include "core/formats/bad_input.h"
#include "core/formats/files/flatbuffer_copies.h"
#include "core/formats/files/flatbuffer_damage.h"
#include "core/formats/tflite/tflite_model.h"
#include "core/formats/tflite_generated.h"

#include <algorithm>
#include <concepts>

namespace plimsoll::tflite {
namespace {

constexpr int Custom = 32; ///< BuiltinOperator_CUSTOM

/// Which table an operator's options are, as the unions of the schema number them, and what its subgraphs are.
struct FlowOptions
{
    std::string_view op;
    int kind = 0;
    bool second = false; ///< In the second union.
    Flow flow = Flow::None;
    std::size_t subgraphs = 0;
};
constexpr FlowOptions Flows[] = {
    {"CALL", 16, false, Flow::Call, 1},
    {"IF", 92, false, Flow::If, 2},
    {"WHILE", 93, false, Flow::While, 2},
    {"CALL_ONCE", 103, false, Flow::Once, 1},
    {"STABLEHLO_WHILE", 15, true, Flow::While, 2},
    {"STABLEHLO_COMPOSITE", 21, true, Flow::Composite, 1},
};

/// A file while it is read.
struct ModelBytes
{
    std::span<const std::byte> all;
    FlatbufferCopies copies;
    const file::Model* model = nullptr;
};

/// "It lists tensor 7; there are 3."
Error beyond(std::string_view sentence, std::integral auto number, std::size_t count, std::string place)
{
    return badInput(say(sentence, word::Number {number}, word::Number {count}), std::move(place));
}

/// Inside the flatbuffer, or behind it: an offset above 1 says where.
Result<FilePart> bytesOf(const file::Buffer& buffer, const ModelBytes& bytes, std::size_t number)
{
    if (const auto* data = buffer.data(); countOf(data) > 0) {
        const auto offset = reinterpret_cast<const std::byte*>(data->data()) - bytes.all.data();
        return FilePart {bytes.all.subspan(static_cast<std::size_t>(offset), data->size()), offset};
    }
    if (buffer.offset() <= 1 || buffer.size() == 0) return FilePart {};
    if (buffer.offset() > bytes.all.size() || buffer.size() > bytes.all.size() - buffer.offset())
        return badInput(say("tflite.buffer-beyond-end", word::Number {buffer.offset()}, word::Number {buffer.size()}),
                        elementPlace("buffers", number));
    return FilePart {bytes.all.subspan(buffer.offset(), buffer.size()), static_cast<std::int64_t>(buffer.offset())};
}

Status readTensor(const file::Tensor& from, ModelBytes& bytes, std::size_t buffers, std::string place, Tensor& to)
{
    PLIMSOLL_TRY(bytes.copies.spend(sizeof(Tensor)));
    PLIMSOLL_TRY(bytes.copies.copy(from.name(), to.name));
    PLIMSOLL_TRY(bytes.copies.copy(from.shape(), to.shape));
    PLIMSOLL_TRY(bytes.copies.copy(from.shape_signature(), to.signature));
    if (to.signature.size() != to.shape.size()) to.signature.clear();
    to.type = from.type();
    to.buffer = from.buffer();
    to.isVariable = from.is_variable();
    to.isSparse = from.sparsity() != nullptr;
    if (to.buffer == 0 || to.buffer < buffers) return {};
    return beyond("tflite.no-buffer", to.buffer, buffers, std::move(place));
}

/// A list of tensors; \p least is -1 where one may be absent.
Status readList(const flatbuffers::Vector<std::int32_t>* from, ModelBytes& bytes, const Subgraph& in, int least,
                std::string place, std::vector<int>& to)
{
    PLIMSOLL_TRY(bytes.copies.copy(from, to));
    for (const int tensor : to) {
        if (tensor < least || tensor >= static_cast<std::int64_t>(in.tensors.size()))
            return beyond("tflite.no-tensor", tensor, in.tensors.size(), std::move(place));
    }
    return {};
}

/// The options as the table that they are, or nothing where they are damaged.
template <typename Table>
const Table* optionsAs(const file::Options& options, const ModelBytes& bytes)
{
    const auto* table = reinterpret_cast<const Table*>(&options);
    flatbuffers::Verifier verifier = flatbufferVerifier(bytes.all);
    return table->Verify(verifier) ? table : nullptr;
}

/// Options of other operators say nothing of memory.
Status readFlow(const file::Operator& from, ModelBytes& bytes, const std::string& place, Operator& to)
{
    for (const FlowOptions& row : Flows) {
        const file::Options* options = row.second ? from.options_2() : from.options();
        if ((row.second ? from.options_2_kind() : from.options_kind()) != row.kind || !options) continue;
        to.flow = row.flow;
        std::vector<std::int64_t> numbers;
        if (const auto* composite = optionsAs<file::CompositeOptions>(*options, bytes);
            composite && row.flow == Flow::Composite) {
            PLIMSOLL_TRY(bytes.copies.copy(composite->name(), to.composite));
            numbers = {composite->decomposition()};
        } else if (const auto* table = optionsAs<file::SubgraphOptions>(*options, bytes);
                   table && row.flow != Flow::Composite) {
            numbers = {table->first(), table->second()};
            numbers.resize(row.subgraphs);
        } else {
            return badInput(say("tflite.options-damaged"), place);
        }
        for (const std::int64_t number : numbers) {
            if (number < 0 || static_cast<std::size_t>(number) >= countOf(bytes.model->subgraphs()))
                return beyond("tflite.no-run-subgraph", number, countOf(bytes.model->subgraphs()), place);
            to.subgraphs.push_back(static_cast<std::size_t>(number));
        }
        return {};
    }
    return {};
}

Status readOperator(const file::Operator& from, ModelBytes& bytes, const std::string& place, Subgraph& in)
{
    const std::size_t codes = countOf(bytes.model->operator_codes());
    if (from.opcode_index() >= codes) return beyond("tflite.no-operator-code", from.opcode_index(), codes, place);
    const file::OperatorCode& code = elementOf(*bytes.model->operator_codes(), from.opcode_index());
    PLIMSOLL_TRY(bytes.copies.spend(sizeof(Operator)));
    Operator& to = in.operators.emplace_back();
    // The older field is a byte, and stays at 127 for what came later.
    const int number = std::max<int>(code.short_code(), code.builtin_code());
    to.custom = number == Custom;
    if (to.custom) PLIMSOLL_TRY(bytes.copies.copy(code.custom_code(), to.name));
    if (to.name.empty()) to.name = builtinName(number);
    to.version = code.version();
    const std::string here = place + " '" + to.name + "'";
    PLIMSOLL_TRY(readList(from.inputs(), bytes, in, -1, here + ", inputs", to.inputs));
    PLIMSOLL_TRY(readList(from.outputs(), bytes, in, -1, here + ", outputs", to.outputs));
    PLIMSOLL_TRY(readFlow(from, bytes, here, to));
    const bool runs = std::ranges::any_of(Flows, [&](const FlowOptions& row) { return row.op == to.name; });
    if (to.custom || to.flow != Flow::None || !runs) return {};
    return badInput(say("tflite.runs-what"), here);
}

Status readMetadata(const file::Metadata& from, ModelBytes& bytes, const std::string& place, Model& model)
{
    std::string name;
    PLIMSOLL_TRY(bytes.copies.copy(from.name(), name));
    model.compiledByVela = model.compiledByVela || name == "vela_version";
    if (name != "OfflineMemoryAllocation") return {};
    if (from.buffer() >= model.buffers.size())
        return beyond("tflite.no-buffer", from.buffer(), model.buffers.size(), place);
    model.plan = model.buffers[from.buffer()];
    return {};
}

std::string damagedPart(std::span<const std::byte> bytes)
{
    using Damage = FlatbufferDamage;
    const Damage damage(bytes);
    const Damage::Table* model = damage.root();
    if (!model) return "byte 0";
    const auto ofGraph = [&](const Damage::Table& graph) {
        return Damage::first({damage.in<file::Tensor>(graph, file::SubGraph::VT_TENSORS, "tensors"),
                              damage.in<file::Operator>(graph, file::SubGraph::VT_OPERATORS, "operators")});
    };
    return Damage::first({damage.in<file::OperatorCode>(*model, file::Model::VT_OPERATOR_CODES, "operator_codes"),
                          damage.in<file::SubGraph>(*model, file::Model::VT_SUBGRAPHS, "subgraphs", ofGraph),
                          damage.in<file::Buffer>(*model, file::Model::VT_BUFFERS, "buffers"),
                          damage.in<file::Metadata>(*model, file::Model::VT_METADATA, "metadata"),
                          damage.in<file::SignatureDef>(*model, file::Model::VT_SIGNATURE_DEFS, "signature_defs"),
                          "top level"});
}

} // namespace

Result<Model> parseModel(std::span<const std::byte> all, const Context& context, ReadingRoom& room)
{
    flatbuffers::Verifier verifier = flatbufferVerifier(all);
    if (!file::VerifyModelBuffer(verifier)) return badInput(say("tflite.damaged"), damagedPart(all));
    const file::Model& from = *file::GetModel(all.data());
    ModelBytes bytes {all, FlatbufferCopies(room), &from};
    Model model;
    model.version = from.version();
    for (std::size_t i = 0; i < countOf(from.buffers()); ++i) {
        PLIMSOLL_SET(model.buffers.emplace_back(), bytesOf(elementOf(*from.buffers(), i), bytes, i));
    }
    if (countOf(from.subgraphs()) == 0) return badInput(say("tflite.no-subgraph"));
    for (std::size_t i = 0; i < countOf(from.subgraphs()); ++i) {
        PLIMSOLL_TRY(checkStopped(context));
        const file::SubGraph& graph = elementOf(*from.subgraphs(), i);
        const std::string place = elementPlace("subgraphs", i);
        Subgraph& to = model.subgraphs.emplace_back();
        PLIMSOLL_TRY(bytes.copies.copy(graph.name(), to.name));
        for (std::size_t t = 0; t < countOf(graph.tensors()); ++t)
            PLIMSOLL_TRY(readTensor(elementOf(*graph.tensors(), t), bytes, model.buffers.size(),
                                    place + "." + elementPlace("tensors", t), to.tensors.emplace_back()));
        PLIMSOLL_TRY(readList(graph.inputs(), bytes, to, 0, place + ".inputs", to.inputs));
        PLIMSOLL_TRY(readList(graph.outputs(), bytes, to, 0, place + ".outputs", to.outputs));
        for (std::size_t o = 0; o < countOf(graph.operators()); ++o)
            PLIMSOLL_TRY(
                readOperator(elementOf(*graph.operators(), o), bytes, place + "." + elementPlace("operators", o), to));
    }
    for (std::size_t i = 0; i < countOf(from.signature_defs()); ++i) {
        const file::SignatureDef& signature = elementOf(*from.signature_defs(), i);
        Signature& to = model.signatures.emplace_back();
        PLIMSOLL_TRY(bytes.copies.copy(signature.signature_key(), to.key));
        to.subgraph = signature.subgraph_index();
        if (to.subgraph >= model.subgraphs.size())
            return beyond("tflite.no-entered-subgraph", to.subgraph, model.subgraphs.size(),
                          elementPlace("signature_defs", i));
    }
    for (std::size_t i = 0; i < countOf(from.metadata()); ++i)
        PLIMSOLL_TRY(readMetadata(elementOf(*from.metadata(), i), bytes, elementPlace("metadata", i), model));
    return model;
}

std::string placeOf(std::size_t subgraph, std::size_t number, const Operator& op)
{
    return elementPlace("subgraphs", subgraph) + "." + elementPlace("operators", number) + " '" + op.name + "'";
}

} // namespace plimsoll::tflite
