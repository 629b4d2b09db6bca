// Reads, plans and verifies every ONNX model of a folder and prints what each took.
//     build/bench/bench_engine [FOLDER or FILE…]      default: ../shared/corpora/onnx

#include "core/base/bytes.h"
#include "core/facts/english/english.h"
#include "core/formats/read_graph.h"
#include "core/pipeline/pipeline.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

using namespace plimsoll;

namespace {

constexpr int Repeats = 5;

template <typename Function>
double bestOf(Function&& function)
{
    double best = 1e300;
    for (int i = 0; i < Repeats; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        function();
        best =
            std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    return best;
}

/// VmHWM: the most memory this process ever had, in KiB; -1 where the system does not tell.
long peakResidentKiB()
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        long kib = -1;
        if (word == "VmHWM:" && status >> kib) return kib;
    }
    return -1;
}

void benchModel(const std::filesystem::path& path)
{
    const auto graph = readGraph(path, {});
    if (!graph.ok()) {
        std::printf("%-40s %s\n", path.filename().c_str(), describe(graph.error()).substr(0, 110).c_str());
        return;
    }
    const PlanRequest request;
    const auto report = analyse(graph.value(), request, {});
    if (!report.ok()) {
        std::printf("%-40s %s\n", path.filename().c_str(), describe(report.error()).substr(0, 110).c_str());
        return;
    }
    const double readMs = bestOf([&] { (void)readGraph(path, {}); });
    const double planMs = bestOf([&] { (void)analyse(graph.value(), request, {}); });
    const Report& r = report.value();
    std::printf("%-40s %6zu %9.2f %9.2f %12s %12s %12s %6zu\n", path.filename().c_str(), graph.value().nodes.size(),
                readMs, planMs, formatBytes(r.memory.peakBytes).c_str(), formatBytes(r.memory.lowerBoundBytes).c_str(),
                formatBytes(r.memory.noReuseBytes).c_str(), countFindings(r, Severity::Error));
}

std::vector<std::filesystem::path> modelsIn(const std::filesystem::path& place)
{
    if (!std::filesystem::is_directory(place)) return {place};
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(place)) {
        if (entry.path().extension() == ".onnx") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

int main(int count, char** arguments)
{
    std::vector<std::filesystem::path> places(arguments + 1, arguments + count);
    if (places.empty()) places.emplace_back(PLIMSOLL_SHARED_DIR "/corpora/onnx");
    std::printf("%-40s %6s %9s %9s %12s %12s %12s %6s\n", "model", "nodes", "read ms", "plan ms", "peak", "lower bound",
                "no reuse", "errors");
    for (const auto& place : places) {
        for (const auto& model : modelsIn(place))
            benchModel(model);
    }
    std::printf("best of %d; plan includes verification; peak resident memory %ld MiB\n", Repeats,
                peakResidentKiB() / 1024);
    return 0;
}
