#include "app/cli/compared_file.h"

#include "app/cli/files.h"
#include "core/formats/files/mapped_file.h"
#include "core/formats/formats.h"
#include "core/formats/plimsoll/from_file.h"
#include "core/formats/read_graph.h"
#include "core/formats/top_words.h"
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
    PLIMSOLL_ASSIGN(file, MappedFile::open(options.graph));
    return fromFile(readSavedReport(FormatInput(file.bytes()).text()), options.graph);
}

} // namespace

ComparedKind comparedKind(const std::string& file)
{
    if (file == "-") return ComparedKind::Graph;
    const auto mapped = MappedFile::open(fileOfGraph(file));
    if (!mapped.ok()) return ComparedKind::Graph;
    const FormatInput input(mapped.value().bytes(), file);
    const Format* format = formatOf(input);
    if (format && format->readTable) return ComparedKind::Packed;
    if (isSavedReport(input.head())) return ComparedKind::Report;
    const bool plan = input.head().starts_with('{') && topWords(input.head()).contains("plimsoll.plan/1");
    return plan ? ComparedKind::Plan : ComparedKind::Graph;
}

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
