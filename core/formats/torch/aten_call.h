#pragma once

#include "core/formats/torch/fx_graph.h"
#include "core/formats/torch/fx_writer.h"

#include <span>

namespace plimsoll::fx {

/// Which function a statement calls: torch.ops.aten.add.Tensor is add of the dialect aten, overload Tensor.
struct Callee
{
    std::string dialect; ///< "aten", "prims", "test" (torch.ops), "torch" (other functions and methods), "python".
    std::string op;      ///< "add"
    std::string overload;
    std::string path; ///< "nn.functional.relu" of the dialect torch; else the operator.
};
[[nodiscard]] Callee calleeOf(const Expression& value, bool isMethod);

class Call;

/// What is known of an operator: how its arguments are called, and how the common vocabulary says it.
struct AtenRule
{
    std::string_view op;
    std::string_view parameters; ///< "self other alpha"; empty: any.
    std::string_view common;     ///< Operator of ONNX or of plimsoll.
    bool (*translate)(Call&);    ///< False: it cannot say it. Nothing was added then.
};

/// One call with its arguments by name, and where to put what it becomes.
class Call
{
public:
    Call(GraphWriter& writer, const AtenRule& rule, const Statement& statement, std::vector<Declared> outputs,
         std::vector<PrintedType> types);

    /// Puts the arguments to their names; false for one that the rule does not know.
    [[nodiscard]] bool bind(const Expression& value);

    [[nodiscard]] const AtenRule& rule() const { return m_rule; }
    [[nodiscard]] std::vector<std::string> parameters() const; ///< Of the rule.
    [[nodiscard]] const PrintedType& type(std::size_t output) const { return m_types[output]; }
    [[nodiscard]] std::size_t outputCount() const { return m_outputs.size(); }
    [[nodiscard]] bool wants(std::size_t output) const
    {
        return output < m_outputs.size() && !m_outputs[output].name.empty();
    }

    /// Null where the argument is absent or None.
    [[nodiscard]] const Expression* argument(std::string_view parameter) const;
    /// The operand that stands there, or null.
    [[nodiscard]] const Operand* operand(std::string_view parameter) const;
    /// The same if its elements lie one behind the other.
    [[nodiscard]] const Operand* dense(std::string_view parameter) const;
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view parameter) const;
    [[nodiscard]] std::optional<double> real(std::string_view parameter) const;
    [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(std::string_view parameter) const;
    [[nodiscard]] std::int64_t integerOr(std::string_view parameter, std::int64_t fallback) const;
    /// Absent, or a number that equals \p number.
    [[nodiscard]] bool isDefault(std::string_view parameter, double number) const;
    [[nodiscard]] bool given(std::string_view parameter) const { return argument(parameter) != nullptr; }
    /// The name of the operand in the text.
    [[nodiscard]] std::string name(std::string_view parameter) const;

    /// The value to read for the operand of that parameter; empty where it is absent.
    [[nodiscard]] std::string read(std::string_view parameter);
    [[nodiscard]] std::string readName(const std::string& name) { return m_writer.read(name); }
    [[nodiscard]] std::string constant(const std::string& what, const std::vector<std::int64_t>& numbers);
    /// A scalar of that type; empty if the type does not hold the number.
    [[nodiscard]] std::optional<std::string> scalar(const std::string& what, DType dtype, const Expression& number);

    /// A node of the rule's operator, or of \p op, that gives all outputs of the call.
    [[nodiscard]] NamedNode node(std::vector<std::string> inputs, Attributes attributes = {}) const;
    [[nodiscard]] NamedNode nodeOf(std::string_view op, std::vector<std::string> inputs,
                                   Attributes attributes = {}) const;
    /// The elements of \p input, row-major under the shape \p sizes; \p what names that constant.
    [[nodiscard]] NamedNode reshape(std::string input, const std::vector<std::int64_t>& sizes,
                                    const std::string& what = "shape");
    /// Adds what the call becomes. True, as what a rule's function returns.
    bool add(NamedNode node);
    bool addView(NamedNode node, const ViewOf& view);
    /// Adds a node on the way there; its one output is a new value, whose name comes back.
    std::string addStep(NamedNode node, const std::string& what, TensorType type);

    [[nodiscard]] GraphWriter& writer() { return m_writer; }
    [[nodiscard]] const std::string& output(std::size_t index) const { return m_outputs[index].name; }
    void setType(std::size_t output, TensorType type) { m_types[output].type = std::move(type); }
    /// By dimension, elements from one index to the next, for a text that does not print them.
    void setStrides(std::size_t output, const DimList& strides)
    {
        if (!m_types[output].strides) m_types[output].strides = strides;
    }

private:
    GraphWriter& m_writer;
    const AtenRule& m_rule;
    const Statement& m_statement;
    std::vector<Declared> m_outputs;
    std::vector<PrintedType> m_types;
    std::map<std::string, const Expression*, std::less<>> m_arguments;
};

/// The sizes for a Reshape: one that is not known is what is left, -1. Empty where that cannot say it.
[[nodiscard]] std::optional<std::vector<std::int64_t>> reshapeSizes(const TensorType& type);
/// The value of a literal number.
[[nodiscard]] std::optional<double> numberIn(const Expression& expression);

[[nodiscard]] const AtenRule* findAtenRule(const Callee& callee);
/// Whether an operator works element by element, so that its result may be written over an argument.
[[nodiscard]] bool isPointwise(std::string_view op);
/// Whether the result of an operator is a part of its argument.
[[nodiscard]] bool isView(std::string_view op);

/// The rules of each family.
extern const std::span<const AtenRule> AtenElementwiseRules;
extern const std::span<const AtenRule> AtenLayerRules;
extern const std::span<const AtenRule> AtenCreationRules;
extern const std::span<const AtenRule> AtenViewRules;
extern const std::span<const AtenRule> AtenWriteRules;

} // namespace plimsoll::fx
