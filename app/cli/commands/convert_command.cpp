#include "app/cli/commands/all_commands.h"
#include "app/cli/files.h"
#include "core/formats/plimsoll/graph_json.h"

#include <memory>

namespace plimsoll::cli {
namespace {

struct ConvertOptions
{
    std::string input;
    std::string output;
    bool isolate = false;
};

Result<ExitStatus> convert(const ConvertOptions& options)
{
    if (options.output != "-" && !options.output.ends_with(".json")) {
        return Error {ErrorCode::BadUsage, say("cli.graph-ending", word::Name {options.output}), {}, {}};
    }
    GraphOptions reading;
    reading.graph = options.input;
    reading.isolate = options.isolate;
    reading.outputs = {{"OUT", options.output}};
    PLIMSOLL_ASSIGN(graph, loadGraph(reading));
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
            .arguments = {{"IN", &options->input, "Graph to read; '-' is standard input", true},
                          {"OUT", &options->output, "File to write, *.json; '-' is standard output", true},
                          isolateArgument(options->isolate)},
            .run = [options] { return convert(*options); }};
}

} // namespace plimsoll::cli
