#pragma once

#include "core/formats/named_graph.h"
#include "core/formats/torch/fx_graph.h"

namespace plimsoll::fx {

/// A graph and the lines of the text that its nodes come from.
struct Translated
{
    NamedGraph graph;
    std::vector<std::string> saved; ///< Values that are kept for the backward graph, in its order.
    std::vector<std::string> tangents;
    std::vector<std::string> primals;   ///< Whose gradients are listed.
    std::string firstBackward;          ///< Node of joined halves; empty for others.
    std::vector<std::string> gradients; ///< By primal; empty where it has none.
    std::vector<Message> notes;
};

/// Says what PyTorch's operators do in the common vocabulary, as far as it can; others stay under their own name, with
/// what they do to their arguments. Errors: a name that is read before it is computed or after it was given up, a type
/// that is none; each with its line.
[[nodiscard]] Result<Translated> translate(const FxGraph& graph);

/// The same, assembled and its types compared with what follows from the operators.
[[nodiscard]] Result<Graph> makeGraph(const FxGraph& graph, const std::string& name);

} // namespace plimsoll::fx
