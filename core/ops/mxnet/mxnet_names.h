#pragma once

#include "core/graph/graph.h"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::mxnet {

inline constexpr std::string_view Dialect = "mxnet"; ///< Also the domain of nodes.

/// The name that an operator is registered under: "Concat" for "concat", "_plus_scalar" for "_PlusScalar".
[[nodiscard]] std::string_view canonicalOp(std::string_view op);

/// What an input is there for. Symbol files do not tell; MXNet's operator table does.
enum class Slot : std::uint8_t {
    Data,
    Parameter, ///< Learnt: weight, bias, gamma, beta.
    Auxiliary, ///< State that training writes: moving means and variances.
};

struct Input
{
    std::string name; ///< "weight"; a variable that MXNet makes up is called "<node>_weight".
    Slot slot = Slot::Data;
};

/// The inputs of a node with the given (typed) attributes, auxiliary states last. Empty for operators that are not
/// known here and for those that take any number of inputs.
[[nodiscard]] std::vector<Input> inputsOf(std::string_view op, const Attributes& attributes);

/// The names of all outputs, hidden ones (BatchNorm's mean and var, Dropout's mask) among them: "output", "mean".
[[nodiscard]] std::vector<std::string> outputsOf(std::string_view op, const Attributes& attributes);

} // namespace plimsoll::mxnet
