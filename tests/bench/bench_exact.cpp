#include "core/placement/exact/exact_fit.h"

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

using namespace plimsoll;

namespace {

/// Columns lower, upper and size in any order, under a header.
std::vector<FitItem> readItems(const std::string& path)
{
    std::ifstream file(path);
    std::string line;
    std::vector<FitItem> items;
    std::vector<std::string> header;
    if (std::getline(file, line)) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        std::stringstream cells(line);
        for (std::string cell; std::getline(cells, cell, ',');)
            header.push_back(cell);
    }
    while (std::getline(file, line)) {
        std::stringstream cells(line);
        std::string cell;
        FitItem item;
        Interval live;
        for (std::size_t column = 0; column < header.size() && std::getline(cells, cell, ','); ++column) {
            if (header[column] == "lower") {
                live.begin = std::atoll(cell.c_str());
            } else if (header[column] == "upper") {
                live.end = std::atoll(cell.c_str());
            } else if (header[column] == "size") {
                item.bytes = std::atoll(cell.c_str());
            }
        }
        if (live.empty()) continue;
        item.live = LiveRanges(live);
        items.push_back(std::move(item));
    }
    return items;
}

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void measure(const std::string& path, std::int64_t nodes, std::uint64_t seed, bool chatty)
{
    const std::vector<FitItem> items = readItems(path);
    const Clock::time_point start = Clock::now();
    const std::clock_t cpu = std::clock();
    double best = 0;
    std::int64_t peak = -1;
    MinimiseOptions options;
    options.nodes = nodes;
    options.seed = seed;
    options.improved = [&](const Minimum& now) {
        if (now.peak != peak) best = since(start);
        peak = now.peak;
        if (!chatty) return;
        std::printf("  %10.1f ms  peak %" PRId64 " (%.4f)  bound %" PRId64 "\n", since(start), now.peak,
                    static_cast<double>(now.peak) / static_cast<double>(now.bound), now.bound);
        std::fflush(stdout);
    };
    const Minimum found = minimise(items, options, {});
    const double used = 1e3 * static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
    const std::int64_t load = exactBound(items);
    std::printf("%-24s %6zu  %-8s  %14" PRId64 "  %14" PRId64 "  %.4f  %10" PRId64 "  %9.1f  %9.1f  %9.1f\n",
                std::filesystem::path(path).filename().c_str(), items.size(), found.optimal ? "optimal" : "open",
                found.peak, found.bound, static_cast<double>(found.peak) / static_cast<double>(load), found.nodes, best,
                since(start), used);
    std::fflush(stdout);
}

} // namespace

/// bench_exact [--nodes N] [--seed S] [--trace] FILE...: the exact search alone, on CSV files of lower, upper, size.
/// Without files: what the corpora hold.
int main(int argc, char** argv)
{
    std::int64_t nodes = 300'000;
    std::uint64_t seed = 1;
    bool chatty = false;
    std::vector<std::string> paths;
    for (int index = 1; index < argc; ++index) {
        const std::string argument = argv[index];
        if (argument == "--nodes" && index + 1 < argc) {
            nodes = std::atoll(argv[++index]);
        } else if (argument == "--seed" && index + 1 < argc) {
            seed = std::strtoull(argv[++index], nullptr, 10);
        } else if (argument == "--trace") {
            chatty = true;
        } else {
            paths.push_back(argument);
        }
    }
    const std::string shared = PLIMSOLL_SHARED_DIR;
    if (paths.empty()) {
        for (const char letter : std::string("ABCDEFGHIJK"))
            paths.push_back(shared + "/bench/minimalloc/" + letter + ".1048576.csv");
        paths.push_back(shared + "/corpora/dsa/somas_resnet50.csv");
        paths.push_back(shared + "/corpora/dsa/iopddl_G_1.csv");
    }
    std::printf("%-24s %6s  %-8s  %14s  %14s  %6s  %10s  %9s  %9s  %9s\n", "instance", "items", "verdict", "peak",
                "bound", "ratio", "nodes", "best ms", "all ms", "cpu ms");
    for (const std::string& path : paths)
        measure(path, nodes, seed, chatty);
    return 0;
}
