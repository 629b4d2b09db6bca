#pragma once

#include "core/formats/bad_input.h"

#include <filesystem>
#include <string>

namespace plimsoll {

/// "model.log#training" is the graph of that name in model.log, unless there is a file of the whole name.
struct GraphPlace
{
    std::filesystem::path file;
    std::string graph; ///< Empty: none is named.
};

[[nodiscard]] inline GraphPlace graphPlace(const std::filesystem::path& path)
{
    const std::string text = path.string();
    const std::size_t sign = text.rfind('#');
    std::error_code none;
    if (sign == std::string::npos || sign == 0 || std::filesystem::exists(path, none)) return {path, {}};
    return {text.substr(0, sign), text.substr(sign + 1)};
}

/// Where a name was given for a graph of a file that holds one.
[[nodiscard]] inline Error onlyOneGraph(const GraphPlace& place)
{
    return badInput(say("file.one-graph", word::Name {place.graph}), {}, place.file.string());
}

} // namespace plimsoll
