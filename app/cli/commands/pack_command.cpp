#include "app/cli/commands/all_commands.h"
#include "app/cli/commands/pack_report.h"
#include "app/cli/files.h"
#include "app/cli/interrupt.h"
#include "app/cli/printed.h"
#include "app/cli/search_options.h"
#include "app/cli/spool_file.h"
#include "core/base/bytes.h"
#include "core/base/output_file.h"
#include "core/base/outputs.h"
#include "core/formats/packing/packing_csv.h"
#include "core/formats/packing/packing_file.h"
#include "core/formats/read_graph.h"
#include "core/placement/placement.h"
#include "core/report/reproducible.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>

namespace plimsoll::cli {
namespace {

struct PackOptions
{
    std::string problem;
    std::string capacity;
    double seconds = 10;
    bool reproducible = false;
    std::optional<std::int64_t> work;
    std::uint64_t seed = 1;
    std::string algorithm = "best";
    bool repack = false;
    std::size_t mostRows = MostPackingRows;
    std::string output;
    std::string json;
};

/// Buffers are numbered with 32 bits.
constexpr std::int64_t MostRowsOfAll = 2'000'000'000;

/// Standard input as a file, so that it can be read twice without being held; gone with the process.
Result<std::filesystem::path> spoolStandardInput(SpoolFile& spool)
{
    PLIMSOLL_TRY(spool.open());
    std::ofstream copy(spool.path(), std::ios::binary);
    if (std::cin.peek() != std::istream::traits_type::eof()) copy << std::cin.rdbuf();
    copy.flush();
    if (copy) return spool.path();
    return Error {ErrorCode::Unsupported, say("pack.not-kept"), spool.path().string(), {}};
}

/// The table, and the file that the answer repeats.
struct Input
{
    PackingTable table;
    std::filesystem::path file;
};

Result<Input> readInput(const PackOptions& options, SpoolFile& spool)
{
    Input input {{}, options.problem};
    if (options.problem == "-" && !options.output.empty()) {
        PLIMSOLL_ASSIGN(file, spoolStandardInput(spool));
        input.file = std::move(file);
    }
    auto table = input.file == "-" ? readPackingStream(std::cin, options.mostRows)
                                   : readPackingFile(input.file, options.mostRows);
    if (!table.ok()) {
        Error error = table.error();
        if (options.problem == "-") error.file = "standard input";
        return error;
    }
    input.table = std::move(table).value();
    return input;
}

Status setCapacity(Problem& problem, const std::string& text)
{
    if (text.empty()) return {};
    const auto bytes = parseBytes(text);
    if (!bytes) return Error {ErrorCode::BadUsage, say("pack.capacity", Remedy::option("capacity")), {}, {}};
    problem.arenas.front().capacityBytes = *bytes;
    return {};
}

Result<SearchAnswer> searchUntilItFits(const Problem& problem, const PackOptions& options)
{
    const InterruptStops interrupt;
    std::stop_source enough;
    const std::stop_callback onInterrupt(interrupt.token(), [&] { enough.request_stop(); });
    const bool terminal = canShowIncumbents();
    const auto capacity = problem.arenas.front().capacityBytes;
    SearchOptions limits;
    limits.seed = options.seed;
    limits.workLimit = options.work;
    if (!options.work) limits.secondsLimit = options.seconds;
    limits.improved = [&](const Incumbent& now, const std::function<Plan()>&) {
        if (terminal) showIncumbent(now);
        if (capacity && now.peakBytes <= *capacity) enough.request_stop();
    };
    Context context;
    context.stop = enough.get_token();
    auto answer = search(problem, options.algorithm, limits, context);
    clearIncumbent();
    if (answer.ok() && options.reproducible) {
        leaveOutTimes(answer.value().history);
        answer.value().seconds = answer.value().firstPlanSeconds = std::numeric_limits<double>::quiet_NaN();
    }
    return answer;
}

/// A CSV is repeated line by line, with the offsets in its last column; of anything else one is made.
Status writeTable(const Input& input, const Plan& plan, std::ostream& out)
{
    if (input.table.allocator) return writePackingCsv(input.table, plan.allocations, out);
    std::ifstream repeated(input.file, std::ios::binary);
    return writePackingCsv(repeated, plan, out);
}

Status writeAnswer(const PackOptions& options, const Input& input, const Plan& plan)
{
    if (options.output.empty()) return {};
    if (options.output == "-") return writeTable(input, plan, std::cout);
    PLIMSOLL_ASSIGN(out, OutputFile::open(options.output));
    const Status written = writeTable(input, plan, out.stream());
    if (out.stream()) PLIMSOLL_TRY(written);
    return out.commit();
}

Result<ExitStatus> tell(const PackReport& report, const PackOptions& options)
{
    if (!options.json.empty()) PLIMSOLL_TRY(writeText(options.json, packJson(report)));
    if (options.json != "-" && options.output != "-") PLIMSOLL_TRY(printText(packText(report)));
    return report.fits() && report.verdict.legal() ? ExitStatus::Fine : ExitStatus::Findings;
}

/// Buffers are known by their ids, not by their numbers.
Status checkSizes(const PackingTable& table)
{
    const auto fault = findFault(table.problem);
    if (!fault) return {};
    return Error {ErrorCode::BadInput, fault->message, "buffer '" + table.ids[fault->buffer] + "'", {}};
}

Result<ExitStatus> judgeGiven(Input& input, const PackOptions& options)
{
    PackReport report {input.table};
    if (!input.table.allocator) PLIMSOLL_TRY(setCapacity(input.table.problem, options.capacity));
    for (std::size_t buffer = 0; buffer < input.table.offsets.size(); ++buffer) {
        const auto& offset = input.table.offsets[buffer];
        if (!offset) {
            return Error {ErrorCode::BadInput,
                          say("pack.no-offset", Remedy::option("repack")),
                          "buffer '" + input.table.ids[buffer] + "'",
                          {}};
        }
        report.given.push_back({ArenaId(std::int32_t {0}), *offset});
    }
    report.verdict = judgePacking(input.table.problem, report.given);
    if (!input.table.allocator) return tell(report, options);
    // What the allocator chose is known: the question is what there would have been to gain, and in how many bytes.
    PLIMSOLL_TRY(setCapacity(input.table.problem, options.capacity));
    PLIMSOLL_ASSIGN(answer, searchUntilItFits(input.table.problem, options));
    report.anew = std::move(answer);
    PLIMSOLL_TRY(writeAnswer(options, input, Plan {report.given, {}, "given"}));
    return tell(report, options);
}

Result<ExitStatus> pack(const PackOptions& options)
{
    std::vector<std::filesystem::path> read;
    if (options.problem != "-") read.push_back(fileOfGraph(options.problem));
    PLIMSOLL_TRY(checkOutputs({{"-o", options.output}, {"--json", options.json}}, read));
    SpoolFile spool;
    PLIMSOLL_ASSIGN(input, readInput(options, spool));
    PLIMSOLL_TRY(checkSizes(input.table));
    if (!input.table.offsets.empty() && !options.repack) return judgeGiven(input, options);
    PLIMSOLL_TRY(setCapacity(input.table.problem, options.capacity));
    PackReport report {input.table};
    PLIMSOLL_ASSIGN(answer, searchUntilItFits(input.table.problem, options));
    report.answer = std::move(answer);
    report.verdict = judgePacking(input.table.problem, report.answer->plan.allocations);
    PLIMSOLL_TRY(writeAnswer(options, input, report.answer->plan));
    return tell(report, options);
}

/// Errors are of the table, found by the reader or by the search.
Result<ExitStatus> packFile(const PackOptions& options)
{
    Result<ExitStatus> done = pack(options);
    if (done.ok() || done.error().code != ErrorCode::BadInput || !done.error().file.empty()) return done;
    Error error = done.error();
    error.file = options.problem == "-" ? "standard input" : options.problem;
    return error;
}

} // namespace

Command packCommand()
{
    auto options = std::make_shared<PackOptions>();
    return {
        .name = "pack",
        .meaning = "Find offsets for a table of buffers, or judge those it has: exit 1 when they do not fit",
        .arguments = {{"PROBLEM", &options->problem,
                       "CSV with id, lower, upper, size, or a memory snapshot of PyTorch; '-' is standard input", true},
                      {"--capacity", &options->capacity, "Stop at the first plan that fits in so many bytes"},
                      {.names = "--time-limit",
                       .target = &options->seconds,
                       .meaning = "Seconds of search; the first plan is made in any case. Ctrl+C keeps the best so far",
                       .showsDefault = true,
                       .fault = belowZeroFault},
                      workLimitArgument(options->work),
                      searchSeedArgument(options->seed),
                      {.names = "--algorithm",
                       .target = &options->algorithm,
                       .meaning = "best, or the id of one algorithm",
                       .showsDefault = true},
                      {"--reproducible", &options->reproducible,
                       "Write no times: with --work-limit the same table gives the same bytes"},
                      {"--repack", &options->repack, "Find new offsets though the table has some"},
                      {.names = "--max-rows",
                       .target = &options->mostRows,
                       .meaning = "Refuse tables with more buffers; each takes some 170 bytes to read",
                       .showsDefault = true,
                       .range = {{1, MostRowsOfAll}}},
                      {"-o,--output", &options->output,
                       "Write the table with its offsets there; '-' is standard output"},
                      {"--json", &options->json, "Write plimsoll.pack/1 there; '-' is standard output"}},
        .run = [options] { return packFile(*options); }};
}

} // namespace plimsoll::cli
