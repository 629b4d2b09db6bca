#include "core/formats/read_graph.h"

#include "core/formats/embedded_plan.h"
#include "core/formats/executorch/executorch_reader.h"
#include "core/formats/files/json_input.h"
#include "core/formats/files/mapped_file.h"
#include "core/formats/foreign_content.h"
#include "core/formats/hlo/hlo_proto_reader.h"
#include "core/formats/hlo/hlo_reader.h"
#include "core/formats/mxnet/mxnet_reader.h"
#include "core/formats/onnx/onnx_reader.h"
#include "core/formats/packing/packing_csv.h"
#include "core/formats/packing/packing_file.h"
#include "core/formats/packing/packing_graph.h"
#include "core/formats/plimsoll/from_file.h"
#include "core/formats/plimsoll/graph_in_file.h"
#include "core/formats/plimsoll/graph_json.h"
#include "core/formats/readable_formats.h"
#include "core/formats/snapshot/memory_snapshot.h"
#include "core/formats/sniff.h"
#include "core/formats/tflite/tflite_reader.h"
#include "core/formats/torch/fx_reader.h"
#include "core/formats/torch/pt2_reader.h"

#include <algorithm>
#include <iterator>

namespace plimsoll {
namespace {

std::string_view asText(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// What kind of text it is shows there.
std::string_view beginning(std::span<const std::byte> bytes)
{
    return asText(bytes).substr(0, SniffedBytes);
}

Result<Graph> readJson(std::string_view text, const std::filesystem::path& path, const Context& context)
{
    if (const Status fits = checkJsonSize(text); !fits.ok()) return fromFile(Result<Graph>(fits.error()), path);
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

/// A file, or what came from standard input: that has no path.
struct Source
{
    std::span<const std::byte> bytes;
    std::filesystem::path whole; ///< "FILE#NAME", as it was asked for.
    GraphPlace place;
    Content content;
};

Result<Graph> readTable(const Source& source, const Context&)
{
    return source.place.file.empty() ? readTable(asText(source.bytes)) : readTable(source.whole, source.place.file);
}

/// One kind of graph file.
struct GraphFormat
{
    bool (*recognise)(const Source&) = nullptr;
    Result<Graph> (*read)(const Source&, const Context&) = nullptr;
    bool several = false; ///< One file may hold several graphs, which have names.
};

/// In this order: what is told by its first bytes stands before what any text may be.
const GraphFormat Formats[] = {
    {.recognise = [](const Source& source) { return looksLikeArchive(source.bytes); },
     .read =
         [](const Source& source, const Context& context) {
             return readPt2(source.bytes, source.place.graph, source.place.file, context);
         },
     .several = true},
    {.recognise = [](const Source& source) { return looksLikeTflite(source.bytes); },
     .read =
         [](const Source& source, const Context& context) {
             return readTflite(source.bytes, source.place.graph, source.place.file, context);
         },
     .several = true},
    {.recognise = [](const Source& source) { return looksLikeExecutorch(source.bytes); },
     .read =
         [](const Source& source, const Context& context) {
             return readExecutorch(source.bytes, source.place.graph, source.place.file, context);
         },
     .several = true},
    {.recognise = [](const Source& source) { return looksLikeHloText(beginning(source.bytes)); },
     .read =
         [](const Source& source, const Context& context) {
             return readHloText(asText(source.bytes), source.place.graph, source.place.file, context);
         },
     .several = true},
    {.recognise = [](const Source& source) { return looksLikeHloProto(source.bytes); },
     .read =
         [](const Source& source, const Context& context) {
             return readHloProto(source.bytes, source.place.graph, source.place.file, context);
         },
     .several = true},
    {.recognise = [](const Source& source) { return looksLikeMemorySnapshot(asText(source.bytes)); },
     .read = readTable,
     .several = true},
    {.recognise = [](const Source& source) { return !foreignContent(asText(source.bytes)).empty(); },
     .read = [](const Source& source, const Context&) -> Result<Graph> {
         return Error {ErrorCode::BadInput, foreignContent(asText(source.bytes)), {}, source.place.file.string()};
     },
     .several = true},
    {.recognise =
         [](const Source& source) {
             return source.content.kind != ContentKind::Protobuf && looksLikeFx(beginning(source.bytes));
         },
     .read =
         [](const Source& source, const Context& context) {
             return readFx(asText(source.bytes), source.place.graph, source.place.file, context);
         },
     .several = true},
    {.recognise = [](const Source& source) { return source.content.kind == ContentKind::Json; },
     .read = [](const Source& source,
                const Context& context) { return readJson(asText(source.bytes), source.place.file, context); }},
    {.recognise = [](const Source& source) { return looksLikePackingTable(asText(source.bytes)); }, .read = readTable},
    {.recognise = [](const Source& source) { return source.content.kind == ContentKind::Protobuf; },
     .read =
         [](const Source& source, const Context& context) {
             return source.place.file.empty() ? readOnnx(source.bytes, context) : readOnnx(source.place.file, context);
         }},
};

Result<Graph> readSource(const Source& source, const Context& context)
{
    const auto* format = std::find_if(std::begin(Formats), std::end(Formats),
                                      [&](const GraphFormat& one) { return one.recognise(source); });
    const bool known = format != std::end(Formats);
    if (!source.place.graph.empty() && !(known && format->several)) return onlyOneGraph(source.place);
    if (known) return format->read(source, context);
    return Error {ErrorCode::BadInput,
                  std::string(source.content.description) + " " + std::string(ReadableFormats) + " can be read.",
                  {},
                  source.place.file.string()};
}

} // namespace

Result<Graph> readGraph(const std::filesystem::path& whole, const Context& context)
{
    GraphPlace place = graphPlace(whole);
    PLIMSOLL_ASSIGN(file, MappedFile::open(place.file));
    return readSource({file.bytes(), whole, std::move(place), sniff(file.bytes())}, context);
}

Result<Graph> readGraph(std::span<const std::byte> bytes, const Context& context)
{
    return readSource({bytes, {}, {}, sniff(bytes)}, context);
}

std::filesystem::path fileOfGraph(const std::filesystem::path& path)
{
    return graphPlace(path).file;
}

std::optional<PlanFile> planWithin(const std::filesystem::path& path)
{
    const auto file = MappedFile::open(fileOfGraph(path));
    auto plan = file.ok() ? embeddedPlan(file.value().bytes(), path) : std::nullopt;
    return plan && plan->ok() ? std::optional(std::move(*plan).value()) : std::nullopt;
}

} // namespace plimsoll
