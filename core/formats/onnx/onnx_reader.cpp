#include "core/formats/onnx/onnx_reader.h"

#include "core/formats/files/data_file.h"
#include "core/formats/onnx/onnx_assemble.h"
#include "core/formats/onnx/onnx_functions.h"
#include "core/formats/onnx/onnx_parse.h"

#include <limits>

namespace plimsoll {
Result<Graph> readOnnx(const FormatInput& input, const Context& context)
{
    if (input.bytes.empty()) return badInput(say("content.empty-text"));
    if (input.bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        return badInput(say("onnx.too-large"));
    context.report("reading", 0);
    ReadingRoom room(input.bytes.size());
    PLIMSOLL_ASSIGN(model, onnx::parseModel({input.bytes, 0}, {input.file}, context, room));
    PLIMSOLL_TRY(onnx::inlineFunctions(model, room));
    context.report("reading", 0.8);
    PLIMSOLL_ASSIGN(graph, onnx::toGraph(std::move(model), room));
    noteMissingFiles(graph);
    if (graph.name.empty()) graph.name = input.stem();
    return graph;
}

} // namespace plimsoll
