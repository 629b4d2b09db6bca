#include "core/formats/read_graph.h"

#include "core/formats/foreign_content.h"
#include "core/formats/from_file.h"
#include "core/formats/fx_reader.h"
#include "core/formats/graph_json.h"
#include "core/formats/graph_place.h"
#include "core/formats/mapped_file.h"
#include "core/formats/memory_snapshot.h"
#include "core/formats/mxnet_reader.h"
#include "core/formats/onnx_reader.h"
#include "core/formats/packing_csv.h"
#include "core/formats/packing_file.h"
#include "core/formats/packing_graph.h"
#include "core/formats/pt2_reader.h"
#include "core/formats/sniff.h"

namespace plimsoll {
namespace {

std::string_view asText(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Result<Graph> readJson(std::string_view text, const std::filesystem::path& path, const Context& context)
{
    return looksLikeMxnet(text) ? readMxnet(text, path, context) : readGraphJson(text, path, context);
}

Result<Graph> readTable(const std::filesystem::path& whole, const std::filesystem::path& file)
{
    PLIMSOLL_ASSIGN(table, readPackingFile(whole));
    return fromFile(packingGraph(table, file.stem().string()), file);
}

Result<Graph> readTable(std::string_view bytes)
{
    PLIMSOLL_ASSIGN(table, readPackingBytes(bytes));
    return packingGraph(table, "table");
}

Error notAGraph(std::string_view what)
{
    return {ErrorCode::BadInput,
            std::string(what) + " ONNX models, MXNet symbols, graphs printed or exported by PyTorch, its memory "
                                "snapshots, plimsoll.graph/1 "
                                "files and tables of buffers (CSV) can be read.",
            {},
            {}};
}

} // namespace

Result<Graph> readGraph(const std::filesystem::path& whole, const Context& context)
{
    const GraphPlace place = graphPlace(whole);
    const std::filesystem::path& path = place.file;
    PLIMSOLL_ASSIGN(file, MappedFile::open(path));
    if (looksLikeArchive(file.bytes())) return readPt2(file.bytes(), place.graph, path, context);
    if (looksLikeMemorySnapshot(asText(file.bytes()))) return readTable(whole, path);
    if (std::string foreign = foreignContent(asText(file.bytes())); !foreign.empty())
        return Error {ErrorCode::BadInput, std::move(foreign), {}, path.string()};
    const Content content = sniff(file.bytes());
    if (content.kind != ContentKind::Protobuf && looksLikeFx(asText(file.bytes())))
        return readFx(asText(file.bytes()), place.graph, path, context);
    if (!place.graph.empty()) return onlyOneGraph(place);
    if (content.kind == ContentKind::Json) return readJson(asText(file.bytes()), path, context);
    if (content.kind == ContentKind::Protobuf) return readOnnx(path, context);
    if (looksLikePackingTable(asText(file.bytes()))) return readTable(whole, path);
    Error error = notAGraph(content.description);
    error.file = path.string();
    return error;
}

Result<Graph> readGraph(std::span<const std::byte> bytes, const Context& context)
{
    if (looksLikeArchive(bytes)) return readPt2(bytes, {}, {}, context);
    if (looksLikeMemorySnapshot(asText(bytes))) return readTable(asText(bytes));
    if (std::string foreign = foreignContent(asText(bytes)); !foreign.empty())
        return Error {ErrorCode::BadInput, std::move(foreign), {}, {}};
    const Content content = sniff(bytes);
    if (content.kind != ContentKind::Protobuf && looksLikeFx(asText(bytes)))
        return readFx(asText(bytes), {}, {}, context);
    if (content.kind == ContentKind::Json) return readJson(asText(bytes), {}, context);
    if (content.kind == ContentKind::Protobuf) return readOnnx(bytes, context);
    if (looksLikePackingTable(asText(bytes))) return readTable(asText(bytes));
    return notAGraph(content.description);
}

std::filesystem::path fileOfGraph(const std::filesystem::path& path)
{
    return graphPlace(path).file;
}

std::optional<PlanFile> planWithin(const std::filesystem::path& path)
{
    const auto file = MappedFile::open(fileOfGraph(path));
    if (!file.ok() || !looksLikePackingFile(asText(file.value().bytes()))) return std::nullopt;
    const auto table = readPackingFile(path);
    auto plan = table.ok() ? packingPlan(table.value()) : std::nullopt;
    if (plan) plan->file = path.string();
    return plan;
}

} // namespace plimsoll
