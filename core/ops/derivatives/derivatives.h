#pragma once

#include "core/graph/graph.h"
#include "core/ops/derivatives/formula.h"

#include <memory>
#include <optional>

namespace plimsoll {

/// One argument of an operator, by position.
struct DerivativeArgument
{
    std::string name;
    bool list = false;     ///< "inputs...": all further inputs.
    bool optional = false; ///< "bias?"
    bool number = false;   ///< "axes#": a setting; never kept where it is a constant.
    friend bool operator==(const DerivativeArgument&, const DerivativeArgument&) = default;
};

/// The gradient of one argument.
struct GradientEntry
{
    std::size_t variable = 0; ///< Position among the arguments.
    Formula formula;
};

/// What holds for a node beside its operator.
struct DerivativeCondition
{
    enum class Kind {
        Ranks,  ///< The first inputs have these ranks.
        Number, ///< The argument is a constant without axes; [1] is a tensor.
        Absent, ///< The argument is not there.
        Given,  ///< The attribute has that value; a number or a text.
        Random, ///< The node is not pure: Dropout in training.
    };
    Kind kind = Kind::Random;
    std::string name;
    std::string value;
    std::vector<std::size_t> ranks;
    friend bool operator==(const DerivativeCondition&, const DerivativeCondition&) = default;
};

/// The derivative of one operator.
struct Derivative
{
    std::string domain;
    std::string op;
    std::vector<std::string> names; ///< In other dialects: "aten::mm".
    std::vector<DerivativeCondition> conditions;
    std::vector<DerivativeArgument> arguments;
    std::vector<std::string> outputs; ///< The first is "result" where nothing is said.
    std::vector<GradientEntry> entries;
    bool joint = false; ///< All gradients come from one formula, as far as saving is concerned.
    struct Hint
    {
        std::size_t argument = 0;
        std::vector<std::size_t> neededFor; ///< Kept where one of these needs a gradient.
    };
    std::vector<Hint> hints; ///< Of a joint formula.

    [[nodiscard]] const GradientEntry* entryOf(std::size_t argument) const;
    [[nodiscard]] std::optional<std::size_t> argumentNamed(std::string_view name) const;
    [[nodiscard]] std::optional<std::size_t> outputNamed(std::string_view name) const;
    /// The argument that an input is; a list takes all that follow. Empty beyond the last one.
    [[nodiscard]] std::optional<std::size_t> argumentAt(std::size_t input) const;
};

/// The derivatives of all operators that have one, as text:
///
///     # a comment
///     op aten::addcdiv(self, tensor1, tensor2) -> result
///       self: g
///       tensor1: g * attr(value, 1) / tensor2
///       tensor2: -g * attr(value, 1) * tensor1 / (tensor2 * tensor2)
///
/// g is the gradient of the first output, g1 of the second, … An operator without gradients (op Floor(self)) passes
/// none on. "when ranks 2 2", "when number other", "when absent bias", "when attribute fmod 1" and "when random" choose
/// among several of one operator: the first that fits. "joint" in a line of its own says that one formula makes all
/// gradients, "hint i1: i2 i3" when it keeps i1 all the same. Names after "=" are those of other dialects.
class DerivativeSet
{
public:
    /// This set with the operators of \p text added; one with the same name and conditions takes the place of the old
    /// one. Errors name the line.
    [[nodiscard]] Result<DerivativeSet> with(std::string_view text) const;
    [[nodiscard]] DerivativeSet with(const std::vector<Derivative>& derivatives) const;

    /// The derivative of a node; nullptr where nothing is known.
    [[nodiscard]] const Derivative* find(const Graph& graph, NodeId node) const;
    /// By name, conditions aside: "Mul", "aten::mm".
    [[nodiscard]] const Derivative* find(std::string_view name) const;
    [[nodiscard]] const std::vector<Derivative>& all() const { return m_derivatives; }

private:
    void add(Derivative derivative);

    std::vector<Derivative> m_derivatives;
    std::multimap<std::string, std::size_t, std::less<>> m_byOperator; ///< "domain::op"
};

/// What is shipped: PyTorch 2.6, and as it was in 2019.
[[nodiscard]] const DerivativeSet& derivatives26();
[[nodiscard]] const DerivativeSet& derivatives2019();

} // namespace plimsoll
