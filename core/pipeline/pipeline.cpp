#include "core/pipeline/pipeline.h"

#include "core/base/stopwatch.h"
#include "core/facts/completeness.h"
#include "core/facts/holes.h"
#include "core/formats/read_graph.h"
#include "core/lower/cse.h"
#include "core/lower/fold.h"
#include "core/lower/output_copies.h"
#include "core/pipeline/stages.h"
#include "core/verify/verifier.h"

#include <algorithm>
#include <unordered_set>

namespace plimsoll {
namespace {

Status goOn(const Context& context, std::string_view stage, double fraction)
{
    if (context.stopped()) return Error {ErrorCode::Stopped, "Planning was stopped.", {}, {}};
    context.report(stage, fraction);
    return {};
}

using pipeline::BetterPlacement;

struct Job
{
    const Graph& captured;
    const PlanRequest& request;
    const pipeline::Subject& subject;
    const Context& context;
    const Stopwatch& watch;
};

/// Keeps a hopeless plan readable.
void capFindings(Report& report)
{
    for (std::size_t i = MostFindings; i < report.verdict.findings.size(); ++i)
        ++report.verdict.leftOut[static_cast<std::size_t>(report.verdict.findings[i].severity)];
    report.verdict.findings.resize(std::min(MostFindings, report.verdict.findings.size()));
}

/// Everything that follows from where everything lies.
Status complete(const Job& job, Report& report, const pipeline::PlacedGraph& placed, const DecisionLog& log)
{
    PLIMSOLL_TRY(pipeline::summarise(report, job.subject, placed));
    const bool claims = report.planning.search && report.planning.search->end == SearchEnd::Optimal;
    if (claims && !report.verdict.completeness.complete()) report.planning.search->end = SearchEnd::Partial;
    pipeline::summariseSaved(report, job.subject.facts);
    pipeline::listHandles(report, job.subject, log);
    if (!report.program.ownPlan)
        report.verdict.given = pipeline::boundGivenPlan(report, job.subject, job.request.search.seed, job.context);
    report.memory.holes = findHoles(report, job.context);

    PLIMSOLL_TRY(goOn(job.context, "verification", 0.7));
    const VerifyInput input {*report.program.graph,   report.program.schedule, report.program.implementations,
                             report.program.policies, &report.program.streams, report.program.ownPlan};
    report.verdict.findings = verify(input, report.program.map, job.context);
    pipeline::trustCustomOperators(report, job.request);
    pipeline::explainCapacities(report, job.subject);
    pipeline::addVersionClashes(report);
    pipeline::addMissedSharing(report);
    pipeline::addNeedlessSaves(report);
    pipeline::addDenseFallbacks(report);
    pipeline::addOutOfMemory(report);
    capFindings(report);
    std::vector<std::string> notes = pipeline::listNotes(job.captured, report, job.request);
    report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
    report.notes.insert(report.notes.end(), placed.notes.begin(), placed.notes.end());
    PLIMSOLL_TRY(goOn(job.context, "done", 1.0));
    report.planning.ms = job.watch.ms();
    return {};
}

/// The report as it would be if the search ended with this plan.
Result<Report> reportSoFar(const Job& job, Report report, const pipeline::PlacedGraph& placed)
{
    const DecisionLog log = job.request.recordDecisions ? DecisionLog(report.decisions) : DecisionLog();
    PLIMSOLL_TRY(complete(job, report, placed, log));
    return report;
}

/// Types, folding and the backward half; what is found out on the way goes into the report.
struct Prepared
{
    Graph graph;
    InferredGraph inferred;
};

/// What a given plan has a place for is computed where it says, and nowhere ahead of the run.
std::unordered_set<std::string_view> placedBy(const PlanRequest& request)
{
    std::unordered_set<std::string_view> placed;
    if (!request.givenPlan) return placed;
    for (const PlanFile::Entry& entry : request.givenPlan->entries)
        placed.insert(entry.value);
    return placed;
}

Result<Prepared> prepare(const Graph& graph, const PlanRequest& request, const Context& context, Report& report,
                         const DecisionLog& log)
{
    PLIMSOLL_TRY(goOn(context, "types", 0.0));
    PLIMSOLL_ASSIGN(training, pipeline::trainingOf(graph, request));
    PLIMSOLL_ASSIGN(inferred, inferTypes(training ? training->forward : graph, request.shapes, context));
    PLIMSOLL_TRY(goOn(context, "fold", 0.3));
    Graph folded = fold(inferred, request.policies.fold, log, placedBy(request));
    if (request.policies.cse == CsePolicy::On) folded = mergeCommonSubexpressions(std::move(folded), log);
    PLIMSOLL_ASSIGN(joint, pipeline::makeJoint(std::move(folded), training, request, report, log));
    if (request.policies.outputs == OutputsPolicy::External) joint = copySharedOutputs(std::move(joint), log);
    return Prepared {std::move(joint), std::move(inferred)};
}

/// Who computes each node, and what that adds to the graph.
Status implement(Graph graph, const Graph& captured, const PlanRequest& request, const Context& context, Report& report,
                 const DecisionLog& log)
{
    PLIMSOLL_TRY(goOn(context, "implementations", 0.35));
    const auto here = pipeline::withOffersForDuplicates(request.catalogue, captured, graph);
    const pipeline::Offered offered = pipeline::offeredFor(request, here);
    report.planning.catalogue = offered.catalogue;
    if (offered.catalogue) report.planning.environment = offered.catalogue->environment;
    report.captured.digest = graphDigest(graph);
    report.captured.firstAddedNode = NodeId(graph.nodes.size());
    report.captured.firstAddedValue = ValueId(graph.values.size());
    if (std::string needed = pipeline::whatBackendsNeed(graph, request, here, context); !needed.empty())
        report.notes.push_back(std::move(needed));
    PLIMSOLL_ASSIGN(dispatched, pipeline::chooseImplementations(std::move(graph), offered, request, log, context));
    if (request.givenPlan) PLIMSOLL_TRY(pipeline::addInserted(dispatched, *request.givenPlan));
    report.program.graph = std::make_shared<const Graph>(std::move(dispatched.graph));
    report.program.implementations = std::move(dispatched.implementations);
    report.memory.fallbacks = std::move(dispatched.fallbacks);
    return {};
}

/// With all sizes that there are.
Result<Report> analyseBound(const Graph& graph, const PlanRequest& request, const Context& context)
{
    const Stopwatch watch;
    Report report;
    report.program.policies = request.policies;
    const DecisionLog log = request.recordDecisions ? DecisionLog(report.decisions) : DecisionLog();

    PLIMSOLL_ASSIGN(prepared, prepare(graph, request, context, report, log));
    InferredGraph inferred = std::move(prepared.inferred);
    PLIMSOLL_TRY(implement(std::move(prepared.graph), graph, request, context, report, log));
    report.captured.bindings = std::move(inferred.bindings);
    report.program.schedule = scheduleInCapturedOrder(*report.program.graph);
    PLIMSOLL_ASSIGN(streams, pipeline::streamsFor(*report.program.graph, report.program.schedule, request));
    report.program.streams = std::move(streams);

    PLIMSOLL_TRY(goOn(context, "live ranges", 0.4));
    ValueFacts facts = findValueFacts(*report.program.graph, report.program.schedule, report.program.implementations,
                                      request.policies);
    PLIMSOLL_TRY(pipeline::checkExternalBytes(*report.program.graph, facts));
    facts.saved = pipeline::savedValues(report);
    pipeline::listUnplanned(report, facts, inferred, log);
    report.verdict.completeness = findGaps(*report.program.graph, inferred.lacking, inferred.unknownBecause);
    const pipeline::Subject subject {*report.program.graph,          report.program.schedule, facts,
                                     report.program.implementations, report.program.policies, report.program.streams};

    PLIMSOLL_TRY(goOn(context, "placement", 0.5));
    report.program.ownPlan = !request.givenPlan;
    const Job job {graph, request, subject, context, watch};
    const auto better = [&](const Incumbent& now, const auto& placed) {
        request.search.improved(now, [&] { return reportSoFar(job, report, placed()); });
    };
    PLIMSOLL_ASSIGN(placed,
                    request.givenPlan
                        ? pipeline::takePlacement(subject, *request.givenPlan, report.captured.firstAddedNode)
                        : pipeline::makePlacement(subject, request.search,
                                                  request.search.improved ? BetterPlacement(better) : BetterPlacement(),
                                                  log, context));
    PLIMSOLL_TRY(pipeline::checkCapacities(subject, placed.map));
    PLIMSOLL_TRY(complete(job, report, placed, log));
    return report;
}

} // namespace

Result<Graph> graphToDispatch(const Graph& graph, const PlanRequest& request, const Context& context)
{
    Report report;
    report.program.policies = request.policies;
    PLIMSOLL_ASSIGN(prepared, prepare(graph, request, context, report, DecisionLog()));
    return std::move(prepared.graph);
}

Result<Report> analyse(const Graph& graph, const PlanRequest& request, const Context& context)
{
    PLIMSOLL_ASSIGN(ofPlan, dimsOfPlan(graph, request, context));
    if (ofPlan.note.empty()) return analyseBound(graph, request, context);
    PlanRequest bound = request;
    bound.shapes.dims.insert(ofPlan.dims.begin(), ofPlan.dims.end());
    Result<Report> report = analyseBound(graph, bound, context);
    if (!report.ok()) return report;
    report.value().notes.push_back(ofPlan.note);
    for (Binding& binding : report.value().captured.bindings)
        binding.fromPlan = ofPlan.dims.contains(binding.dim);
    return report;
}

} // namespace plimsoll
