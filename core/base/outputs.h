#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace plimsoll {

/// One file that a command writes, and the option that names it: {"--json", "report.json"}. "-" is standard output,
/// an empty path no output at all.
struct Output
{
    std::string option;
    std::filesystem::path path;
};

/// BadUsage where an output is one of the files that are read, under another name or through a link too, or is another
/// output. Outputs have to be checked against everything that a command reads before the first of them is opened.
/// Removes the temporary files that killed commands left in the folders of the outputs.
[[nodiscard]] Status checkOutputs(const std::vector<Output>& outputs, const std::vector<std::filesystem::path>& inputs);

} // namespace plimsoll
