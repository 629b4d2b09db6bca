#pragma once

#include "core/picture/layout/layered_layout.h"

#include <string>
#include <string_view>

namespace plimsoll {

/// What Graphviz is asked to lay out: boxes of fixed size named by number, edges that span more than 16 ranks left out,
/// since those make `dot` take minutes where it takes milliseconds without them.
[[nodiscard]] std::string writeDot(const LayoutProblem& problem);

/// The answer of `dot -Tplain`. Edges that were left out pass beside the boxes. An Error, with the line, when the text
/// is cut off or does not name every box.
[[nodiscard]] Result<GraphLayout> readDotPlain(std::string_view text, const LayoutProblem& problem);

} // namespace plimsoll
