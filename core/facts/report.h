#pragma once

#include "core/plan/binding.h"
#include "core/plan/decision.h"
#include "core/plan/finding.h"
#include "core/plan/implementation.h"
#include "core/plan/memory_map.h"
#include "core/plan/policy_change.h"
#include "core/plan/program.h"
#include "core/plan/run_result.h"
#include "core/plan/saved_tensor.h"
#include "core/plan/search_record.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

/// A value whose size cannot be known before the run: allocated then, and counted apart.
struct UnplannedValue
{
    ValueId value;
    Message reason;
    std::int64_t upperBoundBytes = -1; ///< -1: no bound is known.
    ValueId lacking {}; ///< The value of which the file says too little; invalid: only the run can know the size.
};

/// Something that the file should say, and that no run is needed for.
struct Gap
{
    enum class Kind : std::uint8_t {
        InputShape,  ///< Of an input or parameter.
        ResultType,  ///< Of what a node makes.
        StoredBound, ///< How much of a sparse tensor is stored at most.
        NoNodes,     ///< There is none, and no output: nothing to plan was found.
    };
    Kind kind = Kind::InputShape;
    ValueId value;          ///< Invalid for NoNodes.
    Message reason;         ///< "the file gives no shape for 'x'"
    std::size_t values = 0; ///< So many have no size because of it.
};

/// What a plan was made, or judged, without. With a gap in it nothing is said of the whole: not that it is legal, nor
/// that it is lowest.
struct Completeness
{
    std::vector<Gap> gaps;   ///< Inputs first: types of parameters follow from theirs.
    std::size_t unsized = 0; ///< Values without a size because of them.

    [[nodiscard]] bool complete() const { return gaps.empty(); }
};

/// Of a plan that was handed in: what others for the same graph need, in the same order and on the same terms.
struct GivenPlanBounds
{
    std::int64_t peakBytes = 0;
    std::optional<std::int64_t> ownPeakBytes; ///< Of our own plan; none where it cannot be made.
    std::int64_t anySharingBoundBytes = 0;    ///< No legal plan is below, whatever shares.
};

struct ArenaUse
{
    std::int64_t lowerBoundBytes = 0; ///< Maximum over steps of live bytes, rounded to the alignment.
    std::int64_t noReuseBytes = 0;
};

/// How high one arena is, and when it is so high.
struct ArenaPeak
{
    ArenaId arena;
    std::int64_t bytes = 0; ///< Of the plan: the arena's height.
    /// Of those at which its highest byte is in use, the first with the most live bytes; -1: nothing lies there. Where
    /// something is kept at an address above holes, more may be alive at others.
    std::int64_t step = -1;
    std::int64_t liveBytes = 0; ///< Of that step, rounded to the arena's alignment.
};

/// The graph that was handed in, as far as the program does not show it.
struct Captured
{
    std::string digest; ///< Of the graph before implementations were chosen.
    /// What implementations added to it (reorders, copies, conversions) has ids from here on.
    NodeId firstAddedNode;
    ValueId firstAddedValue;
    std::vector<Binding> bindings;
};

/// What the plan was made with, and how it was found.
struct Planning
{
    std::shared_ptr<const Catalogue> catalogue; ///< What there was to choose from; null: the reference alone.
    std::map<std::string, Message> environment;
    std::optional<SearchRecord> search; ///< How our own plan was found; none for one that was handed in.
    double ms = 0;
    bool edited = false; ///< A plan that was handed in was changed by hand before.
};

/// Bytes of the plan and around it. Sums over arenas; lowerBound ≤ peak ≤ noReuse.
struct MemoryUse
{
    std::int64_t peakBytes = 0;
    std::int64_t lowerBoundBytes = 0;
    std::int64_t noReuseBytes = 0;
    std::int64_t externalBytes = 0;      ///< Inputs, parameters and constants…
    std::int64_t parameterBytes = 0;     ///< …parameters among them…
    std::int64_t preparedBytes = 0;      ///< …and weights in the layouts of libraries, made once ahead of the run.
    std::int64_t fallbackBytes = 0;      ///< Of all dense temporaries; planned, so a part of noReuseBytes.
    std::int64_t detachBytes = 0;        ///< What comes on top when every output that can detach has done so.
    std::vector<ArenaUse> arenas;        ///< By ArenaId; bytes and capacities are in the memory map.
    std::vector<ArenaPeak> peaks;        ///< By ArenaId.
    std::int64_t storages = 0;           ///< That lie in an arena.
    std::vector<std::int64_t> liveBytes; ///< By step, over all arenas, rounded: the curve under the plan.
    std::vector<Hole> holes;             ///< Of the plan, the largest (bytes × steps) first.
    std::vector<UnplannedValue> unplanned;
    std::vector<DenseFallback> fallbacks; ///< In order of the nodes.
};

/// What passes from the forward graph to the backward graph.
struct TrainingUse
{
    std::vector<SavedReport> saved; ///< In the order of the forward graph, reversed: as backward nodes read them.
    std::vector<RecomputedReport> recomputed; ///< Instead of being kept.
    /// Kept from forward to backward: logical bytes of distinct storages, without what the caller holds anyway.
    std::int64_t boundaryBytes = 0;
};

/// What the judge says of the plan, and by which measure.
struct PlanVerdict
{
    Completeness completeness;
    std::vector<Finding> findings;         ///< Errors first; of a hopeless plan only MostFindings…
    std::array<std::size_t, 3> leftOut {}; ///< …and so many more, by Severity.
    std::optional<GivenPlanBounds> given;  ///< None for a plan of our own.
};

/// Everything that one engine call finds out. Immutable once made; every view and every writer reads only this.
/// Vectors "by" an id have one entry for each.
struct Report
{
    PlannedProgram program; ///< Ids as in the graph that was handed in.
    Captured captured;
    Planning planning;
    MemoryUse memory;
    TrainingUse training;
    PlanVerdict verdict;
    std::vector<Decision> decisions;
    std::vector<Message> notes;      ///< What was assumed or passed over in silence: sentences, no broken rules.
    std::vector<TradeOff> tradeOffs; ///< Time against peak, fastest first; empty unless asked for.
    std::vector<PolicyChange> policyChanges; ///< What other policies would make of it; empty unless asked for.
    std::shared_ptr<const Sweep> sweep;      ///< Plans for many sizes or policies; null unless asked for.
    std::optional<RunResult> run;
};

/// So many findings are listed.
inline constexpr std::size_t MostFindings = 1'000;

/// How many findings have that severity, and how many there are of all: listed or left out.
[[nodiscard]] std::size_t countFindings(const Report& report, Severity severity);
[[nodiscard]] std::size_t countFindings(const Report& report);
[[nodiscard]] std::size_t countSuppressed(const Report& report, Severity severity); ///< Of those that are listed.

/// "The first 1,000 of 6,000 are listed and marked."; empty where none is left out.
[[nodiscard]] Message leftOutNote(const Report& report);

} // namespace plimsoll
