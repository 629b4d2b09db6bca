#include "app/cli/files.h"

#include "app/cli/asked_apart.h"
#include "app/cli/interrupt.h"
#include "app/cli/read_apart.h"
#include "core/advice/what_if.h"
#include "core/base/output_file.h"
#include "core/facts/english/english.h"
#include "core/formats/files/data_file.h"
#include "core/formats/plimsoll/catalogue_json.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/formats/plimsoll/session_graph.h"
#include "core/formats/read_graph.h"
#include "core/formats/terms.h"
#include "core/ops/dialects/arena_rules.h"
#include "core/report/reproducible.h"

#include <algorithm>
#include <iostream>
#include <iterator>

namespace plimsoll::cli {
namespace {

constexpr const char* StandardInput = "standard input";

/// As much as is read of a file.
Result<std::string> readStandardInput()
{
    constexpr std::size_t Most = std::size_t {2} << 30U;
    constexpr std::size_t Piece = std::size_t {1} << 20U;
    std::string text;
    while (std::cin) {
        const std::size_t before = text.size();
        if (before > Most) return Error {ErrorCode::BadInput, say("cli.input-too-large"), {}, StandardInput};
        text.resize(before + Piece);
        std::cin.read(text.data() + before, Piece);
        text.resize(before + static_cast<std::size_t>(std::cin.gcount()));
    }
    return text;
}

/// A graph, with the choices of a session or none.
Result<SessionContent> loadContent(const std::string& path, bool isolate = false)
{
    if (isolate && path != "-") PLIMSOLL_TRY(tryReading(path));
    if (path != "-" && isSessionFile(path)) return readSessionContent(path, {});
    if (path != "-") {
        PLIMSOLL_ASSIGN(file, readFile(std::filesystem::path(path), {}));
        return SessionContent {std::move(file)};
    }
    PLIMSOLL_ASSIGN(text, readStandardInput());
    if (isolate) PLIMSOLL_TRY(tryReading(StandardInput, [&] { (void)readFile(FormatInput(text), {}); }));
    Result<FormatContent> content = readFile(FormatInput(text), {});
    if (content.ok()) return SessionContent {std::move(content).value()};
    Error error = content.error();
    if (error.file.empty()) error.file = StandardInput;
    return error;
}

Result<SessionContent> loadContent(const GraphOptions& options)
{
    PLIMSOLL_TRY(checkOutputs(options.outputs, filesRead(options)));
    PLIMSOLL_ASSIGN(loaded, loadContent(options.graph, options.isolate));
    const Graph& graph = loaded.content.graph;
    std::vector<std::filesystem::path> files = dataFilesOf(graph);
    if (!graph.file.path.empty()) files.push_back(graph.file.path); // of a session, another file than the options name
    PLIMSOLL_TRY(checkOutputs(options.outputs, files));
    return loaded;
}

/// What the options say goes before what the session says.
std::set<std::string, std::less<>> takeChoices(const GraphOptions& options, SessionContent& loaded,
                                               PlanRequest& request)
{
    const SessionChoices& choices = loaded.choices;
    std::set<std::string, std::less<>> named = namedPolicies(options);
    std::map<std::string, std::string> policies = choices.policies;
    std::erase_if(policies, [&](const auto& policy) { return named.contains(policy.first); });
    for (Message& refused : takePolicies(policies, request.policies, named))
        loaded.content.graph.notes.push_back(std::move(refused));
    request.shapes.dims.insert(choices.dims.begin(), choices.dims.end());
    request.shapes.shapes.insert(choices.shapes.begin(), choices.shapes.end());
    request.shapes.maxStored.insert(choices.maxStored.begin(), choices.maxStored.end());
    Constraints constraints = choices.constraints;
    ask(constraints, request.constraints);
    request.constraints = std::move(constraints);
    return named;
}

} // namespace

Result<Graph> loadGraph(const std::string& path)
{
    PLIMSOLL_ASSIGN(loaded, loadContent(path));
    return std::move(loaded.content.graph);
}

Result<Graph> loadGraph(const GraphOptions& options)
{
    PLIMSOLL_ASSIGN(loaded, loadContent(options));
    return std::move(loaded.content.graph);
}

std::vector<std::filesystem::path> filesRead(const GraphOptions& options)
{
    std::vector<std::filesystem::path> files;
    for (const std::string& file : {options.graph, options.plan, options.catalogue, options.derivatives}) {
        if (!file.empty() && file != "-") files.push_back(fileOfGraph(file));
    }
    return files;
}

std::vector<std::filesystem::path> testDataIn(const std::vector<std::string>& folders)
{
    namespace fs = std::filesystem;
    std::vector<fs::path> files;
    std::error_code none;
    for (const std::string& folder : folders) {
        for (fs::recursive_directory_iterator entry(folder, none), end; !none && entry != end; entry.increment(none)) {
            const fs::path& file = entry->path();
            const bool json = file.extension() == ".json" || file.extension() == ".jsonl";
            if (!json || file.stem() == "model") files.push_back(file);
        }
    }
    return files;
}

Result<PlanFile> loadPlan(const GraphOptions& options)
{
    if (options.plan != "-") {
        if (options.isolate) PLIMSOLL_TRY(tryReading(options.plan));
        return readPlan(options.plan);
    }
    PLIMSOLL_ASSIGN(text, readStandardInput());
    if (options.isolate) PLIMSOLL_TRY(tryReading(StandardInput, [&] { (void)readPlanJson(text, StandardInput); }));
    return readPlanJson(text, StandardInput);
}

Result<Catalogue> askBackends(const Graph& graph, const PlanRequest& request, const kernels::BackendQuestion& question,
                              const Context& context)
{
    PLIMSOLL_ASSIGN(ofPlan, dimsOfPlan(graph, request, context));
    PlanRequest bound = request;
    bound.shapes.dims.insert(ofPlan.dims.begin(), ofPlan.dims.end());
    const bool trains = graph.loss.valid();
    PLIMSOLL_ASSIGN(joint, trains ? graphToDispatch(graph, bound, context) : Result<Graph>(graph));
    PLIMSOLL_ASSIGN(inferred, inferTypes(joint, trains ? InferenceRequest {} : bound.shapes, context));
    return askApart([&] { return kernels::describeInferred(inferred, context, question); },
                    dataFilesOf(inferred.graph));
}

Result<Catalogue> loadCatalogue(const GraphOptions& options, const Graph& graph, const PlanRequest& request)
{
    if (options.catalogue == "-") {
        PLIMSOLL_ASSIGN(text, readStandardInput());
        return readCatalogueJson(text, StandardInput);
    }
    if (!options.catalogue.empty()) return readCatalogue(options.catalogue);
    const bool wanted = options.whatIf || !request.constraints.pins.empty() ||
                        asksBackends(graph, request.policies, request.givenPlan.get());
    if (!wanted) return Catalogue {};
    const bool named = request.givenPlan && request.givenPlan->implementations;
    return askBackends(
        graph, request,
        kernels::questionFor(request.policies, named ? *request.givenPlan->implementations : request.constraints.pins),
        {});
}

namespace {

/// Without the name of the file in its errors, as the next.
Result<ReadyGraph> readyContent(const GraphOptions& options, PlanRequest request)
{
    if (options.plan == "-" && options.graph == "-") return Error {ErrorCode::BadUsage, say("cli.two-inputs"), {}, {}};
    if (options.catalogue == "-" && (options.graph == "-" || options.plan == "-"))
        return Error {ErrorCode::BadUsage, say("cli.catalogue-input"), {}, {}};
    PLIMSOLL_ASSIGN(loaded, loadContent(options));
    const auto named = takeChoices(options, loaded, request);
    FormatContent& content = loaded.content;
    const Graph& graph = content.graph;
    PlanFile* own = options.graph == "-" ? nullptr : content.wholePlan();
    if (!options.plan.empty()) {
        PLIMSOLL_ASSIGN(given, loadPlan(options));
        request.givenPlan = sharedPlan(std::move(given));
    } else if (own && (options.planOfGraph || (loaded.isSession && options.planOfSession) ||
                       std::ranges::any_of(graph.nodes, arrangesItsMemory))) {
        // other places would not do: an NPU's commands have the addresses built in
        request.givenPlan = sharedPlan(std::move(*own));
    }
    takeTerms(graph, request.givenPlan.get(), named, request.policies);
    PLIMSOLL_ASSIGN(catalogue, loadCatalogue(options, graph, request));
    const auto fault = catalogue.environment.find(OffersKey);
    if (fault != catalogue.environment.end()) content.graph.notes.push_back(fault->second);
    request.catalogue = std::make_shared<const Catalogue>(std::move(catalogue));
    return ReadyGraph {std::move(content.graph), std::move(request)};
}

Result<Report> analyseContent(const GraphOptions& options, PlanRequest asked)
{
    PLIMSOLL_ASSIGN(ready, readyContent(options, std::move(asked)));
    auto& [graph, request] = ready;
    Result<Report> report = analyse(graph, request, {});
    if (!report.ok() || !options.whatIf) return report;
    request.search.improved = {};
    const Context context {request.search.enough, showProgress};
    report.value().policyChanges = priceChanges(graph, request, context);
    if (auto curve = timeAgainstPeak(graph, request, context); curve.ok())
        report.value().tradeOffs = std::move(curve).value();
    clearIncumbent();
    return report;
}

template <typename T>
Result<T> withFile(Result<T> result, const GraphOptions& options)
{
    if (result.ok()) return result;
    Error error = result.error();
    if (error.file.empty()) error.file = options.graph == "-" ? StandardInput : options.graph;
    return error;
}

} // namespace

Result<ReadyGraph> readyGraph(const GraphOptions& options, PlanRequest request)
{
    return withFile(readyContent(options, std::move(request)), options);
}

Result<Report> analyseFile(const GraphOptions& options, PlanRequest request)
{
    auto report = withFile(analyseContent(options, std::move(request)), options);
    if (report.ok() && options.reproducible) leaveOutTimes(report.value());
    return report;
}

Result<Report> planFile(const GraphOptions& options, PlanRequest request)
{
    PLIMSOLL_ASSIGN(report, analyseFile(options, std::move(request)));
    const auto found = std::find_if(report.verdict.findings.begin(), report.verdict.findings.end(),
                                    [](const Finding& finding) { return finding.rule == Rule::FalseIdentity; });
    if (!report.program.ownPlan || found == report.verdict.findings.end()) return report;
    const std::string place = "node '" + (*report.program.graph)[found->nodes.front()].name + "', alias";
    return Error {ErrorCode::BadInput, found->message, place, options.graph == "-" ? StandardInput : options.graph};
}

Result<Report> analyseAndSearch(const GraphOptions& options, const SearchOptionValues& search, Analyse analyseIt)
{
    PLIMSOLL_ASSIGN(request, makeRequest(options));
    std::optional<InterruptStops> interrupt;
    if (search.seconds || search.work || options.whatIf) interrupt.emplace();
    request.search = makeSearchRequest(search, interrupt ? interrupt->token() : std::stop_token());
    auto report = analyseIt(options, std::move(request));
    if (interrupt) clearIncumbent();
    return report;
}

Status writeText(const std::string& path, std::string_view text)
{
    if (path != "-") return writeFile(std::filesystem::path(path), text);
    std::cout << text << std::flush;
    if (!std::cout) return Error {ErrorCode::BadInput, say("cli.no-output"), {}, {}};
    return {};
}

Status writeTexts(const std::vector<TextFile>& files)
{
    std::vector<OutputFile> opened;
    for (const TextFile& file : files) {
        if (file.path.empty() || file.path == "-") continue;
        PLIMSOLL_ASSIGN(out, OutputFile::open(file.path));
        out.stream() << file.text;
        opened.push_back(std::move(out));
    }
    PLIMSOLL_TRY(commitTogether(opened));
    for (const TextFile& file : files) {
        if (file.path == "-") PLIMSOLL_TRY(writeText("-", file.text));
    }
    return {};
}

} // namespace plimsoll::cli
