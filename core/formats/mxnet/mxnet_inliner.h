#pragma once

#include "core/formats/bad_input.h"
#include "core/formats/mxnet/mxnet_symbol.h"
#include "core/formats/named_builder.h"

namespace plimsoll::mxnet {

/// Puts the nodes of symbols into graphs by names. Nodes and values have names of one space.
class Inliner
{
public:
    /// \p top says what nested graphs do not: the version.
    Inliner(const Symbol& top, NamedBuilder& build)
        : m_build(build), m_version(top.version), m_numpyShapes(top.numpyShapes)
    {
    }

    /// Adds the operators of \p symbol to \p graph, their names behind \p prefix. \p names says by node what its
    /// variables are called there. Returns the names of its heads.
    [[nodiscard]] Result<std::vector<std::string>> add(const Symbol& symbol, std::vector<std::string> names,
                                                       const std::string& prefix, NamedGraph& graph);

private:
    [[nodiscard]] std::string unique(const std::string& name) { return m_build.values.unique(name); }

    struct Site
    {
        const SymbolNode& node;
        std::vector<std::string> inputs;
        std::vector<std::string> outputs;
        std::string name;
        NamedGraph& graph; ///< That it is put into.
        [[nodiscard]] Error error(Message message) const { return badInput(std::move(message), node.place); }
    };
    /// Inputs of the node by the positions that one of its attributes lists: all of [0, inputs) in range.
    [[nodiscard]] static Result<std::vector<std::size_t>> positions(const Site& site, const char* attribute,
                                                                    std::size_t limit);
    [[nodiscard]] static Result<std::vector<std::string>> inputsAt(const Site& site, const char* attribute);
    [[nodiscard]] static NamedNode ownerNode(const Site& site, const char* op);
    /// Each may change the names of the node's outputs.
    Status addNode(Site& site);
    Status addPartition(Site& site);
    Status addForeach(Site& site);
    Status addCondition(Site& site);
    Status addWhile(Site& site);
    [[nodiscard]] NamedNode fillRows(const Site& site, std::size_t result, std::int64_t rows);
    /// Adds a subgraph whose i-th variable is called inputs[i].
    [[nodiscard]] Result<std::vector<std::string>> addSubgraph(const Site& site, std::size_t number,
                                                               const std::vector<std::string>& inputs,
                                                               NamedGraph& graph);
    /// The head of a subgraph as a truth value.
    [[nodiscard]] Result<std::string> addPredicate(const Site& site, const std::vector<std::string>& inputs,
                                                   NamedGraph& graph);

    NamedBuilder& m_build;
    std::int64_t m_version = 0;
    bool m_numpyShapes = false;
};

} // namespace plimsoll::mxnet
