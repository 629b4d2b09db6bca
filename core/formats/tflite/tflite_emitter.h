#pragma once

#include "core/formats/bad_input.h"
#include "core/formats/named_builder.h"
#include "core/formats/tflite/tflite_types.h"

#include <filesystem>

namespace plimsoll::tflite {

/// A value of the graph that may have a place in a plan: one for a tensor of the entry, and its bytes.
struct PlacedName
{
    std::size_t tensor = 0;  ///< NoTensor: of a nested graph.
    std::string value;       ///< Or "scratch:NODE".
    TensorType type;         ///< With the sizes of the file where the graph leaves them open.
    bool needsPlace = false; ///< Not one of the caller's, as constants are.
};
inline constexpr std::size_t NoTensor = static_cast<std::size_t>(-1);

/// Puts the operators of a model into graphs by names.
class Emitter
{
public:
    /// \p file: where the model is, for bytes that stay there; empty for a model in memory. \p placed: by tensor of the
    /// entry, whether the plan in the file has an offset for it; may be empty. \p room: of the file.
    Emitter(const Model& model, std::filesystem::path file, const Context& context, std::vector<bool> placed,
            ReadingRoom room);

    [[nodiscard]] Result<Graph> run(std::size_t entry, std::string name);

    /// After run(): where the tensors of the entry went.
    [[nodiscard]] const std::vector<PlacedName>& placed() const { return m_placed; }

private:
    /// A subgraph that is being put somewhere.
    struct Scope
    {
        std::size_t number = 0;
        const Subgraph& subgraph;
        NamedGraph& graph;                 ///< Into which.
        std::size_t depth = 0;             ///< Of nested graphs.
        std::vector<std::string> names {}; ///< By tensor: the value that it is now; empty: none yet.
        std::vector<bool> made {};         ///< By tensor: an operator makes it.
    };
    struct Site
    {
        Scope& scope;
        const Operator& op;
        std::size_t index;
        std::string place;
        [[nodiscard]] Error error(Message message) const { return badInput(std::move(message), place); }
    };
    [[nodiscard]] Scope scopeOf(std::size_t number, NamedGraph& graph, std::size_t depth) const;
    Status addOperators(Scope& scope);
    Status addOperator(Site& site);
    /// The names of outputs, which are new values from here on.
    std::vector<std::string> defineOutputs(const Site& site);
    std::string define(Scope& scope, std::size_t tensor);
    [[nodiscard]] bool isUnmade(const Scope& scope, int tensor) const;
    [[nodiscard]] bool isWorkspace(const Site& site, int tensor) const;
    void addScratch(const Scope& scope, std::size_t tensor, const std::string& node);
    void mayPlace(const Scope& scope, std::size_t tensor, const NamedValue& value, bool needsPlace);
    /// What the scope calls a tensor: a value so far, a constant, state, or nothing for an absent one.
    Result<std::string> read(Scope& scope, int tensor, const std::string& place);
    Result<std::vector<std::string>> readAll(Scope& scope, const std::vector<int>& tensors, const std::string& place);
    Result<std::string> addSource(const Scope& scope, std::size_t tensor, const std::string& place);
    Result<NamedValue> sourceValue(const Tensor& tensor, const std::string& name, const std::string& place);

    /// Control flow (tflite_control.cpp): \p node has its inputs, and stands for itself where no other form fits.
    Status addFlow(Site& site, NamedNode node);
    Status addIf(Site& site, NamedNode node);
    Status addWhile(Site& site, NamedNode node);
    Status addNested(Site& site, NamedNode node, const char* bodyName);
    /// Adds a subgraph whose inputs are called like that. Returns the names of its outputs.
    Result<std::vector<std::string>> addSubgraph(const Site& site, std::size_t number,
                                                 const std::vector<std::string>& inputs, NamedGraph& graph);
    Result<std::string> addPredicate(const Site& site, const std::vector<std::string>& inputs, NamedGraph& graph);
    /// Names for the inputs of a body that has its own.
    std::vector<std::string> addBodyInputs(std::size_t number, NamedGraph& graph);

    const Model& m_model;
    std::filesystem::path m_file;
    NamedBuilder m_build;
    bool m_batch = false;                                                 ///< It is open: see hasOpenBatch().
    std::map<std::pair<std::size_t, std::size_t>, std::string> m_sources; ///< By subgraph and tensor.
    std::vector<PlacedName> m_placed;
    std::vector<bool> m_hasOffset;      ///< By tensor of the entry, as the next.
    std::vector<std::size_t> m_readers; ///< How often operators and the list of outputs name it.
    std::int64_t m_scratchBytes = 0;
};

} // namespace plimsoll::tflite
