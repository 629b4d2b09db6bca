// Packs public and synthetic instances and prints what that took, beside what others reach on the same ones.
//     build/bench/bench_placement [--seconds S] [--most N] [--seed K] [CSV…]
// Without files: MiniMalloc's instances and the traces in ../shared, problems of the shape of traces that are not there
// (gen_traces.py), then the families of ../shared/bench/gen_dsa.py at 1,000 to N (1,000,000) buffers. python3 writes
// what is generated once into the folder for temporary files.

#include "core/facts/english/english.h"
#include "core/formats/packing/packing_csv.h"
#include "core/placement/search/search.h"
#include "tests/bench/placement_rivals.h"
#include "tests/core/placement/packing_check.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <thread>

using namespace plimsoll;
namespace fs = std::filesystem;

namespace {

struct Settings
{
    double seconds = 5;
    int most = 1'000'000;
    std::uint64_t seed = 1;
    std::vector<fs::path> files;
};

/// A line of /proc/self/status in KiB; -1 where the system does not tell.
long statusKiB(const std::string& name)
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        long kib = -1;
        if (word == name && status >> kib) return kib;
    }
    return -1;
}

/// So that VmHWM is of what follows. Works where the kernel allows it.
void forgetPeakMemory()
{
    std::ofstream("/proc/self/clear_refs") << "5";
}

