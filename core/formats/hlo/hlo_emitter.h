#pragma once

#include "core/base/progress.h"
#include "core/formats/hlo/hlo_module.h"
#include "core/formats/named_graph.h"
#include "core/formats/unique_names.h"

#include <map>

namespace plimsoll::hlo {

/// Where a tensor of the program went: which value holds leaf \c leaf of that instruction. A computation that is run
/// from several places has several values for one.
struct PlacedName
{
    std::int64_t instruction = 0; ///< Instruction::id
    std::size_t leaf = 0;
    std::string value;
};

/// Puts the instructions of a program into graphs by names. Tuples are taken apart: every tensor is a value of its own.
/// Calls are inlined. All names are made unique in the whole file, so that nested graphs may read values of those
/// around them; constants stand in the outermost one.
class Emitter
{
public:
    Emitter(const Module& module, const Context& context) : m_module(module), m_context(context) {}

    [[nodiscard]] Result<NamedGraph> run();

    /// After run(): what had to be assumed, and where tensors went.
    [[nodiscard]] std::vector<Message> notes() const;
    [[nodiscard]] const std::vector<PlacedName>& placed() const { return m_placed; }

private:
    using Names = std::vector<std::string>;

    /// A computation that is being put somewhere.
    struct Scope
    {
        const Computation& computation;
        NamedGraph& graph;             ///< Into which.
        std::vector<Names> parameters; ///< By number: what they are called here.
        std::vector<Names> leaves {};  ///< By instruction: the values that hold its tensors.
    };
    struct Site
    {
        Scope& scope;
        const Instruction& one;
        [[nodiscard]] Error error(std::string message) const
        {
            return {ErrorCode::BadInput, std::move(message), placeOf(one), {}};
        }
    };
    using Add = Result<Names> (Emitter::*)(Site&);
    struct Handler;

    Result<std::vector<Names>> addEntryInputs(NamedGraph& graph);
    /// Adds a computation whose parameters are called like that. Returns the names of its results.
    Result<Names> addComputation(std::size_t number, std::vector<Names> parameters, NamedGraph& graph,
                                 const std::string& place);
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
    void placeRoot(const Instruction& start, const Names& names);
    Result<Names> addNode(Site& site);
    /// Control flow (hlo_control.cpp).
    Result<Names> addCall(Site& site);
    Result<Names> addWhile(Site& site);
    Result<Names> addConditional(Site& site);

    [[nodiscard]] NamedNode nodeOf(const Site& site);
    [[nodiscard]] static std::size_t countRead(const Site& site);
    [[nodiscard]] Names operandNames(const Site& site) const;
    [[nodiscard]] const Names& operand(const Site& site, std::size_t index) const;
    /// New values for all tensors of an instruction, or for all of which \p known has no name yet.
    Names define(const Site& site, NamedGraph& graph, Names known = {});
    Names defineBodyInputs(const Instruction& like, NamedGraph& graph, const std::string& name);
    NamedValue valueOf(const Shape& leaf, const std::string& name);
    Result<std::string> bodyCondition(const Site& site, std::vector<Names> parameters, NamedGraph& graph);

    const Module& m_module;
    const Context& m_context;
    UniqueNames m_values;
    UniqueNames m_nodes;
    std::vector<NamedValue> m_constants;
    std::map<const Instruction*, Names> m_sources; ///< Of constants.
    std::vector<PlacedName> m_placed;
    std::size_t m_depth = 0;
    std::size_t m_read = 0;
    std::size_t m_tensors = 0; ///< Of instructions that were put anywhere, and these.
    std::size_t m_donated = 0; ///< Tensors of parameters.
    std::size_t m_tiled = 0;
    std::size_t m_bounded = 0;
    std::size_t m_standIns = 0;
    std::size_t m_elided = 0; ///< Constants whose elements are not in the file.
    std::size_t m_asynchronous = 0;
    std::size_t m_onHost = 0;
};

/// What a memory of XLA's is called: "host", "S(1)"; empty for that of the device.
[[nodiscard]] std::string spaceName(std::int64_t space);

} // namespace plimsoll::hlo
