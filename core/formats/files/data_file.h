#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

/// A part of a file beside the graph that holds the bytes of a tensor, as a graph file names it.
struct DataFileReference
{
    std::string location; ///< Relative to the folder of the graph file.
    std::int64_t offset = 0;
    std::optional<std::int64_t> length; ///< Absent: as many as the tensor needs.
};

/// Finds the file and checks, without reading it, that it is long enough and inside \p folder: absolute paths, "..",
/// and links that lead out are refused. \p needed is what the tensor's type asks for, when that is known. A file that
/// is not there is no error: planning needs only sizes. Reading the bytes is one then, and noteMissingFiles says so.
[[nodiscard]] Result<TensorData> locateDataFile(const DataFileReference& reference, const std::filesystem::path& folder,
                                                std::optional<std::int64_t> needed);

/// The files that the tensors of \p graph point to, each once.
[[nodiscard]] std::vector<std::filesystem::path> dataFilesOf(const Graph& graph);

/// Adds one note to \p graph for each data file that its tensors point to and that is not there.
void noteMissingFiles(Graph& graph);

} // namespace plimsoll
