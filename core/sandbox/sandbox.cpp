#include "core/sandbox/sandbox.h"

#include "core/sandbox/file_rules.h"
#include "core/sandbox/system_calls.h"

#include <array>
#include <csignal>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace plimsoll {
namespace {

#ifdef PLIMSOLL_SANITIZED
constexpr bool Sanitized = true; // sanitizers open files and start threads of their own
#else
constexpr bool Sanitized = false;
#endif

constexpr std::string_view Refused = "refused ";

volatile std::sig_atomic_t attemptChannel = -1;

/// Ends the process by the signal itself, so that its parent sees that.
void tellAttempt(int signal, siginfo_t* info, void*)
{
    char line[] = "refused 0\n";
    line[Refused.size()] = static_cast<char>('0' + static_cast<int>(attemptOf(info->si_syscall)));
    if (write(attemptChannel, line, sizeof line - 1) < 0) {} // the signal tells enough
    raise(signal);
}

void watchAttempts(int channel) noexcept
{
    attemptChannel = channel;
    struct sigaction action = {};
    action.sa_sigaction = tellAttempt;
    action.sa_flags = SA_SIGINFO | static_cast<int>(SA_RESETHAND) | SA_NODEFER;
    sigaction(SIGSYS, &action, nullptr);
}

/// What libraries load late, and where they and the count of free memory find facts.
std::vector<std::filesystem::path> systemFacts()
{
    return {"/etc/ld.so.cache", "/lib",          "/lib64",     "/usr/lib",     "/usr/local/lib",
            "/proc/cpuinfo",    "/proc/meminfo", "/proc/self", "/proc/sys/vm", "/sys/devices/system",
            "/sys/fs/cgroup"};
}

} // namespace

Sandbox sandboxForKernels(const std::vector<std::filesystem::path>& read)
{
    if (Sanitized) return {};
    std::vector<std::filesystem::path> paths = systemFacts();
    paths.insert(paths.end(), read.begin(), read.end());
    return {callFilter(Inmate::Kernels), fileRules(paths, false)};
}

Sandbox sandboxForDevices()
{
    if (Sanitized) return {};
    return {callFilter(Inmate::Devices), -1};
}

Sandbox sandboxForMachine(const std::vector<std::filesystem::path>& read)
{
    return access("/dev/nvidiactl", F_OK) == 0 ? sandboxForDevices() : sandboxForKernels(read);
}

Sandbox sandboxForProgram(const std::vector<std::filesystem::path>& folders)
{
    if (Sanitized) return {};
    return {callFilter(Inmate::Program), fileRules(folders, true)};
}

void shutIn(const Sandbox& sandbox, int channel) noexcept
{
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); // neither comes without
    if (sandbox.files >= 0) obeyFileRules(sandbox.files);
    if (sandbox.calls.empty()) return;
    if (channel >= 0) watchAttempts(channel);
    const sock_fprog program {static_cast<unsigned short>(sandbox.calls.size()),
                              const_cast<sock_filter*>(sandbox.calls.data())};
    // The mitigations of speculation that come with a filter would slow what computes.
    constexpr unsigned Flags = SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, Flags, &program);
}

std::optional<Message> attemptIn(std::string_view line)
{
    const std::array attempts = {say("sandbox.network"), say("sandbox.program"), say("sandbox.process"),
                                 say("sandbox.other-process"), say("sandbox.system")};
    if (!line.starts_with(Refused) || line.size() != Refused.size() + 1) return std::nullopt;
    const auto which = static_cast<std::size_t>(line.back() - '0');
    return which < attempts.size() ? std::optional(attempts[which]) : std::nullopt;
}

std::vector<Message> sandboxGaps()
{
    if (Sanitized) return {say("sandbox.sanitized")};
    std::vector<Message> gaps;
    if (!filtersCalls()) gaps.push_back(say("sandbox.no-filter"));
    if (landlockVersion() == 0) gaps.push_back(say("sandbox.no-landlock"));
    return gaps;
}

} // namespace plimsoll
