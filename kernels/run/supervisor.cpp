#include "kernels/run/supervisor.h"

#include "core/base/narrow.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace plimsoll::kernels {
namespace {

constexpr std::size_t LongestLine = std::size_t {16} << 20;

volatile std::sig_atomic_t interrupted = 0;

void noteInterrupt(int)
{
    interrupted = 1;
}

Error cannotStart(int code)
{
    return {ErrorCode::Unsupported, say("run.no-worker", std::strerror(code)), {}, {}};
}

/// Bytes of private memory that may be written, as RLIMIT_DATA counts them.
rlim_t ownData()
{
    std::ifstream file("/proc/self/statm");
    rlim_t pages = 0;
    for (int field = 0; field < 6; ++field)
        file >> pages;
    return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

/// With the nullptr behind them that exec wants.
std::vector<char*> pointersTo(std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    for (std::string& text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// A copy that no number of the worker's is in the way of: dup2 onto itself would keep close-on-exec. -1 for none.
int movedAway(int descriptor)
{
    return fcntl(descriptor, F_DUPFD_CLOEXEC, WorkerOutput + 1);
}

int spawnWithChannel(const std::vector<std::string>& arguments, int channel, int output, pid_t& pid)
{
    std::vector<std::string> words = {"plimsoll-cli"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> environment = workerEnvironment(environ);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, channel, WorkerChannel);
    if (output >= 0) posix_spawn_file_actions_adddup2(&actions, output, WorkerOutput);
    posix_spawn_file_actions_addclosefrom_np(&actions, (output >= 0 ? WorkerOutput : WorkerChannel) + 1);
    const int code = posix_spawn(&pid, "/proc/self/exe", &actions, nullptr, pointersTo(words).data(),
                                 pointersTo(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

} // namespace

void becomeWorker(int parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(128 + SIGKILL); // it died before that
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    constexpr rlimit NoCore {1, 1}; // 0 would still feed a program that collects core files
    setrlimit(RLIMIT_CORE, &NoCore);
}

std::vector<std::string> workerEnvironment(const char* const* environment)
{
    static constexpr std::string_view Whole = " PATH HOME LANG LANGUAGE TZ TERM TMPDIR NO_COLOR LD_LIBRARY_PATH "
                                              "ASAN_OPTIONS LSAN_OPTIONS TSAN_OPTIONS UBSAN_OPTIONS ";
    static constexpr std::array<std::string_view, 11> Begins = {
        "LC_", "OMP_", "GOMP_", "KMP_", "DNNL_", "ONEDNN_", "CUDA_", "CUBLAS_", "CUDNN_", "NVIDIA_", "PLIMSOLL_"};
    std::vector<std::string> kept;
    for (; *environment; ++environment) {
        const std::string_view variable = *environment;
        const std::string_view name = variable.substr(0, variable.find('='));
        const bool needed =
            Whole.find(' ' + std::string(name) + ' ') != std::string_view::npos ||
            std::ranges::any_of(Begins, [name](std::string_view begin) { return name.starts_with(begin); });
        if (needed) kept.emplace_back(variable);
    }
    const auto says = [](const std::string& variable) { return variable.starts_with("OMP_WAIT_POLICY="); };
    if (std::ranges::none_of(kept, says)) kept.emplace_back("OMP_WAIT_POLICY=passive"); // steps are short, and many
    return kept;
}

void limitWorker(const WorkerLimits& limits)
{
    // Stacks of threads and what libraries keep for themselves come on top.
    constexpr rlim_t Beside = rlim_t {512} << 20;
    const auto set = [](auto which, rlim_t most) {
        const rlimit limit {most, most};
        setrlimit(which, &limit);
    };
    constexpr rlim_t Text = rlim_t {4} << 30; // lines of a record, a report
    std::signal(SIGXFSZ, SIG_IGN);            // what goes beyond fails as on a full disk
    set(RLIMIT_FSIZE, static_cast<rlim_t>(limits.fileBytes) + Text);
    if (limits.memoryBytes > 0) set(RLIMIT_DATA, ownData() + static_cast<rlim_t>(limits.memoryBytes) + Beside);
    const auto processors = static_cast<rlim_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
    if (limits.seconds > 0) set(RLIMIT_CPU, (static_cast<rlim_t>(limits.seconds) + 1) * processors);
}

Result<WorkerProcess> WorkerProcess::start(const std::vector<std::string>& arguments, int output)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return cannotStart(errno);
    const int writeEnd = movedAway(ends[1]);
    const int handed = movedAway(output);
    close(ends[1]);
    pid_t pid = -1;
    const bool lacks = writeEnd < 0 || (output >= 0 && handed < 0);
    const int code = lacks ? EMFILE : spawnWithChannel(arguments, writeEnd, handed, pid);
    if (writeEnd >= 0) close(writeEnd);
    if (handed >= 0) close(handed);
    if (code != 0) {
        close(ends[0]);
        return cannotStart(code);
    }
    return WorkerProcess(pid, ends[0]);
}

WorkerProcess::WorkerProcess(WorkerProcess&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1)), m_channel(std::exchange(other.m_channel, -1)),
      m_pending(std::move(other.m_pending)), m_looked(other.m_looked), m_ended(std::exchange(other.m_ended, true)),
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
    if (auto line = pendingLine()) return line;
    if (m_ended) return std::nullopt;
    pollfd waiting {m_channel, POLLIN, 0};
    const int ready = poll(&waiting, 1, saturated<int>(patience.count()));
    if (ready <= 0) return std::nullopt; // time is up, or an interrupt: the caller looks
    char buffer[65536];
    const ssize_t count = read(m_channel, buffer, sizeof buffer);
    if (count > 0) {
        m_pending.append(buffer, static_cast<std::size_t>(count));
        if (auto line = pendingLine()) return line;
        if (m_pending.size() > LongestLine) kill();
    } else if (count == 0 || errno != EINTR) {
        reap();
    }
    return std::nullopt;
}

/// Looks once at each byte, however slowly a line comes.
std::optional<std::string> WorkerProcess::pendingLine()
{
    const auto end = m_pending.find('\n', m_looked);
    m_looked = end == std::string::npos ? m_pending.size() : 0;
    if (end == std::string::npos) return std::nullopt;
    std::string line = m_pending.substr(0, end);
    m_pending.erase(0, end + 1);
    return line;
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
    becomeWorker(getppid());
    pollfd channel {WorkerChannel, 0, 0};
    const bool isClosed = poll(&channel, 1, 0) > 0 && (channel.revents & POLLERR) != 0;
    if (isClosed) _exit(128 + SIGKILL); // the supervisor died before that
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
