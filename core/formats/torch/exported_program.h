#pragma once

#include "core/formats/files/json_input.h"
#include "core/formats/torch/fx_graph.h"

#include <map>
#include <string>

namespace plimsoll::fx {

/// What the signature of an exported program says of its graph.
struct ExportedProgram
{
    FxGraph graph;
    std::map<std::string, std::string> weights; ///< Input of the graph → parameter, buffer or constant of the model.
    std::vector<std::string> mutated;           ///< Buffers and inputs whose new content is among the results.
};

/// Reads the JSON that torch.export.save writes (schema 5 to 8). Errors say the path in it.
[[nodiscard]] Result<ExportedProgram> readExportedProgram(const JsonPlace& place, ReadingRoom& room);

/// The type of a "tensor_meta" as PyTorch prints it: "f32[3, 3][3, 1]cpu".
[[nodiscard]] Result<std::string> printedTypeOf(const JsonPlace& meta);

} // namespace plimsoll::fx
