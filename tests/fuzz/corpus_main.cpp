#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void run(const std::string& bytes)
{
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

/// One of the files with some bytes changed, left out and repeated; or, without any, bytes alone.
std::string drawn(const std::vector<std::string>& files, std::mt19937_64& random)
{
    const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
    std::string bytes = files.empty() ? std::string() : files[below(files.size())];
    if (bytes.empty()) bytes.resize(1 + below(200));
    const bool fresh = files.empty();
    for (std::size_t changes = fresh ? bytes.size() : 1 + below(8); changes > 0; --changes) {
        const std::size_t at = fresh ? changes - 1 : below(bytes.size());
        const std::size_t kind = fresh ? 0 : below(4);
        if (kind < 2) bytes[at] = static_cast<char>(random());
        if (kind == 2) bytes.erase(at, below(16));
        if (kind == 3) bytes.insert(at, bytes.substr(below(bytes.size()), below(64)));
        if (bytes.empty()) bytes = "0";
    }
    return bytes;
}

std::string underWay; ///< The input that runs.

/// What a signal handler may do: no more than these calls.
void keepInput(int signal)
{
    const int file = open("failing-input", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0 && write(file, underWay.data(), underWay.size()) >= 0) close(file);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

} // namespace

/// Without libFuzzer: runs the target once on every file that is named; after --random SECONDS SEED on bytes that are
/// drawn from them for so long. One that crashes is left in the file "failing-input".
int main(int count, char** arguments)
{
    const bool draws = count > 3 && std::string_view(arguments[1]) == "--random";
    std::vector<std::string> files;
    for (int i = draws ? 4 : 1; i < count; ++i) {
        std::ifstream in(arguments[i], std::ios::binary);
        files.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        run(files.back());
        if (!draws) std::printf("%s: %zu bytes\n", arguments[i], files.back().size());
    }
    if (!draws) return 0;
    std::mt19937_64 random(std::strtoull(arguments[3], nullptr, 10));
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(arguments[2]));
    std::size_t runs = 0;
    for (const int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV})
        std::signal(signal, keepInput);
    for (; std::chrono::steady_clock::now() < end; ++runs) {
        underWay = drawn(files, random);
        run(underWay);
    }
    std::printf("%zu inputs, seed %s\n", runs, arguments[3]);
    return 0;
}
