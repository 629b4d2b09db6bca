#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace plimsoll {

/// Which graphs a file holds.
struct GraphsOfFile
{
    std::vector<std::string> names {}; ///< Each is opened as "FILE#NAME"; none where there is one graph.
    std::size_t chosen = 0;            ///< The one that was read.
};

} // namespace plimsoll
