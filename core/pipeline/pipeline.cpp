#include "core/pipeline/pipeline.h"

#include "core/pipeline/own_plan.h"

#include "core/base/beside.h"
#include "core/base/stopwatch.h"
#include "core/facts/arena_peaks.h"
#include "core/facts/completeness.h"
#include "core/facts/holes.h"
#include "core/formats/read_graph.h"
#include "core/lower/cse.h"
#include "core/lower/fold.h"
#include "core/lower/output_copies.h"
#include "core/pipeline/stages.h"
#include "core/verify/verifier.h"

#include <algorithm>
#include <future>
#include <iterator>
#include <unordered_set>

namespace plimsoll {
namespace {

Status goOn(const Context& context, std::string_view stage, double fraction)
{
    if (context.stopped()) return Error {ErrorCode::Stopped, say("stopped.planning"), {}, {}};
    context.report(stage, fraction);
    return {};
}

/// What a given plan has a place for is computed where it says, and nowhere ahead of the run.
std::unordered_set<std::string_view> placedBy(const PlanRequest& request)
{
    std::unordered_set<std::string_view> placed;
    if (!request.givenPlan) return placed;
    for (const PlanFile::Entry& entry : request.givenPlan->entries)
        placed.insert(entry.value);
    return placed;
}

} // namespace

namespace pipeline {

Result<Lowered> lower(const Graph& captured, const PlanRequest& request, const DecisionLog& log, const Context& context)
{
    PLIMSOLL_TRY(goOn(context, "types", 0.0));
    PLIMSOLL_ASSIGN(training, trainingOf(captured, request));
    PLIMSOLL_ASSIGN(inferred, inferTypes(training ? training->forward : captured, request.shapes, context));
    PLIMSOLL_TRY(goOn(context, "fold", 0.3));
    Graph folded = fold(inferred, request.policies.fold, log, placedBy(request));
    if (request.policies.cse == CsePolicy::On) folded = mergeCommonSubexpressions(std::move(folded), log);
    PLIMSOLL_ASSIGN(trained, makeJoint(std::move(folded), training, request, log));
    if (request.policies.dce == DcePolicy::On)
        trained.graph = dropDeadNodes(std::move(trained.graph), placedBy(request));
    if (request.policies.outputs == OutputsPolicy::External)
        trained.graph = copySharedOutputs(std::move(trained.graph), log);
    return Lowered {{std::move(trained)},
                    std::move(inferred.bindings),
                    std::move(inferred.unknownBecause),
                    std::move(inferred.lacking)};
}

Result<Implemented> implement(Graph lowered, const Graph& captured, const PlanRequest& request,
                              const std::vector<SavedReport>& saved, const DecisionLog& log, const Context& context)
{
    PLIMSOLL_TRY(goOn(context, "implementations", 0.35));
    const auto here = withOffersForDuplicates(request.catalogue, captured, lowered);
    const Offered offered = offeredFor(request, here);
    Implemented made;
    made.catalogue = offered.catalogue;
    made.captured = {{}, NodeId(lowered.nodes.size()), ValueId(lowered.values.size()), {}};
    if (Message needed = whatBackendsNeed(lowered, request, here, context); !needed.empty())
        made.notes.push_back(std::move(needed));
    PLIMSOLL_ASSIGN(dispatched, chooseImplementations(std::move(lowered), offered, request, saved, log, context));
    if (request.givenPlan) PLIMSOLL_TRY(addInserted(dispatched, *request.givenPlan));
    made.fallbacks = std::move(dispatched.fallbacks);
    Program& program = made.program;
    program.graph = std::make_shared<const Graph>(std::move(dispatched.graph));
    program.implementations = std::move(dispatched.implementations);
    program.policies = request.policies;
    program.constraints = request.constraints;
    PLIMSOLL_ASSIGN(order, orderFor(*program.graph, request));
    program.schedule = std::move(order.schedule);
    made.misplaced = std::move(order.misplaced);
    PLIMSOLL_ASSIGN(streams, streamsFor(*program.graph, program.schedule, request));
    program.streams = std::move(streams);
    return made;
}

} // namespace pipeline

namespace {

/// What is known when placement begins.
struct Unplaced
{
    const Graph& captured;
    const PlanRequest& request;
    const Context& context;
    const Stopwatch& watch;
    const pipeline::Lowered& lowered;
    const std::shared_future<std::string>& digest; ///< Of what was lowered; worked out beside.
    const pipeline::Implemented& implemented;
    const ValueFacts& facts;
    const std::vector<UnplannedValue>& unplanned;
    const pipeline::Subject subject {implemented.program, facts};
};

/// The judge's findings and all that are beside them, in the order in which they are listed.
std::vector<Finding> judge(const Unplaced& of, const Report& report)
{
    const PlannedProgram& planned = report.program;
    const auto append = [](std::vector<Finding>& all, std::vector<Finding> more) {
        std::ranges::move(more, std::back_inserter(all));
    };
    std::vector<Finding> own = verify({planned, planned.map, planned.ownPlan}, of.context);
    own = pipeline::trustCustomOperators(std::move(own), *planned.graph, of.request);
    own = pipeline::explainCapacities(std::move(own), of.subject, planned, !of.lowered.bindings.empty());
    const std::int64_t peak = report.memory.peakBytes;
    const auto& given = report.verdict.given;
    std::vector<Finding> all = pipeline::outOfMemory(planned, peak, given ? given->ownPeakBytes.value_or(-1) : peak);
    append(all, pipeline::versionClashes(planned, report.training.saved, own));
    append(all, of.implemented.misplaced);
    append(all, std::move(own));
    if (planned.ownPlan) append(all, pipeline::missedSharing(planned, report.decisions));
    append(all, pipeline::needlessSaves(planned, report.training.saved));
    append(all, pipeline::denseFallbacks(planned, report.memory.fallbacks));
    return all;
}

/// The whole report of one placement.
Result<Report> reportOn(const Unplaced& of, pipeline::PlacedGraph placed, std::vector<Decision> decisions)
{
    const DecisionLog log = of.request.recordDecisions ? DecisionLog(decisions) : DecisionLog();
    Report report;
    report.program = pipeline::plannedProgram(of.subject, placed, log);
    auto holes = beside([&] { return findHoles(report.program, of.context); });
    std::future<void> callers;
    if (of.request.whileJudged) callers = beside([&] { of.request.whileJudged(report.program); });
    report.decisions = std::move(decisions);
    report.captured = of.implemented.captured;
    report.captured.digest = of.digest.get();
    report.captured.bindings = of.lowered.bindings;
    report.planning = {
        of.implemented.catalogue, {}, placed.search, 0, of.request.givenPlan && of.request.givenPlan->edited};
    if (report.planning.catalogue) report.planning.environment = report.planning.catalogue->environment;
    PLIMSOLL_ASSIGN(memory, pipeline::memoryUse(report.program, of.facts, placed, of.implemented.fallbacks));
    report.memory = std::move(memory);
    report.memory.peaks = arenaPeaks(report.program);
    report.memory.storages = plannedStorages(report.program);
    placed.problem = {};
    report.memory.unplanned = of.unplanned;
    std::erase_if(report.memory.unplanned, [&](const UnplannedValue& one) {
        const ValuePlacement& place = report.program.map.values[one.value.index()];
        return place.placed() || place.host.valid();
    });
    report.training = pipeline::trainingUse(report.program, of.facts, of.lowered.saved, of.lowered.recomputed);
    report.verdict.completeness = findGaps(*report.program.graph, of.lowered.lacking, of.lowered.unknownBecause);
    const bool claims = placed.search && placed.search->end == SearchEnd::Optimal;
    if (claims && !report.verdict.completeness.complete()) report.planning.search->end = SearchEnd::Partial;
    if (!report.program.ownPlan)
        report.verdict.given = pipeline::boundGivenPlan(of.subject, report.program.map, report.memory.peakBytes,
                                                        of.request.search.seed, placed.notes, of.context);

    PLIMSOLL_TRY(goOn(of.context, "verification", 0.7));
    report.verdict.findings = judge(of, report);
    report.memory.holes = holes.get();
    if (callers.valid()) callers.get();
    std::vector<Finding>& findings = report.verdict.findings;
    for (std::size_t i = MostFindings; i < findings.size(); ++i) // a hopeless plan stays readable
        ++report.verdict.leftOut[static_cast<std::size_t>(findings[i].severity)];
    findings.resize(std::min(MostFindings, findings.size()));
    report.notes = pipeline::listNotes(of.captured, report, of.request);
    for (const auto* more : {&of.lowered.notes, &of.implemented.notes, &std::as_const(placed.notes)})
        report.notes.insert(report.notes.end(), more->begin(), more->end());
    PLIMSOLL_TRY(goOn(of.context, "done", 1.0));
    report.planning.ms = of.watch.ms();
    return report;
}

/// Of a plan that is given: judged as it is, or made anew on its terms.
enum class Places : std::uint8_t { Given, Own };

/// With all sizes that there are.
Result<Report> analyseBound(const Graph& graph, const PlanRequest& request, Places places, const Context& context)
{
    const Stopwatch watch;
    std::vector<Decision> decisions;
    const DecisionLog log = request.recordDecisions ? DecisionLog(decisions) : DecisionLog();
    PLIMSOLL_ASSIGN(lowered, pipeline::lower(graph, request, log, context));
    const std::shared_future<std::string> digest = beside([graph = lowered.graph] { return graphDigest(graph); });
    PLIMSOLL_ASSIGN(implemented,
                    pipeline::implement(std::move(lowered.graph), graph, request, lowered.saved, log, context));
    PLIMSOLL_TRY(pipeline::checkConstraints(implemented.program));
    const bool judges = request.givenPlan && places == Places::Given;
    if (request.givenPlan && !judges) {
        for (const PlannedArena& arena : request.givenPlan->arenas)
            if (!arena.reserved.empty()) implemented.program.policies.reserved[arena.space] = arena.reserved;
    }
    PLIMSOLL_TRY(goOn(context, "live ranges", 0.4));
    PLIMSOLL_ASSIGN(facts, pipeline::lifetimesOf(implemented.program, lowered.saved));
    const auto unplanned = pipeline::unplannedValues(*implemented.program.graph, facts, lowered, log);

    PLIMSOLL_TRY(goOn(context, "placement", 0.5));
    const Unplaced all {graph, request, context, watch, lowered, digest, implemented, facts, unplanned};
    pipeline::BetterPlacement better;
    if (request.search.improved) {
        better = [&](const Incumbent& now, const std::function<pipeline::PlacedGraph()>& placed) {
            request.search.improved(now, [&] {
                pipeline::PlacedGraph its = placed();
                return reportOn(all, std::move(its), decisions);
            });
        };
    }
    PLIMSOLL_ASSIGN(
        placed, judges ? pipeline::takePlacement(all.subject, *request.givenPlan, implemented.captured.firstAddedNode)
                       : pipeline::makePlacement(all.subject, request.search, better, log, context));
    PLIMSOLL_TRY(pipeline::checkCapacities(all.subject, placed.map));
    return reportOn(all, std::move(placed), std::move(decisions));
}

} // namespace

Result<Graph> graphToDispatch(const Graph& graph, const PlanRequest& request, const Context& context)
{
    PLIMSOLL_ASSIGN(lowered, pipeline::lower(graph, request, DecisionLog(), context));
    return std::move(lowered.graph);
}

namespace {

Result<Report> analyseWith(const Graph& graph, const PlanRequest& request, Places places, const Context& context)
{
    PLIMSOLL_ASSIGN(ofPlan, dimsOfPlan(graph, request, context));
    if (ofPlan.note.empty()) return analyseBound(graph, request, places, context);
    PlanRequest bound = request;
    bound.shapes.dims.insert(ofPlan.dims.begin(), ofPlan.dims.end());
    Result<Report> report = analyseBound(graph, bound, places, context);
    if (!report.ok()) return report;
    report.value().notes.push_back(ofPlan.note);
    for (Binding& binding : report.value().captured.bindings)
        binding.fromPlan = ofPlan.dims.contains(binding.dim);
    return report;
}

} // namespace

Result<Report> analyse(const Graph& graph, const PlanRequest& request, const Context& context)
{
    return analyseWith(graph, request, Places::Given, context);
}

Result<Report> planBeside(const Graph& graph, const PlanRequest& request, const Context& context)
{
    return analyseWith(graph, request, Places::Own, context);
}

} // namespace plimsoll
