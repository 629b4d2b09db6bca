#include "app/cli/command.h"
#include "app/cli/files.h"
#include "app/cli/interrupt.h"
#include "app/cli/pack_report.h"
#include "core/base/bytes.h"
#include "core/formats/packing_csv.h"
#include "core/placement/placement.h"

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

namespace plimsoll::cli {
namespace {

struct PackOptions
{
    std::string problem;
    std::string capacity;
    double seconds = 10;
    std::optional<std::int64_t> work;
    std::uint64_t seed = 1;
    std::string algorithm = "best";
    bool repack = false;
    std::string output;
    std::string json;
};

/// The table, and its text where it came from standard input and is to be repeated in the answer.
struct Input
{
    PackingTable table;
    std::string text;
};

Result<Input> readInput(const PackOptions& options)
{
    Input input;
    if (options.problem != "-") {
        PLIMSOLL_ASSIGN(table, readPackingCsv(options.problem));
        input.table = std::move(table);
        return input;
    }
    std::ostringstream all;
    all << std::cin.rdbuf();
    input.text = std::move(all).str();
    std::istringstream stream(input.text);
    PLIMSOLL_ASSIGN(table, readPackingCsv(stream));
    input.table = std::move(table);
    return input;
}

Status setCapacity(Problem& problem, const std::string& text)
{
    if (text.empty()) return {};
    const auto bytes = parseBytes(text);
    if (!bytes) return Error {ErrorCode::BadUsage, "--capacity wants bytes, such as 1048576 or 1MiB.", {}, {}};
    problem.arenas.front().capacityBytes = *bytes;
    return {};
}

/// Shows on a terminal how the search gets on.
void showIncumbent(const Incumbent& now)
{
    std::cerr << "\r\033[K" << formatCount(now.peakBytes) << " B, bound " << formatCount(now.boundBytes) << " B  ("
              << now.member << ')' << std::flush;
}

Result<SearchAnswer> searchUntilItFits(const Problem& problem, const PackOptions& options)
{
    const InterruptStops interrupt;
    std::stop_source enough;
    const std::stop_callback onInterrupt(interrupt.token(), [&] { enough.request_stop(); });
    const bool terminal = isatty(STDERR_FILENO) != 0;
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
    if (terminal) std::cerr << "\r\033[K" << std::flush;
    return answer;
}

Status writeAnswer(const PackOptions& options, const Input& input, const Plan& plan)
{
    if (options.output.empty()) return {};
    std::ifstream file;
    std::istringstream text(input.text);
    if (options.problem != "-") file.open(options.problem);
    std::istream& repeated = options.problem == "-" ? static_cast<std::istream&>(text) : file;
    if (options.output == "-") return writePackingCsv(repeated, plan, std::cout);
    std::ofstream out(options.output);
    PLIMSOLL_TRY(writePackingCsv(repeated, plan, out));
    out.flush();
    if (!out) return Error {ErrorCode::BadInput, "This file cannot be written.", options.output, {}};
    return {};
}

Result<ExitStatus> tell(const PackReport& report, const PackOptions& options)
{
    if (!options.json.empty()) PLIMSOLL_TRY(writeText(options.json, packJson(report)));
    if (options.json != "-" && options.output != "-") PLIMSOLL_TRY(writeText("-", packText(report)));
    return report.fits() && report.verdict.legal() ? ExitStatus::Fine : ExitStatus::Findings;
}

Result<ExitStatus> judgeGiven(const Input& input, const PackOptions& options)
{
    PackReport report {input.table};
    PLIMSOLL_TRY(checkProblem(input.table.problem));
    for (std::size_t buffer = 0; buffer < input.table.offsets.size(); ++buffer) {
        const auto& offset = input.table.offsets[buffer];
        if (!offset) {
            return Error {ErrorCode::BadInput,
                          "It has no offset, while others have; --repack makes new ones.",
                          "buffer '" + input.table.ids[buffer] + "'",
                          {}};
        }
        report.given.push_back({ArenaId(std::int32_t {0}), *offset});
    }
    report.verdict = judgePacking(input.table.problem, report.given);
    return tell(report, options);
}

Result<ExitStatus> pack(const PackOptions& options)
{
    PLIMSOLL_ASSIGN(input, readInput(options));
    PLIMSOLL_TRY(setCapacity(input.table.problem, options.capacity));
    if (!input.table.offsets.empty() && !options.repack) return judgeGiven(input, options);
    PackReport report {input.table};
    PLIMSOLL_ASSIGN(answer, searchUntilItFits(input.table.problem, options));
    report.answer = std::move(answer);
    report.verdict = judgePacking(input.table.problem, report.answer->plan.allocations);
    PLIMSOLL_TRY(writeAnswer(options, input, report.answer->plan));
    return tell(report, options);
}

} // namespace

void addPackCommand(CLI::App& program, Exit& exit)
{
    auto options = std::make_shared<PackOptions>();
    CLI::App* command = program.add_subcommand(
        "pack", "Find offsets for a table of buffers, or judge those it has: exit 1 when they do not fit");
    command->add_option("PROBLEM", options->problem, "CSV with id, lower, upper, size; '-' is standard input")
        ->required();
    command->add_option("--capacity", options->capacity, "Stop at the first plan that fits in so many bytes");
    command
        ->add_option("--time-limit", options->seconds,
                     "Seconds of search; the first plan is made in any case. Ctrl+C keeps the best so far")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    command->add_option("--work-limit", options->work,
                        "Units of work (about 10 ns) instead of seconds: the same answer on every machine");
    command->add_option("--seed", options->seed, "Of the search")->capture_default_str();
    command->add_option("--algorithm", options->algorithm, "best, or the id of one algorithm")->capture_default_str();
    command->add_flag("--repack", options->repack, "Find new offsets though the table has some");
    command->add_option("-o,--output", options->output,
                        "Write the table with its offsets there; '-' is standard output");
    command->add_option("--json", options->json, "Write plimsoll.pack/1 there; '-' is standard output");
    command->callback([options, &exit] { exit.take(pack(*options)); });
}

} // namespace plimsoll::cli
