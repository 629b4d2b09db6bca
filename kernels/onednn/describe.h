#pragma once

#include "core/base/progress.h"
#include "kernels/kernel.h"
#include "kernels/onednn/recipe.h"

namespace plimsoll::kernels::onednn {

/// What oneDNN offers for every node of a graph, each node in the layouts that can meet it: plain ones, those that it
/// likes best, and those in which a producer's offer leaves the inputs. With \p measure every offer is executed, too.
[[nodiscard]] Catalogue describeNodes(const Graph& graph, const dnnl::engine& engine, bool measure,
                                      const Context& context);

/// The layouts of an implementation, as a recipe is asked for them.
[[nodiscard]] Wish wishOf(const Node& node, std::size_t ownInputs, const Implementation& implementation);

/// Milliseconds that an implementation will take, by what it computes and moves and by what kind of code it is. Good
/// enough to choose by, never shown without the word "estimated".
[[nodiscard]] double estimateMs(const NodeView& node, const std::string& implementation);
[[nodiscard]] double estimateReferenceMs(const NodeView& node);
/// The operations of products, windows and recurrent cells, and more than one core makes of them in a second; of what
/// passes over its tensors there are none.
[[nodiscard]] Effort effortOf(const NodeView& node, const std::string& implementation);

} // namespace plimsoll::kernels::onednn
