#pragma once

#include "core/formats/named_graph.h"
#include "core/formats/torch/fx_expression.h"
#include "core/formats/torch/fx_type.h"
#include "core/ops/partial_tensor.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll::fx {

/// What a name of the text stands for: a tensor, and how it lies in the bytes of another one.
struct Operand
{
    std::string value;       ///< Its newest version in the graph.
    PrintedType type;        ///< As the graph has it.
    std::string root;        ///< The name whose bytes it is a part of; its own where it has bytes of its own.
    std::int64_t offset = 0; ///< Bytes from the beginning of the root.
    bool strided = false;    ///< Its elements do not lie one behind the other in the order of its shape…
    bool expanded = false;   ///< …as some of them are one element: the graph has size 1 where it is repeated.
    std::string base;        ///< Of what is strided by a permutation alone: what it permutes…
    std::vector<std::int64_t> permutation; ///< …and how.
    std::size_t writes = 0;                ///< To its root, that it has seen.
};

/// A tensor of that type, in the memory of its device.
[[nodiscard]] NamedValue valueOf(const std::string& name, const PrintedType& type);

/// How a permutation of \p operand permutes what \p operand permutes itself.
[[nodiscard]] std::vector<std::int64_t> afterwards(const Operand& operand, std::vector<std::int64_t> permutation);

/// A view in the terms of the graph.
struct ViewOf
{
    std::string of;          ///< Name of the text.
    std::int64_t offset = 0; ///< Bytes from its beginning.
    bool strided = false;
    bool expanded = false;
    std::vector<std::int64_t> permutation;
};

/// The graph that a text becomes, statement by statement. Views and writes are kept apart from what is computed: a
/// read after a part of a tensor was written is one of its new version.
class GraphWriter
{
public:
    void addInput(NamedValue value, const PrintedType& type);
    void addParameter(NamedValue value, const PrintedType& type);

    [[nodiscard]] bool knows(const std::string& name) const { return m_operands.contains(name); }
    [[nodiscard]] const Operand& operand(const std::string& name) const { return m_operands.at(name); }
    /// The value to read for \p name; may add a node that makes its new version.
    [[nodiscard]] std::string read(const std::string& name);

    /// The name of a new constant, "<owner>.<what>".
    std::string addConstant(const std::string& owner, const std::string& what, const PartialTensor& tensor);

    /// Adds \p node, whose outputs are new values: \p types, by output.
    void addNode(NamedNode node, const std::vector<PrintedType>& types);
    /// Says that the output \p name of the last node is a view, and of what. Its trait is declared.
    void makeView(const std::string& name, const ViewOf& view);
    /// Says that the output \p name of the last node is \p written after a write to it.
    void makeWrite(const std::string& name, const std::string& written);
    /// A second name of the same.
    void rename(const std::string& name, const std::string& same);
    /// A name that the text does not have: "x.v1".
    [[nodiscard]] std::string freshName(const std::string& name);

    [[nodiscard]] NamedGraph& graph() { return m_graph; }

private:
    void addValue(const std::string& name, const PrintedType& type);
    void sayStrides(const Operand& part);
    [[nodiscard]] bool covers(const Operand& whole) const;
    /// Adds a node of ours, \p op, whose output is the new value of \p name: what \p kind makes of the first input.
    std::string addVersion(const std::string& name, std::string op, std::vector<std::string> inputs, AliasKind kind,
                           std::int64_t offset);

    struct Writes
    {
        std::size_t count = 0;
        std::string last; ///< The name that was written through.
    };
    NamedGraph m_graph;
    std::map<std::string, Operand> m_operands;
    std::map<std::string, Writes> m_writes; ///< By root.
    std::map<std::string, int> m_versions;
};

} // namespace plimsoll::fx
