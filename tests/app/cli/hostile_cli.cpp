#include "app/cli/commands/all_commands.h"
#include "app/cli/supervised.h"
#include "core/graph/graph.h"
#include "kernels/run/supervisor.h"

#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <memory>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

using namespace plimsoll;
using namespace plimsoll::cli;

namespace {

/// In pieces, and untouched: what a system that overcommits gives.
bool takesMuch()
{
    constexpr std::size_t Piece = std::size_t {1} << 30;
    std::vector<std::unique_ptr<char[]>> pieces;
    for (int taken = 0; taken < 100; ++taken)
        pieces.emplace_back(new char[Piece]);
    return !pieces.empty();
}

/// A kernel that was taken over. It says how far it came; true: what it tried was done.
bool attack(std::string_view what, int record)
{
    if (what == "connect") return socket(AF_INET, SOCK_STREAM, 0) >= 0;
    if (what == "fork") return fork() >= 0;
    if (what == "exec") return execl("/bin/true", "true", nullptr) == 0;
    if (what == "read") return std::ifstream("/etc/passwd").good();
    if (what == "write") return std::ofstream("hostile.txt").good();
    if (what == "memory") return takesMuch();
    if (what == "fill") return pwrite(record, "x", 1, off_t {5} << 30) == 1;
    while (what == "loop")
        getppid();
    while (what == "babble")
        if (write(kernels::WorkerChannel, "and so on, ", 11) != 11) return false;
    return false;
}

/// In place of the worker of `run`: what that does before the first step, and an attack in its kernel.
Result<ExitStatus> beTakenOver()
{
    const kernels::WorkerReport channel;
    constexpr std::int64_t Memory = std::int64_t {1} << 30;
    kernels::limitWorker({Memory, 60});
    const int record = open("record.jsonl", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600); // it is open before
    shutInWorker(Graph {}, false);
    const char* named = std::getenv("PLIMSOLL_ATTACK");
    const std::string_view what = named ? named : "";
    channel.say(what == "paint" ? "progress 0 1 \x1b[31mconv" : "progress 0 1 conv");
    std::cout << (attack(what, record) ? "done" : "withstood") << std::endl;
    return ExitStatus::Fine;
}

} // namespace

int main(int argc, char** argv)
{
    Command worker = runWorker();
    worker.run = beTakenOver;
    const Command program = {.name = "hostile-cli",
                             .meaning = "plimsoll-cli with a kernel that was taken over",
                             .commands = {runCommand(), {.name = "worker", .meaning = "", .commands = {worker}}}};
    return runProgram(program, "", argc, argv);
}
