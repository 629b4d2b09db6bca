#include "app/cli/commands/command.h"
#include "app/cli/files.h"
#include "core/formats/plimsoll/graph_json.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace plimsoll::cli {
namespace {

struct ConvertOptions
{
    std::string input;
    std::string output;
};

Result<ExitStatus> convert(const ConvertOptions& options)
{
    if (options.output != "-" && !options.output.ends_with(".json")) {
        return Error {ErrorCode::BadUsage,
                      "A graph can be written as plimsoll.graph/1 only: '" + options.output + "' must end in .json.",
                      {},
                      {}};
    }
    GraphOptions reading;
    reading.graph = options.input;
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

void addConvertCommand(CLI::App& program, Exit& exit)
{
    auto options = std::make_shared<ConvertOptions>();
    CLI::App* command = program.add_subcommand("convert", "Write a graph of any format we read as plimsoll.graph/1");
    command->add_option("IN", options->input, "Graph to read; '-' is standard input")->required();
    command->add_option("OUT", options->output, "File to write, *.json; '-' is standard output")->required();
    command->callback([options, &exit] { exit.take(convert(*options)); });
}

} // namespace plimsoll::cli
