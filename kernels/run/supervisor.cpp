#include "kernels/run/supervisor.h"

#include "core/base/narrow.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace plimsoll::kernels {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void noteInterrupt(int)
{
    interrupted = 1;
}

Error cannotStart(int code)
{
    return {ErrorCode::Unsupported, say("run.no-worker", std::strerror(code)), {}, {}};
}

int spawnWithChannel(const std::vector<std::string>& arguments, int channel, pid_t& pid)
{
    std::vector<char*> argv;
    std::string name = "plimsoll-cli";
    argv.push_back(name.data());
    std::vector<std::string> copies = arguments;
    for (std::string& argument : copies)
        argv.push_back(argument.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, channel, WorkerChannel);
    const int code = posix_spawn(&pid, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

} // namespace

Result<WorkerProcess> WorkerProcess::start(const std::vector<std::string>& arguments)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return cannotStart(errno);
    // dup2 onto itself would keep close-on-exec: move away from the worker's number first.
    const int writeEnd = fcntl(ends[1], F_DUPFD_CLOEXEC, WorkerChannel + 1);
    close(ends[1]);
    pid_t pid = -1;
    const int code = writeEnd < 0 ? errno : spawnWithChannel(arguments, writeEnd, pid);
    if (writeEnd >= 0) close(writeEnd);
    if (code != 0) {
        close(ends[0]);
        return cannotStart(code);
    }
    return WorkerProcess(pid, ends[0]);
}

WorkerProcess::WorkerProcess(WorkerProcess&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1)), m_channel(std::exchange(other.m_channel, -1)),
      m_pending(std::move(other.m_pending)), m_ended(std::exchange(other.m_ended, true)),
      m_exitStatus(other.m_exitStatus), m_signal(other.m_signal)
{
}

WorkerProcess::~WorkerProcess()
{
    if (!m_ended) kill();
    if (m_channel >= 0) close(m_channel);
}

std::optional<std::string> WorkerProcess::nextLine(std::chrono::milliseconds patience)
{
    while (true) {
        const auto end = m_pending.find('\n');
        if (end != std::string::npos) {
            std::string line = m_pending.substr(0, end);
            m_pending.erase(0, end + 1);
            return line;
        }
        if (m_ended) return std::nullopt;
        pollfd waiting {m_channel, POLLIN, 0};
        const int ready = poll(&waiting, 1, saturated<int>(patience.count()));
        if (ready <= 0) return std::nullopt; // time is up, or an interrupt: the caller looks
        char buffer[65536];
        const ssize_t count = read(m_channel, buffer, sizeof buffer);
        if (count > 0)
            m_pending.append(buffer, static_cast<std::size_t>(count));
        else if (count == 0 || errno != EINTR)
            reap();
    }
}

void WorkerProcess::reap()
{
    int status = 0;
    while (waitpid(m_pid, &status, 0) < 0 && errno == EINTR) {}
    m_ended = true;
    if (WIFEXITED(status)) m_exitStatus = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) m_signal = WTERMSIG(status);
}

void WorkerProcess::stop()
{
    if (m_ended || m_pid < 0) return;
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::seconds(1);
    ::kill(m_pid, SIGTERM);
    while (!m_ended && Clock::now() < deadline)
        static_cast<void>(nextLine(std::chrono::milliseconds(50)));
    kill();
}

void WorkerProcess::kill()
{
    if (m_ended || m_pid < 0) return;
    ::kill(m_pid, SIGKILL);
    reap();
}

WorkerReport::WorkerReport()
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pollfd channel {WorkerChannel, 0, 0};
    const bool isClosed = poll(&channel, 1, 0) > 0 && (channel.revents & POLLERR) != 0;
    if (isClosed) _exit(128 + SIGKILL); // the supervisor died before we could ask
    std::signal(SIGINT, SIG_IGN);       // it decides
    std::signal(SIGPIPE, SIG_IGN);
}

void WorkerReport::say(const std::string& line) const
{
    const std::string text = line + '\n';
    std::size_t at = 0;
    while (at < text.size()) {
        const ssize_t count = write(WorkerChannel, text.data() + at, text.size() - at);
        if (count < 0 && errno != EINTR) return;
        if (count > 0) at += static_cast<std::size_t>(count);
    }
}

std::string signalText(int signal)
{
    const char* name = sigdescr_np(signal);
    return std::string(name ? name : "unknown") + " (signal " + std::to_string(signal) + ")";
}

InterruptGuard::InterruptGuard()
{
    interrupted = 0;
    m_oldInterrupt = std::signal(SIGINT, noteInterrupt);
    m_oldTerminate = std::signal(SIGTERM, noteInterrupt);
}

InterruptGuard::~InterruptGuard()
{
    std::signal(SIGINT, m_oldInterrupt);
    std::signal(SIGTERM, m_oldTerminate);
}

bool InterruptGuard::requested()
{
    return interrupted != 0;
}

} // namespace plimsoll::kernels
