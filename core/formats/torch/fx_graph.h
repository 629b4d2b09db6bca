#pragma once

#include "core/formats/reading_room.h"
#include "core/formats/torch/fx_expression.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::fx {

/// One line of a log without what the logger put in front of it.
struct Line
{
    std::string_view text;
    std::size_t number = 0; ///< In the file, from 1.
};

/// The text of one graph in a log.
struct Listing
{
    std::string name;               ///< "aot_forward_graph", made unique: "aot_forward_graph-2"
    std::string frame;              ///< What was compiled: "0/0". Empty where the log does not say.
    std::vector<Line> lines;        ///< From "def forward" on.
    std::vector<std::string> parts; ///< Names of the graphs inside its class, which higher-order operators call.
};

/// What a name of the text means and what was printed about it.
struct Declared
{
    std::string name;
    std::string annotation; ///< "f32[8, 10][10, 1]cuda:0"; empty where the text has none.
    std::string comment;    ///< "TangentAOTInput(output=PlainAOTOutput(idx=0))"
    std::size_t line = 0;
};

struct Statement
{
    std::vector<Declared> targets; ///< None where only the effect counts; several where a tuple is taken apart.
    Expression value;
    std::string source; ///< "model.py:12 in Block.forward"
    std::size_t line = 0;
    std::string place;             ///< For errors, where the text has no lines: "graph_module.graph.nodes[3]".
    std::vector<std::string> last; ///< Names that are given up behind it.
    std::string module {};         ///< "blocks.0"; empty where it is not told.
};

/// A graph as PyTorch prints it: a function in Python.
struct FxGraph
{
    std::string name;
    std::vector<Declared> inputs;
    std::vector<Statement> statements;
    std::vector<Expression> results; ///< Flat; None where an input has no gradient.
    std::size_t resultLine = 0;
    std::vector<std::string> parts;

    /// Of a forward and a backward graph that were joined: what is kept for the backward graph, in its order…
    std::vector<std::string> saved;
    std::size_t forwardStatements = 0; ///< So many come first; 0: it was not joined.
    std::size_t gradients = 0; ///< …and so many of the last results are gradients of its inputs, in their order.
};

/// What a statement takes until its nodes stand in a graph.
[[nodiscard]] std::size_t roomOf(const Statement& statement);

/// "line 12", or the place that the statement has instead.
[[nodiscard]] std::string placeOf(const Statement& statement);

/// Every graph of a text, in its order. Graphs inside of classes of other graphs are not listed.
[[nodiscard]] std::vector<Listing> findListings(std::string_view text);

/// Errors say the line.
[[nodiscard]] Result<FxGraph> parseListing(const Listing& listing, ReadingRoom& room);

/// Whether \p backward reads what \p forward hands out, and tangents.
[[nodiscard]] bool belongTogether(const FxGraph& forward, const FxGraph& backward);

/// Both as one graph: what is saved stays inside. Names that both use get ".backward" in the second.
[[nodiscard]] Result<FxGraph> join(FxGraph forward, FxGraph backward);

/// Whether the name is one that AOTAutograd gives the gradient of an output.
[[nodiscard]] bool isTangent(std::string_view name);

} // namespace plimsoll::fx
