#include "core/formats/onnx/onnx_reader.h"

#include "core/formats/files/data_file.h"
#include "core/formats/files/mapped_file.h"
#include "core/formats/onnx/onnx_assemble.h"
#include "core/formats/onnx/onnx_functions.h"
#include "core/formats/onnx/onnx_parse.h"
#include "core/formats/plimsoll/from_file.h"

#include <limits>

namespace plimsoll {
namespace {

Result<Graph> readModel(std::span<const std::byte> bytes, const onnx::Source& source, const Context& context)
{
    if (bytes.empty()) return Error {ErrorCode::BadInput, "The file is empty.", {}, {}};
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        return Error {
            ErrorCode::BadInput,
            "The file is larger than 2 GiB, the most a protobuf file can be. Store the weights as external data.",
            {},
            {}};
    }
    context.report("reading", 0);
    PLIMSOLL_ASSIGN(model, onnx::parseModel({bytes, 0}, source, context));
    PLIMSOLL_TRY(onnx::inlineFunctions(model));
    context.report("reading", 0.8);
    return onnx::toGraph(std::move(model));
}

} // namespace

Result<Graph> readOnnx(const std::filesystem::path& path, const Context& context)
{
    PLIMSOLL_ASSIGN(file, MappedFile::open(path));
    auto graph = fromFile(readModel(file.bytes(), {path}, context), path);
    if (!graph.ok()) return graph;
    noteMissingFiles(graph.value());
    if (graph.value().name.empty()) graph.value().name = path.stem().string();
    return graph;
}

Result<Graph> readOnnx(std::span<const std::byte> bytes, const Context& context)
{
    return readModel(bytes, {}, context);
}

} // namespace plimsoll
