#pragma once

#include "core/formats/mxnet/mxnet_symbol.h"
#include "core/formats/named_graph.h"
#include "core/formats/reading_room.h"

namespace plimsoll::mxnet {

/// What the node takes until it stands in a graph.
void takeRoom(const SymbolNode& node, ReadingRoom& room);

/// Brings a symbol of an older MXNet up to date, as MXNet does when it loads one: inputs that files of 0.8 leave out
/// (auxiliary states above all) become variables "<node>_<input>", and the axis -1 of argmax and argmin that meant
/// "all" before 0.9.5 is taken away.
void upgrade(Symbol& symbol, ReadingRoom& room);

/// The node's attributes with numbers and lists made of texts; hidden ones ("__shape__") stay texts.
[[nodiscard]] Attributes typedAttributes(const SymbolNode& node);

/// The node without names of inputs and outputs. Of a layer that a backend has fused (_sg_mkldnn_conv) it has the
/// attributes of the convolution or matrix inside, too, and the in-place option of the sum that was fused in.
[[nodiscard]] NamedNode namedNode(const SymbolNode& node);

/// How many outputs the operator gives, hidden ones among them; none of an operator that is not known here.
[[nodiscard]] std::optional<std::size_t> knownOutputCount(const SymbolNode& node);

/// By node: how many outputs it has, hidden ones among them: what node_row_ptr says, or the operator's table and what
/// is read.
[[nodiscard]] std::vector<std::size_t> outputCounts(const Symbol& symbol);

/// "conv1_output"; of several outputs "bn1_output", "bn1_mean", "bn1_var". \p names are those of the operator's table;
/// outputs beyond them are numbered.
[[nodiscard]] std::string outputName(const SymbolNode& node, const std::vector<std::string>& names, std::size_t output);

/// The variables of a symbol as a caller of it counts them: in order of the file, which is the order of first use.
[[nodiscard]] std::vector<std::size_t> variablesOf(const Symbol& symbol);

/// Inputs and parameters of the whole graph, by node; empty names for what is no variable.
struct Variable
{
    NamedValue value;
    bool parameter = false;
};
[[nodiscard]] Result<std::vector<Variable>> classifyVariables(const Symbol& symbol);

} // namespace plimsoll::mxnet
