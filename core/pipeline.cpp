#include "core/pipeline.h"

#include "core/pipeline_stages.h"
#include "core/transform/cse.h"
#include "core/transform/fold.h"
#include "core/transform/output_copies.h"
#include "core/verify/verifier.h"

#include <chrono>

namespace plimsoll {
namespace {

Status goOn(const Context& context, std::string_view stage, double fraction)
{
    if (context.stopped()) return Error {ErrorCode::Stopped, "Planning was stopped.", {}, {}};
    context.report(stage, fraction);
    return {};
}

} // namespace

Result<Report> analyse(const Graph& graph, const PlanRequest& request, const Context& context)
{
    const auto begin = std::chrono::steady_clock::now();
    Report report;
    report.policies = request.policies;
    const DecisionLog log = request.recordDecisions ? DecisionLog(report.decisions) : DecisionLog();

    PLIMSOLL_TRY(goOn(context, "types", 0.0));
    const std::optional<pipeline::Training> training = pipeline::trainingOf(graph, request);
    PLIMSOLL_ASSIGN(inferred, inferTypes(training ? training->forward : graph, request.shapes, context));
    PLIMSOLL_TRY(goOn(context, "fold", 0.3));
    Graph folded = fold(inferred, request.policies.fold, log);
    if (request.policies.cse == CsePolicy::On) folded = mergeCommonSubexpressions(std::move(folded), log);
    if (training) {
        PLIMSOLL_ASSIGN(joint, pipeline::makeJoint(std::move(folded), *training, report, log));
        folded = std::move(joint);
    }
    if (request.policies.outputs == OutputsPolicy::External) folded = copySharedOutputs(std::move(folded), log);
    PLIMSOLL_TRY(goOn(context, "implementations", 0.35));
    PLIMSOLL_ASSIGN(dispatched, pipeline::chooseImplementations(std::move(folded), request, log, context));
    report.graph = std::make_shared<const Graph>(std::move(dispatched.graph));
    report.implementations = std::move(dispatched.implementations);
    report.bindings = std::move(inferred.bindings);
    report.catalogue = request.catalogue;
    if (request.catalogue) report.environment = request.catalogue->environment;
    report.schedule = scheduleInCapturedOrder(*report.graph);

    PLIMSOLL_TRY(goOn(context, "live ranges", 0.4));
    ValueFacts facts = findValueFacts(*report.graph, report.schedule, report.implementations, request.policies);
    facts.saved = pipeline::savedValues(report);
    pipeline::listUnplanned(report, facts, inferred.unknownBecause, log);
    const pipeline::Subject subject {*report.graph, report.schedule, facts, report.implementations, report.policies};

    PLIMSOLL_TRY(goOn(context, "placement", 0.5));
    report.ownPlan = !request.givenPlan;
    PLIMSOLL_ASSIGN(layout, request.givenPlan ? pipeline::takeLayout(subject, *request.givenPlan)
                                              : pipeline::makeLayout(subject, log, context));
    pipeline::summarise(report, subject, layout);
    pipeline::summariseSaved(report, facts);
    pipeline::listHandles(report, subject, log);

    PLIMSOLL_TRY(goOn(context, "verification", 0.7));
    const Judgement judgement {*report.graph, report.schedule, report.implementations, report.policies};
    report.findings = verify(judgement, report.map, context);
    pipeline::addVersionClashes(report);
    pipeline::addMissedSharing(report);
    pipeline::addNeedlessSaves(report);
    std::vector<std::string> notes = pipeline::listNotes(graph, report, request);
    report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
    report.notes.insert(report.notes.end(), layout.notes.begin(), layout.notes.end());
    PLIMSOLL_TRY(goOn(context, "done", 1.0));
    report.planningMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    return report;
}

} // namespace plimsoll
