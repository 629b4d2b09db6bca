#pragma once

#include "core/analysis/value_facts.h"
#include "core/lower/choose/dispatch.h"
#include "core/lower/gradient/backward.h"
#include "core/pipeline/pipeline.h"
#include "core/plan/problem.h"
#include "core/sharing/sharing.h"

/// The stages of analyse(), each from values to a value. Private to core/pipeline.
///
///     captured graph ─► Lowered ─► Implemented ─► ValueFacts ─► PlacedGraph ─► PlannedProgram ─► findings
///                       graph      Program        lifetimes     map            storages, handles
namespace plimsoll::pipeline {

// Lowering: the captured graph, typed, folded, with its backward half.

/// The forward graph as it has to be for a backward graph, and the derivatives that make one.
struct Training
{
    Graph forward;
    DerivativeSet derivatives;
};
/// Nothing for a graph without a loss.
[[nodiscard]] Result<std::optional<Training>> trainingOf(const Graph& captured, const PlanRequest& request);

/// A graph with both halves, as the policies want it.
struct TrainedGraph
{
    Graph graph;
    std::vector<SavedReport> saved; ///< Their bytes are known once the graph is placed.
    std::vector<RecomputedReport> recomputed;
    std::vector<Message> notes;
};
/// Makes the typed forward graph a joint one, called as often as the policy says; lists what is kept.
[[nodiscard]] Result<TrainedGraph> makeJoint(Graph forward, const std::optional<Training>& training,
                                             const PlanRequest& request, const DecisionLog& log);
/// A graph without a loss as a joint one: of both halves where it was captured like that.
[[nodiscard]] JointGraph capturedJoint(Graph graph);
/// What the policies make of a joint graph: less that is kept, more passes and calls, what is given away.
[[nodiscard]] Result<TrainedGraph> adjustTraining(JointGraph joint, const PlanRequest& request, const DecisionLog& log);

struct Lowered : TrainedGraph
{
    std::vector<Binding> bindings;
    std::vector<Message> unknownBecause; ///< As in InferredGraph.
    std::vector<ValueId> lacking;        ///< As in InferredGraph.
};
[[nodiscard]] Result<Lowered> lower(const Graph& captured, const PlanRequest& request, const DecisionLog& log,
                                    const Context& context);

// Implementing: the lowered graph becomes a program.

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
/// Offers for nodes are offers for their copies, "name@2" and "recompute:name", too. A captured node is no copy,
/// whatever its name.
[[nodiscard]] std::shared_ptr<const Catalogue> withOffersForDuplicates(std::shared_ptr<const Catalogue> catalogue,
                                                                       const Graph& captured, const Graph& graph);

/// The graph with its implementations.
[[nodiscard]] Result<Dispatch> chooseImplementations(Graph graph, const Offered& offered, const PlanRequest& request,
                                                     const std::vector<SavedReport>& saved, const DecisionLog& log,
                                                     const Context& context);

/// A way to compute a graph as it is really placed, by a short search.
struct PricedWay
{
    Way way;
    PlanCost cost;
    std::int64_t boundBytes = 0;                 ///< No placement is lower.
    std::map<std::string, std::int64_t> heights; ///< Memory space → bytes.
};
/// What the policies choose and padding make of it where bytes count, too; nothing where the fastest will do. Under
/// padding=off no plan is larger than that of plain loops: then they are taken. \p graph is what dispatch() gets.
[[nodiscard]] Result<std::optional<Way>> chooseWay(const Graph& graph, const DispatchRequest& choice,
                                                   const PlanRequest& request, const std::vector<SavedReport>& saved,
                                                   const Context& context);
/// Time against peak: fastest first, each with a lower peak than all before. Empty where nothing is on offer.
[[nodiscard]] Result<std::vector<PricedWay>> priceWays(Graph graph, const Offered& offered, const PlanRequest& request,
                                                       const std::vector<SavedReport>& saved, const Context& context);
[[nodiscard]] Result<std::vector<PricedWay>> priceAllWays(const Graph& graph, const DispatchRequest& choice,
                                                          const PlanRequest& request,
                                                          const std::vector<SavedReport>& saved,
                                                          const Context& context);
/// Gives what a plan has beside the graph, and what no implementation here explains, a node that writes it.
[[nodiscard]] Status addInserted(Dispatch& made, const PlanFile& plan);
/// What the backends here would need beside the tensors of a plan that is judged on its own terms; empty where that
/// is nothing, or is not asked.
[[nodiscard]] Message whatBackendsNeed(const Graph& graph, const PlanRequest& request,
                                       std::shared_ptr<const Catalogue> here, const Context& context);
/// Which nodes run beside each other: as a plan that was handed in says, else by the policy.
[[nodiscard]] Result<StreamPlan> streamsFor(const Graph& graph, const Schedule& schedule, const PlanRequest& request);

/// The order in which nodes run: that of a plan that was handed in, or the captured one.
struct PlanOrder
{
    Schedule schedule;
    std::vector<Finding> misplaced; ///< Nested nodes that the plan lists outside of their owner.
};
/// BadInput where the plan names a node that is not there, or twice.
[[nodiscard]] Result<PlanOrder> orderFor(const Graph& graph, const PlanRequest& request);

struct Implemented
{
    Program program;
    Captured captured;                          ///< But for the digest.
    std::shared_ptr<const Catalogue> catalogue; ///< What was offered; null: the reference alone.
    std::vector<DenseFallback> fallbacks;
    std::vector<Finding> misplaced; ///< As in PlanOrder.
    std::vector<Message> notes;
};
[[nodiscard]] Result<Implemented> implement(Graph lowered, const Graph& captured, const PlanRequest& request,
                                            const std::vector<SavedReport>& saved, const DecisionLog& log,
                                            const Context& context);
[[nodiscard]] NamedStreams namedStreams(const Program& program);

// Lifetimes: whose bytes each value has, and when they matter.

/// BadInput where what the caller brings has more than 63 bits of bytes; placement looks at all else.
[[nodiscard]] Result<ValueFacts> lifetimesOf(const Program& program, const std::vector<SavedReport>& saved);
/// The values whose size only the run knows, with the reason of each. Those that get a place are planned all the same.
[[nodiscard]] std::vector<UnplannedValue> unplannedValues(const Graph& graph, const ValueFacts& facts,
                                                          const Lowered& lowered, const DecisionLog& log);

// Placement: storages and their offsets.

using Subject = SharingInput; ///< What is placed.

/// Where everything lies, and as a placement problem: what the bounds are made of.
struct PlacedGraph
{
    MemoryMap map;
    std::vector<Storage> storages;      ///< By StorageId: of values, then scratchpads.
    std::vector<StorageId> storageOf;   ///< By ValueId; invalid for unplanned values, and what a given plan leaves out.
    std::vector<AliasKind> sharedAs;    ///< By ValueId.
    Problem problem;                    ///< One buffer for each storage that has an arena, then what is reserved.
    std::vector<std::int64_t> heights;  ///< By ArenaId: the highest end, rounded.
    std::vector<Message> notes;         ///< What the user should know of how it was made.
    std::optional<SearchRecord> search; ///< None of a plan that was handed in.
};

/// Called at each better plan while one is searched for; the second argument places the graph by it.
using BetterPlacement = std::function<void(const Incumbent&, const std::function<PlacedGraph()>&)>;

/// Adds what is reserved in an arena to the problem: buffers that are pinned and alive at all \p steps.
void addReserved(Problem& problem, ArenaId arena, const std::vector<ReservedBytes>& reserved, std::int64_t steps);

/// Whether placement can take the problem; what it cannot take is named.
[[nodiscard]] Status checkSizes(const Graph& graph, const PlacedGraph& placed);

/// Sharing, then placement. \p better may be empty; what was decided for its plans is in \p log by then.
[[nodiscard]] Result<PlacedGraph> makePlacement(const Subject& subject, const SearchRequest& search,
                                                const BetterPlacement& better, const DecisionLog& log,
                                                const Context& context);

/// The graph as a plan that was handed in places it. Errors: values, nodes or arenas that do not exist, a value that is
/// placed twice, nodes that the steps leave out, sizes that no arena can have. Nodes from \p firstAdded on are not the
/// graph's.
[[nodiscard]] Result<PlacedGraph> takePlacement(const Subject& subject, const PlanFile& given, NodeId firstAdded);

/// BadUsage where the constraints name a value that is not there.
[[nodiscard]] Status checkConstraints(const Program& program);

/// BadUsage where a capacity, or a reserved region, is of a memory that neither the graph nor the plan names.
[[nodiscard]] Status checkCapacities(const Subject& subject, const MemoryMap& map);

// What follows from where everything lies.

/// Takes the map and the storages out of \p placed.
[[nodiscard]] PlannedProgram plannedProgram(const Subject& subject, PlacedGraph& placed, const DecisionLog& log);
/// What the caller holds after the run, and what a write through each of it does.
[[nodiscard]] std::vector<Handle> listHandles(const Subject& subject, const MemoryMap& map, const DecisionLog& log);
/// Bytes of all kinds. BadInput where plan and caller hold more than 63 bits of bytes.
[[nodiscard]] Result<MemoryUse> memoryUse(const PlannedProgram& planned, const ValueFacts& facts,
                                          const PlacedGraph& placed, std::vector<DenseFallback> fallbacks);
/// \p saved with the bytes of what is kept.
[[nodiscard]] TrainingUse trainingUse(const PlannedProgram& planned, const ValueFacts& facts,
                                      std::vector<SavedReport> saved, std::vector<RecomputedReport> recomputed);
/// What a plan that was handed in is measured by: our own of the same subject, and the bound for any sharing. Where
/// ours would not count the same bytes, it is left out, and \p notes say why.
[[nodiscard]] GivenPlanBounds boundGivenPlan(const Subject& subject, const MemoryMap& map, std::int64_t peakBytes,
                                             std::uint64_t seed, std::vector<Message>& notes, const Context& context);

// The verdict: what is found beside the judge's own findings, and what is said of these.

/// Makes one warning of the overlaps between operands and results of custom operators in the plan that the file itself
/// brings: its compiler knows them.
[[nodiscard]] std::vector<Finding> trustCustomOperators(std::vector<Finding> findings, const Graph& graph,
                                                        const PlanRequest& request);
/// Says of findings beyond a capacity where no plan can keep it.
[[nodiscard]] std::vector<Finding> explainCapacities(std::vector<Finding> findings, const Subject& subject,
                                                     const PlannedProgram& planned, bool canBind);
/// What PyTorch would refuse, in the order of execution; \p judged tells real clashes from false alarms.
[[nodiscard]] std::vector<Finding> versionClashes(const PlannedProgram& planned, const std::vector<SavedReport>& saved,
                                                  const std::vector<Finding>& judged);
/// What the policies cost: one for each sharing that they alone refused, largest first.
[[nodiscard]] std::vector<Finding> missedSharing(const Program& program, const std::vector<Decision>& decisions);
/// One for each storage that is kept and that no gradient reads, largest first.
[[nodiscard]] std::vector<Finding> needlessSaves(const PlannedProgram& planned, const std::vector<SavedReport>& saved);
/// One for each node that goes through dense temporaries, with what they take.
[[nodiscard]] std::vector<Finding> denseFallbacks(const PlannedProgram& planned,
                                                  const std::vector<DenseFallback>& fallbacks);
/// One for each request that the record of an allocator says it refused, the last one first. \p ownPeakBytes is of our
/// own plan; -1 where there is none.
[[nodiscard]] std::vector<Finding> outOfMemory(const PlannedProgram& planned, std::int64_t peakBytes,
                                               std::int64_t ownPeakBytes);

/// What the user should know beside the findings: notes of the reader, inputs given another shape than the file fixes,
/// policies without effect, a plan that was made for another graph. \p report has all but its notes.
[[nodiscard]] std::vector<Message> listNotes(const Graph& captured, const Report& report, const PlanRequest& request);

} // namespace plimsoll::pipeline
