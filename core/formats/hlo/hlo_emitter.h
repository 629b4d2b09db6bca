#pragma once

#include "core/formats/bad_input.h"
#include "core/formats/hlo/hlo_module.h"
#include "core/formats/named_builder.h"

namespace plimsoll::hlo {

/// Where a tensor of the program went: which value holds leaf \c leaf of that instruction. A computation that is run
/// from several places has several values for one.
struct PlacedName
{
    std::int64_t instruction = 0; ///< Instruction::id
    std::size_t leaf = 0;
    std::string value;
};

/// A program as a graph by names, and where its tensors went. finish() puts the graph together; the module, which is as
/// large, may be gone by then.
struct Emitted
{
    NamedBuilder build;
    std::vector<PlacedName> placed;
    [[nodiscard]] Result<Graph> finish(const std::string& name) &&;
};

/// Puts the instructions of a program into graphs by names. Tuples are taken apart: every tensor is a value of its own.
/// Calls are inlined.
class Emitter
{
public:
    /// \p keepsPlaces: Emitted::placed is wanted.
    Emitter(const Module& module, const Context& context, ReadingRoom room, bool keepsPlaces);

    [[nodiscard]] Result<Emitted> run();

private:
    using Names = std::vector<std::string>;
    using Leaves = absl::InlinedVector<std::string, 1>; ///< Most instructions make one tensor.

    /// A computation that is being put somewhere.
    struct Scope
    {
        const Computation& computation;
        NamedGraph& graph;             ///< Into which.
        std::vector<Names> parameters; ///< By number: what they are called here.
        std::size_t depth = 0;         ///< So many computations run this one.
        std::vector<Leaves> leaves {}; ///< By instruction: the values that hold its tensors.
    };
    struct Site
    {
        Scope& scope;
        const Instruction& one;
        [[nodiscard]] Error error(Message message) const { return badInput(std::move(message), placeOf(one)); }
    };
    using Add = Result<Names> (Emitter::*)(Site&);
    struct Handler;

    void noteEntryLayout(const Computation& entry);
    Result<std::vector<Names>> addEntryInputs();
    /// What is put into \p scope. Returns the names of its results.
    Result<Names> addComputation(Scope scope, const std::string& place);
    /// Adds a computation that the instruction runs, with parameters of these names.
    Result<Names> addCalled(const Site& site, std::size_t called, std::vector<Names> parameters, NamedGraph& graph);
    Result<Names> addInstruction(Site& site);

    /// What needs no node: the names of the tensors are known.
    Result<Names> takeParameter(Site& site);
    Result<Names> takeConstant(Site& site);
    Result<Names> takeOperands(Site& site);
    Result<Names> takeFirst(Site& site);
    Result<Names> takePart(Site& site);
    /// What begins and ends elsewhere.
    Result<Names> addStart(Site& site);
    Result<Names> addDone(Site& site);
    Result<Names> addNode(Site& site);
    /// Control flow (hlo_control.cpp).
    Result<Names> addCall(Site& site);
    Result<Names> addWhile(Site& site);
    Result<Names> addConditional(Site& site);

    [[nodiscard]] NamedNode nodeOf(const Site& site);
    [[nodiscard]] Declaration declarationOf(const Site& site);
    [[nodiscard]] Names operandNames(const Site& site) const;
    [[nodiscard]] const Leaves& operand(const Site& site, std::size_t index) const;
    /// New values for all tensors of an instruction, or for all of which \p known has no name yet.
    Names define(const Site& site, NamedGraph& graph, Names known = {});
    void keepPlace(const Instruction& one, std::size_t leaf, const std::string& value);
    Names defineBodyInputs(const Instruction& like, NamedGraph& graph, const std::string& name);
    NamedValue valueOf(const Shape& leaf, const std::string& name);
    Result<std::string> bodyCondition(const Site& site, std::vector<Names> parameters, NamedGraph& graph);

    const Module& m_module;
    NamedBuilder m_build;
    std::map<const Instruction*, Names> m_sources; ///< Of constants.
    std::map<const Instruction*, Declaration> m_fusions;
    bool m_keepsPlaces = false;
    std::vector<PlacedName> m_placed;
};

/// What a memory of XLA's is called: "host", "S(1)"; empty for that of the device.
[[nodiscard]] std::string spaceName(std::int64_t space);

} // namespace plimsoll::hlo
