#pragma once

#include "core/graph/graph.h"
#include "core/ops/dims.h"

#include <optional>
#include <string_view>
#include <vector>

namespace plimsoll {

class NodeFacts;

/// One input of a counterpart: an input of the node, a list of integers, or a number of the type of input 0.
struct CounterpartInput
{
    std::size_t input = 0;
    std::optional<std::vector<std::int64_t>> integers {};
    std::optional<double> number {};
    std::optional<Dims> dims {}; ///< The shape the counterpart sees: another one, or one that the file may leave open.
};

/// A node of another dialect in terms of the standard's operators: one rule of types and one kernel serve both.
struct Counterpart
{
    std::string_view domain {};
    std::string_view op {};
    Attributes attributes {};
    std::vector<CounterpartInput> inputs {};
    std::string_view typesOnly {}; ///< Why its elements are others; empty where they are the same.
};

/// How an operator of another dialect differs from its counterpart: a part of its row.
struct CounterpartRule
{
    /// Changes the counterpart of a node. \p data: the dimensions of its input 0. What is wrong, if anything is.
    using Adapt = Message (*)(const Node& node, const std::optional<Dims>& data, Counterpart& counterpart);

    std::string_view op {}; ///< Empty: none. "com.microsoft::FusedMatMul" is of another domain.
    /// The attributes that it takes: "perm=axes keepdims=keepdims|0" takes axes as perm, and keepdims, or 0 instead.
    /// "strides=stride[] pads=pad[2]": as a list, where it holds any numbers; as a list, twice. "*": all of the node.
    std::string_view attributes {};
    Adapt adapt = nullptr;
    bool typesOnly = false; ///< The outputs have its types; it computes something else.
    bool reshapes = false;  ///< The same elements in the same order: to kernels it is an Identity.
};

/// The counterpart of a node; of no name where it has none. Errors have no place.
[[nodiscard]] Result<Counterpart> counterpartOf(const Node& node, const std::optional<Dims>& data);

/// The operator of the standard that makes of the same inputs, without any attribute, what a node makes of them; empty
/// where there is none. What only keeps its elements and takes the shape of its output is Identity.
[[nodiscard]] std::string_view plainCounterpart(const Node& node);

/// The types that the outputs of the counterpart have.
[[nodiscard]] Status inferAs(NodeFacts& facts, const Counterpart& counterpart);
[[nodiscard]] Status inferAsCounterpart(NodeFacts& facts);

} // namespace plimsoll
