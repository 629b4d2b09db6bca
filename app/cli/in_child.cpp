#include "app/cli/in_child.h"

#include "kernels/run/memory/host_memory.h"
#include "kernels/run/supervisor.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace plimsoll::cli {
namespace {

void writeAll(int channel, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t count = write(channel, text.data(), text.size());
        if (count < 0 && errno != EINTR) return;
        if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    }
}

/// The child ends without what a process does at its end: all of that is the parent's.
[[noreturn]] void answer(int channel, pid_t parent, const std::function<std::optional<std::string>()>& compute,
                         const std::function<Sandbox()>& sandbox) noexcept
{
    constexpr std::int64_t MostSeconds = 600;
    kernels::becomeWorker(parent);
    kernels::limitWorker({kernels::freeMemory(), MostSeconds});
    shutIn(sandbox(), channel);
    const std::optional<std::string> text = compute();
    if (!text) _exit(1);
    writeAll(channel, *text);
    _exit(0);
}

/// Ends a child that says more than any answer is long.
std::string answerFrom(int channel, pid_t child)
{
    constexpr std::size_t Longest = std::size_t {1} << 30;
    std::string text;
    char buffer[65536];
    while (true) {
        const ssize_t count = read(channel, buffer, sizeof buffer);
        if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
        if (text.size() > Longest) kill(child, SIGKILL);
        if (text.size() > Longest || count == 0 || (count < 0 && errno != EINTR)) return text;
    }
}

Message attemptBehind(const std::string& text)
{
    constexpr std::size_t LineLength = 10; // "refused 0\n"
    const std::size_t line = text.size() - std::min(text.size(), LineLength);
    return attemptIn(std::string_view(text).substr(line, LineLength - 1)).value_or(Message());
}

} // namespace

std::optional<ChildAnswer> answerOfChild(const std::function<std::optional<std::string>()>& compute,
                                         const std::function<Sandbox()>& sandbox)
{
    int ends[2];
    if (pipe(ends) != 0) return std::nullopt;
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) answer(ends[1], parent, compute, sandbox);
    close(ends[1]);
    std::string text = child > 0 ? answerFrom(ends[0], child) : std::string();
    close(ends[0]);
    if (child < 0) return std::nullopt;
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return ChildAnswer {std::move(text)};
    if (!WIFSIGNALED(status)) return ChildAnswer {};
    const int signal = WTERMSIG(status);
    return ChildAnswer {{}, signal, signal == SIGSYS ? attemptBehind(text) : Message()};
}

} // namespace plimsoll::cli
