#include "app/cli/commands/all_commands.h"
#include "app/cli/files.h"
#include "core/formats/plimsoll/graph_json.h"

#include <memory>

namespace plimsoll::cli {
namespace {

struct ConvertOptions
{
    GraphOptions reading;
    std::string output;
};

Result<ExitStatus> convert(ConvertOptions options)
{
    if (options.output != "-" && !options.output.ends_with(".json")) {
        return Error {ErrorCode::BadUsage, say("cli.graph-ending", word::Name {options.output}), {}, {}};
    }
    options.reading.outputs = {{"OUT", options.output}};
    PLIMSOLL_ASSIGN(graph, loadGraph(options.reading));
    if (options.output != "-") {
        PLIMSOLL_TRY(writeGraphJson(graph, options.output));
        return ExitStatus::Fine;
    }
    PLIMSOLL_ASSIGN(text, graphJsonText(graph));
    PLIMSOLL_TRY(writeText("-", text));
    return ExitStatus::Fine;
}

} // namespace

Command convertCommand()
{
    auto options = std::make_shared<ConvertOptions>();
    return {.name = "convert",
            .meaning = "Write a graph of any format we read as plimsoll.graph/1",
            .arguments = {{"IN", &options->reading.graph, "Graph to read; '-' is standard input", true},
                          {"OUT", &options->output, "File to write, *.json; '-' is standard output", true},
                          isolateArgument(options->reading.isolate)},
            .run = [options] { return convert(*options); }};
}

} // namespace plimsoll::cli
