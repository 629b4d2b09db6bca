#pragma once

#include "app/cli/options.h"
#include "app/cli/search_options.h"
#include "kernels/run/catalogue.h"

#include <string_view>

namespace plimsoll::cli {

/// Reads a graph of any format; "-" is standard input.
[[nodiscard]] Result<Graph> loadGraph(const std::string& path);

/// The same of a command, none of whose outputs may be among what it reads: the files that it names, and those in which
/// the graph keeps its weights.
[[nodiscard]] Result<Graph> loadGraph(const GraphOptions& options);

/// The files that the options name, to be read.
[[nodiscard]] std::vector<std::filesystem::path> filesRead(const GraphOptions& options);

/// What may be read of folders of test data: all that is no result, as JSON is unless it is a model.
[[nodiscard]] std::vector<std::filesystem::path> testDataIn(const std::vector<std::string>& folders);

/// Reads the plan that the options name, or the one in a report; "-" is standard input.
[[nodiscard]] Result<PlanFile> loadPlan(const GraphOptions& options);

/// What backends offer for the nodes for which implementations are chosen: with a loss, of backward, too; with the
/// sizes that the plan in the request wants. Libraries are asked in a child process (asked_apart.h), where progress is
/// told, too.
[[nodiscard]] Result<Catalogue> askBackends(const Graph& graph, const PlanRequest& request,
                                            const kernels::BackendQuestion& question, const Context& context);
/// The same: as the file of --catalogue says, or asked of this machine's.
[[nodiscard]] Result<Catalogue> loadCatalogue(const GraphOptions& options, const Graph& graph,
                                              const PlanRequest& request);

/// What is planned: the graph of a file, and a request with its terms, the plan that is given, and what backends offer.
struct ReadyGraph
{
    Graph graph;
    PlanRequest request;
};
/// Every error names a file.
[[nodiscard]] Result<ReadyGraph> readyGraph(const GraphOptions& options, PlanRequest request);

/// Reads and plans, or judges the plan that the options name; what the backends of this machine offer is asked first,
/// where that has a say. Every error names a file.
[[nodiscard]] Result<Report> analyseFile(const GraphOptions& options, PlanRequest request);

/// The same for what goes on with a plan of our own: a graph that declares an identity or a view that cannot be one
/// is bad input, since no plan of it means anything. (`check` and `report` show it as a finding.)
[[nodiscard]] Result<Report> planFile(const GraphOptions& options, PlanRequest request);

using Analyse = Result<Report> (*)(const GraphOptions& options, PlanRequest request);
/// One of the two with a search as long as the options say: Ctrl+C ends it and keeps the best plan so far.
[[nodiscard]] Result<Report> analyseAndSearch(const GraphOptions& options, const SearchOptionValues& search,
                                              Analyse analyseIt);

/// Writes all of it, or says why not; "-" is standard output.
[[nodiscard]] Status writeText(const std::string& path, std::string_view text);

/// One text for a file; an empty path: none is asked for.
struct TextFile
{
    std::string path;
    std::string text;
};
/// Writes all texts, or none where one cannot be written; to standard output last.
[[nodiscard]] Status writeTexts(const std::vector<TextFile>& files);

} // namespace plimsoll::cli