/// Of this process: what a search takes on a machine that does nothing else, however busy this one is.
double cpuSeconds()
{
    timespec now {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Step
{
    double seconds = 0;
    std::int64_t peakBytes = 0;
};

/// When the plan was first at or below this ratio to the load; negative when it never was.
double secondsTo(const std::vector<Step>& steps, double load, double ratio)
{
    for (const Step& step : steps) {
        if (static_cast<double>(step.peakBytes) <= ratio * load) return step.seconds;
    }
    return -1;
}

/// A search of so many seconds of processor time; \p steps are its plans.
Result<SearchAnswer> timedSearch(const Problem& problem, const Settings& settings, std::vector<Step>& steps)
{
    SearchOptions options;
    options.seed = settings.seed;
    const double begin = cpuSeconds();
    options.improved = [&](const Incumbent& now, const std::function<Plan()>&) {
        steps.push_back({cpuSeconds() - begin, now.peakBytes});
    };
    std::stop_source source;
    const std::jthread watch([&, token = source.get_token()](const std::stop_token& ended) {
        while (!ended.stop_requested() && cpuSeconds() - begin < settings.seconds)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        source.request_stop();
    });
    return search(problem, "best", options, {source.get_token(), {}});
}

/// Seconds to the best plan, by buffers, for each family: for the growth that is printed at the end.
using Times = std::map<std::string, std::map<std::size_t, double>>;

void bench(const fs::path& file, const Settings& settings, Times& times)
{
    const std::string name = file.stem().string();
    const auto table = readPackingCsv(file);
    if (!table.ok()) {
        std::printf("%-16s %s\n", name.c_str(), describe(table.error()).c_str());
        return;
    }
    const Problem& problem = table.value().problem;
    std::vector<Step> steps;
    forgetPeakMemory();
    const long before = statusKiB("VmRSS:");
    const auto searched = timedSearch(problem, settings, steps);
    const long used = statusKiB("VmHWM:") - before;
    if (!searched.ok()) {
        std::printf("%-16s %s\n", name.c_str(), describe(searched.error()).c_str());
        return;
    }
    const SearchAnswer& answer = searched.value();
    const auto load = static_cast<double>(std::max<std::int64_t>(answer.loadBytes.front(), 1));
    const std::string wrong = packing_check::sweepTrouble(problem, answer.plan);
    const auto* rival =
        std::find_if(Rivals.begin(), Rivals.end(), [&](const Rival& row) { return row.instance == name; });
    const std::string_view best = rival == Rivals.end() ? "" : rival->best;
    const std::string_view fastest = rival == Rivals.end() ? "" : rival->fastest;
    std::printf("%-15s %8zu %8.4f %8.5f %8.4f %8.3f %9.6f%c %8.3f %-27.*s %5ld | %-36.*s %.*s%s\n", name.c_str(),
                problem.buffers.size(), steps.front().seconds,
                static_cast<double>(answer.history.front().peakBytes) / load, secondsTo(steps, load, 1.10),
                secondsTo(steps, load, 1.002), static_cast<double>(answer.plan.arenaBytes.front()) / load,
                answer.optimal() ? '*' : ' ', steps.back().seconds, static_cast<int>(answer.member.size()),
                answer.member.data(), used / 1024, static_cast<int>(best.size()), best.data(),
                static_cast<int>(fastest.size()), fastest.data(), wrong.empty() ? "" : ("  ILLEGAL: " + wrong).c_str());
    std::fflush(stdout);
    times[name.substr(0, name.find('-'))][problem.buffers.size()] = steps.back().seconds;
}

std::vector<fs::path> tablesIn(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".csv") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// What a generator writes, unless it is there: \p name .csv in the folder for temporary files.
fs::path generated(const std::string& name, const std::string& generator)
{
    const fs::path folder = fs::temp_directory_path() / "plimsoll-dsa";
    const fs::path file = folder / (name + ".csv");
    fs::create_directories(folder);
    if (fs::exists(file)) return file;
    const std::string command = "python3 " + generator + " -o '" + file.string() + ".part'";
    if (std::system(command.c_str()) == 0) fs::rename(file.string() + ".part", file);
    return file;
}

/// Of the generator in ../shared.
fs::path generated(const std::string& family, int count)
{
    const std::string number = std::to_string(count);
    return generated(family + "-" + number, "'" PLIMSOLL_SHARED_DIR "/bench/gen_dsa.py' " + family + " " + number);
}

void benchAll(Settings& settings, Times& times)
{
    for (const fs::path& file : tablesIn(PLIMSOLL_SHARED_DIR "/bench/minimalloc"))
        bench(file, settings, times);
    for (const char* trace : {"somas_resnet50", "iopddl_G_1"})
        bench(fs::path(PLIMSOLL_SHARED_DIR "/corpora/dsa") / (std::string(trace) + ".csv"), settings, times);
    for (const char* trace : {"pangu", "y", "s"})
        bench(generated(std::string("like-") + trace, std::string("'" PLIMSOLL_BENCH_DIR "/gen_traces.py' ") + trace),
              settings, times);
    for (const char* family : {"train", "deep", "infer", "mixed", "tight"}) {
        for (int count = 1000; count <= settings.most; count *= 10)
            bench(generated(family, count), settings, times);
    }
}

void printGrowth(const Times& times)
{
    for (const auto& [family, bySize] : times) {
        if (bySize.size() < 2 || bySize.rbegin()->first < 500'000) continue;
        const auto last = bySize.rbegin();
        const auto previous = std::next(last);
        std::printf("%s: %zu to %zu buffers, time to the best plan times %.1f\n", family.c_str(), previous->first,
                    last->first, last->second / std::max(previous->second, 1e-6));
    }
}

} // namespace

int main(int count, char** arguments)
{
    Settings settings;
    for (int i = 1; i < count; ++i) {
        const bool more = i + 1 < count;
        if (more && std::strcmp(arguments[i], "--seconds") == 0) {
            settings.seconds = std::atof(arguments[++i]);
        } else if (more && std::strcmp(arguments[i], "--most") == 0) {
            settings.most = std::atoi(arguments[++i]);
        } else if (more && std::strcmp(arguments[i], "--seed") == 0) {
            settings.seed = std::strtoull(arguments[++i], nullptr, 10);
        } else {
            settings.files.emplace_back(arguments[i]);
        }
    }
    std::printf("ratios are to the most bytes alive at once, * proved optimal; seconds are of processor time, without "
                "reading\n");
    std::printf("%-15s %8s %8s %8s %8s %8s %10s %8s %-27s %5s | %-36s %s\n", "instance", "buffers", "first s", "ratio",
                "1.10 s", "1.002 s", "best", "at s", "found by", "MiB", "others' best", "others' fastest");
    Times times;
    for (const fs::path& file : settings.files)
        bench(file, settings, times);
    if (settings.files.empty()) benchAll(settings, times);
    printGrowth(times);
    return 0;
}
