#include "app/cli/compared_file.h"

#include "app/cli/files.h"
#include "core/report/saved_report.h"

namespace plimsoll::cli {
namespace {

Error usage(Message message)
{
    return {ErrorCode::BadUsage, std::move(message), {}, {}};
}

Result<Report> readReportFile(const GraphOptions& options)
{
    if (!options.overrides.empty()) return usage(say("compare.saved-policies", word::Name {options.graph}));
    PLIMSOLL_TRY(checkOutputs(options.outputs, filesRead(options)));
    return openSavedReport(options.graph);
}

} // namespace

Result<Report> readCompared(GraphOptions options, const std::string& graphOfPlan, bool placesAsFound)
{
    const ComparedKind kind = comparedKind(options.graph);
    if (kind == ComparedKind::Report) return readReportFile(options);
    if (kind == ComparedKind::Plan) {
        if (graphOfPlan.empty()) return usage(say("compare.plan-alone", word::Name {options.graph}));
        options.plan = options.graph;
        options.graph = graphOfPlan;
    }
    options.planOfGraph = placesAsFound && kind == ComparedKind::Packed;
    PLIMSOLL_ASSIGN(request, makeRequest(options));
    return analyseFile(options, std::move(request));
}

} // namespace plimsoll::cli
