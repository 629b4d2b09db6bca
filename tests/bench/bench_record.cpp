// Writes the record of a chain of nodes, opens it, and steps back through it: what opening takes, and what a step does.
//     build/bench/bench_record [NODES] [MIB]      default: 3000 nodes, 1024 MiB of bytes

#include "core/base/stopwatch.h"
#include "core/formats/read_graph.h"
#include "core/pipeline/pipeline.h"
#include "core/record/content_summary.h"
#include "core/record/shown_bytes.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using namespace plimsoll;

namespace {

constexpr std::size_t Steps = 200; ///< That are gone back.

std::string typeOf(std::int64_t elements)
{
    return R"("dtype": "float32", "shape": [)" + std::to_string(elements) + "]";
}

void writeChain(const std::filesystem::path& file, int nodes, std::int64_t elements)
{
    std::ofstream text(file);
    text << R"({"schema": "plimsoll.graph/1", "name": "chain", "inputs": [{"name": "v0", )" << typeOf(elements)
         << R"(}], "nodes": [)";
    for (int i = 0; i < nodes; ++i)
        text << (i == 0 ? "" : ",") << R"({"name": "n)" << i << R"(", "op": "Neg", "inputs": ["v)" << i
             << R"("], "outputs": ["v)" << i + 1 << R"("]})";
    text << R"(], "outputs": ["v)" << nodes << R"("]})";
}

/// As run has it. The bytes are a hole of their length.
void writeRecord(const std::filesystem::path& file, const PlannedProgram& program, std::int64_t elements)
{
    const std::int64_t bytes = elements * 4;
    std::ofstream text(file);
    text << R"({"schema":"plimsoll.record/1","steps":)" << program.schedule.length() << "}\n";
    for (std::int64_t step = 0; step < program.schedule.length(); ++step)
        text << R"({"begin":)" << step << R"(,"kind":"node","node":"n)" << step
             << R"(","op":"Neg","iteration":[],"addresses":[]})"
             << "\n"
             << R"({"wrote":"v)" << step + 1 << R"(","dtype":"float32","shape":[)" << elements << R"(],"bytes":)"
             << bytes << R"(,"at":)" << step * bytes << "}\n"
             << R"({"end":)" << step << R"(,"ms":0.01,"digest":"0123456789abcdef"})"
             << "\n";
    std::ofstream(bytesFileOf(file)).close();
    std::filesystem::resize_file(bytesFileOf(file), static_cast<std::uintmax_t>(program.schedule.length() * bytes));
}

/// What the pane Bytes asks for at each step: whose bytes they are, the first lines, and the figures of a value.
void stepBack(const std::shared_ptr<const RunRecord>& record, const std::shared_ptr<const PlannedProgram>& program)
{
    const Interval all {0, program->map.arenas.front().bytes};
    double most = 0;
    double mostFigures = 0;
    for (std::size_t i = record->moments.size(); i-- > std::max(Steps, record->moments.size()) - Steps;) {
        const Stopwatch watch;
        const ShownBytes shown(record, program, ArenaId(0), all, *record->latestAt(record->moments[i].step));
        for (std::int64_t line = 0; line < std::min<std::int64_t>(50, shown.lines()); ++line)
            (void)shown.elementsText(shown.line(line));
        most = std::max(most, watch.ms());
        const auto content = static_cast<std::size_t>(record->moments[i].contents.begin);
        (void)placeNow(*record, *program, content, i);
        (void)summarise(DType::Float32, record->bytesOf(record->contents[content]));
        mostFigures = std::max(mostFigures, watch.ms());
    }
    std::printf("a step back: %.2f ms at most, with figures (on the worker) %.2f ms\n", most, mostFigures);
}

} // namespace

int main(int count, char** arguments)
{
    const int nodes = count > 1 ? std::atoi(arguments[1]) : 3000;
    const std::int64_t mib = count > 2 ? std::atoi(arguments[2]) : 1024;
    const std::int64_t elements = std::max<std::int64_t>(1, (mib << 20) / nodes / 4);
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "bench_record";
    std::filesystem::create_directories(folder);
    writeChain(folder / "chain.json", nodes, elements);
    PlanRequest request;
    (void)setPolicy(request.policies, "backend", "reference");
    (void)setPolicy(request.policies, "inplace", "off");
    const auto graph = readGraph(folder / "chain.json", {});
    const auto report = graph.ok() ? analyse(graph.value(), request, {}) : Result<Report>(graph.error());
    if (!report.ok()) {
        std::printf("%s\n", report.error().where.c_str());
        return 1;
    }
    const auto program = std::make_shared<const PlannedProgram>(report.value().program);
    writeRecord(folder / "run", *program, elements);
    const Stopwatch watch;
    auto read = readRunRecord(folder / "run", *program);
    std::printf("%d nodes, %lld MiB: opened in %.0f ms\n", nodes, static_cast<long long>(mib), watch.ms());
    if (read.ok()) stepBack(std::make_shared<const RunRecord>(std::move(read).value()), program);
    std::filesystem::remove_all(folder);
    return read.ok() ? 0 : 1;
}
