#pragma once

#include <string>

namespace plimsoll {

/// What a file is as one of two plans.
enum class ComparedKind {
    Graph,  ///< Planned on the spot.
    Packed, ///< A table of buffers or a memory snapshot: the places that it has.
    Plan,   ///< plimsoll.plan/1, of a graph that stands elsewhere.
    Report, ///< plimsoll.report/1, read as it was saved.
};

/// By its content. Standard input is a graph; and so is what cannot be read, whose reader says why.
[[nodiscard]] ComparedKind comparedKind(const std::string& file);

} // namespace plimsoll
