#pragma once

#include "core/analysis/value_facts.h"
#include "core/lower/choose/dispatch.h"
#include "core/lower/gradient/backward.h"
#include "core/pipeline/pipeline.h"
#include "core/plan/problem.h"
#include "core/sharing/sharing.h"

/// The parts of analyse() that are more than one call. Private to core/pipeline*.cpp.
namespace plimsoll::pipeline {

/// How errors end that name what a plan knows and the graph does not.
inline constexpr std::string_view OtherGraph = "The plan belongs to another graph, or to other policies.";

/// What a plan calls the scratchpad of a node: "scratch:conv1".
inline constexpr std::string_view ScratchPrefix = "scratch:";

/// What implementations are chosen from, and how.
struct Offered
{
    std::shared_ptr<const Catalogue> catalogue;
    std::map<std::string, std::string> pins; ///< Those of the request, then those that a given plan names.
    Policies policies;
    bool onlyPinned = false; ///< Other nodes are taken as captured.
};
/// Of all offers \p here: on a graph's own terms (backend=captured) only what is pinned, of a plan that names its
/// implementations only those, whatever the policies are, as the plan describes them.
[[nodiscard]] Offered offeredFor(const PlanRequest& request, std::shared_ptr<const Catalogue> here);
[[nodiscard]] bool namesImplementations(const PlanRequest& request);

/// The graph with its implementations.
[[nodiscard]] Result<Dispatch> chooseImplementations(Graph graph, const Offered& offered, const PlanRequest& request,
                                                     const DecisionLog& log, const Context& context);
/// Gives what a plan has beside the graph, and what no implementation here explains, a node that writes it.
[[nodiscard]] Status addInserted(Dispatch& made, const PlanFile& plan);
/// What the backends here would need beside the tensors of a plan that is judged on its own terms; empty where that
/// is nothing, or is not asked.
[[nodiscard]] std::string whatBackendsNeed(const Graph& graph, const PlanRequest& request,
                                           std::shared_ptr<const Catalogue> here, const Context& context);

/// The forward graph as it has to be for a backward graph, and the derivatives that make one.
struct Training
{
    Graph forward;
    DerivativeSet derivatives;
};
/// Nothing for a graph without a loss.
[[nodiscard]] Result<std::optional<Training>> trainingOf(const Graph& captured, const PlanRequest& request);
/// Makes the typed forward graph a joint one, called as often as the policy says; lists what is kept.
[[nodiscard]] Result<Graph> makeJoint(Graph forward, const std::optional<Training>& training,
                                      const PlanRequest& request, Report& report, const DecisionLog& log);
/// Offers for nodes are offers for their copies, "name@2" and "recompute:name", too. A captured node is no copy,
/// whatever its name.
[[nodiscard]] std::shared_ptr<const Catalogue> withOffersForDuplicates(std::shared_ptr<const Catalogue> catalogue,
                                                                       const Graph& captured, const Graph& graph);
/// A graph without a loss as a joint one: of both halves where it was captured like that.
[[nodiscard]] JointGraph capturedJoint(Graph graph);
/// What the policies make of a joint graph: less that is kept, more passes and calls, what is given away.
[[nodiscard]] Result<Graph> adjustTraining(JointGraph joint, const PlanRequest& request, Report& report,
                                           const DecisionLog& log);
/// Bytes of what is kept.
void summariseSaved(Report& report, const ValueFacts& facts);
/// By ValueId: whether the backward graph reads it. Empty where there is none.
[[nodiscard]] std::vector<bool> savedValues(const Report& report);
/// What PyTorch would refuse: findings in front of all others, in the order of execution.
void addVersionClashes(Report& report);
/// A finding for each storage that is kept and that no gradient reads, largest first.
void addNeedlessSaves(Report& report);

/// Where everything lies, and as a placement problem: what the bounds are made of.
struct PlacedGraph
{
    MemoryMap map;
    std::vector<Storage> storages;      ///< By StorageId: of values, then scratchpads.
    std::vector<StorageId> storageOf;   ///< By ValueId; invalid for unplanned values, and what a given plan leaves out.
    std::vector<AliasKind> sharedAs;    ///< By ValueId.
    Problem problem;                    ///< One buffer for each storage that has an arena.
    std::vector<std::int64_t> heights;  ///< By ArenaId: the highest end, rounded.
    std::vector<std::string> notes;     ///< What the user should know of how it was made.
    std::optional<SearchRecord> search; ///< None of a plan that was handed in.
};

using Subject = SharingInput; ///< What is placed.

/// Who runs beside whom: as a plan that was handed in says, else by the policy.
[[nodiscard]] Result<StreamPlan> streamsFor(const Graph& graph, const Schedule& schedule, const PlanRequest& request);
[[nodiscard]] NamedStreams namedStreams(const Report& report);

/// Who is told of better plans while one is searched for; the second argument places the graph by it.
using BetterPlacement = std::function<void(const Incumbent&, const std::function<PlacedGraph()>&)>;

/// Whether placement can take the problem; what it cannot take is named.
[[nodiscard]] Status checkSizes(const Graph& graph, const PlacedGraph& placed);

/// Sharing, then placement. \p better may be empty; what was decided for its plans is in \p log by then.
[[nodiscard]] Result<PlacedGraph> makePlacement(const Subject& subject, const SearchRequest& search,
                                                const BetterPlacement& better, const DecisionLog& log,
                                                const Context& context);

/// The graph as a plan that was handed in places it. Errors: values, nodes or arenas that do not exist, a value that is
/// placed twice, steps in another order, sizes that no arena can have. Nodes from \p firstAdded on are not the graph's.
[[nodiscard]] Result<PlacedGraph> takePlacement(const Subject& subject, const PlanFile& given, NodeId firstAdded);

/// BadInput where what the caller brings has more than 63 bits of bytes; placement looks at all else.
[[nodiscard]] Status checkExternalBytes(const Graph& graph, const ValueFacts& facts);
/// Fills in what follows from where everything lies: values, bytes of all kinds, how it was found. BadInput where plan
/// and caller hold more than 63 bits of bytes.
[[nodiscard]] Status summarise(Report& report, const Subject& subject, const PlacedGraph& placed);

/// BadUsage where a capacity is of a memory that neither the graph nor the plan names.
[[nodiscard]] Status checkCapacities(const Subject& subject, const MemoryMap& map);

/// Lists what the caller holds after the run, and what a write through each of it does.
void listHandles(Report& report, const Subject& subject, const DecisionLog& log);

/// A finding for each node that goes through dense temporaries, with what they take.
void addDenseFallbacks(Report& report);

/// What a plan that was handed in is measured by: our own of the same subject, and the bound for any sharing.
[[nodiscard]] GivenPlanBounds boundGivenPlan(const Report& report, const Subject& subject, std::uint64_t seed,
                                             const Context& context);
/// Says of findings beyond a capacity where no plan can keep it.
void explainCapacities(Report& report, const Subject& subject);
/// Makes one warning of the overlaps between operands and results of custom operators in the plan that the file itself
/// brings: its compiler knows them.
void trustCustomOperators(Report& report, const PlanRequest& request);
/// A finding for each request that the record of an allocator says it refused, the last one first.
void addOutOfMemory(Report& report);

/// What the policies cost: a finding for each sharing that they alone refused, largest first.
void addMissedSharing(Report& report);

/// Lists the values that are allocated at run time, with the reason of each.
void listUnplanned(Report& report, const ValueFacts& facts, const InferredGraph& inferred, const DecisionLog& log);

/// What the user should know beside the findings: notes of the reader, inputs given another shape than the file fixes,
/// policies without effect, a plan that was made for another graph.
[[nodiscard]] std::vector<std::string> listNotes(const Graph& captured, const Report& report,
                                                 const PlanRequest& request);

} // namespace plimsoll::pipeline
