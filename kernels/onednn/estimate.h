#pragma once

#include "kernels/onednn/recipe.h"

namespace plimsoll::kernels::onednn {

/// Milliseconds that an implementation will take, by what it computes and moves and by what kind of code it is. Good
/// enough to choose by, never shown without the word "estimated".
[[nodiscard]] double estimateMs(const NodeView& node, const std::string& implementation);
[[nodiscard]] double estimateReferenceMs(const NodeView& node);

} // namespace plimsoll::kernels::onednn
