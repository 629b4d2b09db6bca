#include "core/formats/torch/pt2_reader.h"

#include "core/formats/files/zip_directory.h"
#include "core/formats/torch/exported_program.h"
#include "core/formats/torch/fx_translate.h"
#include "core/formats/torch/fx_type.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

using Json = nlohmann::json;

std::string_view textOf(std::span<const std::byte> bytes, const ZipEntry& entry)
{
    return {reinterpret_cast<const char*>(bytes.data()) + entry.offset, static_cast<std::size_t>(entry.bytes)};
}

/// "linear_3/models/model.json": "model". Empty for what is no program.
std::string modelName(const std::string& name)
{
    constexpr std::string_view Folder = "/models/";
    const std::size_t begin = name.rfind(Folder);
    if (name.ends_with("serialized_exported_program.json")) return "model"; // Before torch 2.7.
    if (begin == std::string::npos || !name.ends_with(".json")) return {};
    return name.substr(begin + Folder.size(), name.size() - begin - Folder.size() - 5);
}

Result<const ZipEntry*> findModel(const std::vector<ZipEntry>& entries, std::string_view wanted)
{
    std::string names;
    const ZipEntry* found = nullptr;
    for (const ZipEntry& entry : entries) {
        const std::string name = modelName(entry.name);
        if (name.empty()) continue;
        names += (names.empty() ? "'" : ", '") + name + "'";
        if (!found && (wanted.empty() || name == wanted)) found = &entry;
    }
    if (names.empty()) return badInput(say("pt2.no-program"));
    if (!found) return badInput(say("pt2.no-such-model", word::Name {std::string(wanted)}, names));
    if (!found->stored) return badInput(say("pt2.compressed"));
    return found;
}

/// What the archive says of one tensor that it stores.
struct StoredTensor
{
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
    TensorType type;
};

/// Tensors whose bytes are a file of the archive, row by row, by their name in the model.
class WeightTable
{
public:
    WeightTable(std::span<const std::byte> bytes, const std::vector<ZipEntry>& entries)
        : m_bytes(bytes), m_entries(entries)
    {
    }

    Status read()
    {
        for (const ZipEntry& entry : m_entries) {
            const bool weights = entry.name.ends_with("model_weights_config.json");
            if (!entry.stored || (!weights && !entry.name.ends_with("model_constants_config.json"))) continue;
            auto json = parseJson(textOf(m_bytes, entry));
            if (!json.ok()) return inside(entry, json.error());
            const Status status = table(JsonPlace(json.value(), {}), entry.name.substr(0, entry.name.rfind('/') + 1));
            if (!status.ok()) return inside(entry, status.error());
        }
        return {};
    }

    [[nodiscard]] const StoredTensor* find(const std::string& name) const
    {
        const auto found = m_tensors.find(name);
        return found == m_tensors.end() ? nullptr : &found->second;
    }

    static Error inside(const ZipEntry& entry, Error error)
    {
        error.where = entry.name + (error.where.empty() ? "" : ": " + error.where);
        return error;
    }

private:
    Status table(const JsonPlace& place, const std::string& folder)
    {
        PLIMSOLL_TRY(place.expectObject());
        return place.forEachField(
            "config", [&](const std::string& name, const JsonPlace& stored) { return tensor(stored, name, folder); });
    }

    Status tensor(const JsonPlace& place, const std::string& name, const std::string& folder)
    {
        PLIMSOLL_TRY(place.expectObject());
        PLIMSOLL_ASSIGN(path, place.textOr("path_name", {}));
        PLIMSOLL_ASSIGN(pickled, place.booleanOr("use_pickle", false));
        if (pickled || !place.has("tensor_meta")) return {};
        PLIMSOLL_ASSIGN(printed, fx::printedTypeOf(place.at("tensor_meta")));
        const auto type = fx::readPrintedType(printed);
        if (!type.ok()) return place.at("tensor_meta").error(type.error().message);
        const auto entry = std::find_if(m_entries.begin(), m_entries.end(),
                                        [&](const ZipEntry& candidate) { return candidate.name == folder + path; });
        const bool whole = entry != m_entries.end() && entry->stored && type.value().type.bytes() == entry->bytes &&
                           fx::isRowMajor(type.value());
        if (whole) m_tensors[name] = {entry->offset, entry->bytes, type.value().type};
        return {};
    }

    std::span<const std::byte> m_bytes;
    const std::vector<ZipEntry>& m_entries;
    std::map<std::string, StoredTensor> m_tensors;
};

/// The bytes of weights stay in the archive until they are asked for.
void attachWeights(Graph& graph, const fx::ExportedProgram& program, const WeightTable& table,
                   const std::filesystem::path& file)
{
    for (Value& value : graph.values) {
        const auto name = program.weights.find(value.name);
        if (name == program.weights.end() || value.role != ValueRole::Parameter) continue;
        value.extra = Json {{"pytorch", {{"name", name->second}}}}.dump(-1, ' ', true, Json::error_handler_t::replace);
        const StoredTensor* stored = table.find(name->second);
        if (!stored || file.empty() || stored->type != value.type) continue;
        value.data = TensorData {.file = file, .fileOffset = stored->offset, .fileBytes = stored->bytes};
    }
}

} // namespace

Result<Graph> readPt2(const FormatInput& input, const Context& context)
{
    context.report("reading", 0);
    auto directory = readZipDirectory(input.bytes);
    if (!directory.ok()) return badInput(say("pt2.no-archive", directory.error().message), directory.error().where);
    const std::vector<ZipEntry> entries = std::move(directory).value();
    PLIMSOLL_ASSIGN(model, findModel(entries, input.graph));
    auto json = parseJson(textOf(input.bytes, *model));
    if (!json.ok()) return WeightTable::inside(*model, json.error());
    ReadingRoom room(input.bytes.size());
    auto program = fx::readExportedProgram(JsonPlace(json.value(), {}), room);
    if (!program.ok()) return WeightTable::inside(*model, program.error());
    context.report("reading", 0.5);
    WeightTable weights(input.bytes, entries);
    PLIMSOLL_TRY(weights.read());
    auto graph = fx::makeGraph(program.value().graph, input.stem(modelName(model->name)));
    if (!graph.ok()) return WeightTable::inside(*model, graph.error());
    attachWeights(graph.value(), program.value(), weights, input.file);
    if (!program.value().mutated.empty())
        graph.value().extra = Json {{"pytorch", {{"mutated", program.value().mutated}}}}.dump(
            -1, ' ', true, Json::error_handler_t::replace);
    return graph;
}

} // namespace plimsoll
