#include "core/formats/read_graph.h"

#include "core/formats/graph_json.h"
#include "core/formats/mapped_file.h"
#include "core/formats/onnx_reader.h"
#include "core/formats/sniff.h"

namespace plimsoll {
namespace {

std::string_view asText(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Error notAGraph(std::string_view what)
{
    return {ErrorCode::BadInput, std::string(what) + " ONNX models and plimsoll.graph/1 files can be read.", {}, {}};
}

} // namespace

Result<Graph> readGraph(const std::filesystem::path& path, const Context& context)
{
    PLIMSOLL_ASSIGN(file, MappedFile::open(path));
    const Content content = sniff(file.bytes());
    if (content.kind == ContentKind::Json) return readGraphJson(asText(file.bytes()), path, context);
    if (content.kind == ContentKind::Protobuf) return readOnnx(path, context);
    Error error = notAGraph(content.description);
    error.file = path.string();
    return error;
}

Result<Graph> readGraph(std::span<const std::byte> bytes, const Context& context)
{
    const Content content = sniff(bytes);
    if (content.kind == ContentKind::Json) return readGraphJson(asText(bytes), {}, context);
    if (content.kind == ContentKind::Protobuf) return readOnnx(bytes, context);
    return notAGraph(content.description);
}

} // namespace plimsoll
