#include "core/sandbox/system_calls.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <memory>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <type_traits>
#include <unistd.h>

namespace plimsoll {
namespace {

struct ForbiddenCall
{
    int call;
    Attempt attempt;
};

constexpr ForbiddenCall Forbidden[] = {
    {SCMP_SYS(socket), Attempt::Network},
    {SCMP_SYS(socketpair), Attempt::Network},
    {SCMP_SYS(connect), Attempt::Network},
    {SCMP_SYS(bind), Attempt::Network},
    {SCMP_SYS(listen), Attempt::Network},
    {SCMP_SYS(accept), Attempt::Network},
    {SCMP_SYS(accept4), Attempt::Network},
    {SCMP_SYS(sendto), Attempt::Network},
    {SCMP_SYS(sendmsg), Attempt::Network},
    {SCMP_SYS(sendmmsg), Attempt::Network},
    {SCMP_SYS(execve), Attempt::Program},
    {SCMP_SYS(execveat), Attempt::Program},
    {SCMP_SYS(fork), Attempt::Process},
    {SCMP_SYS(vfork), Attempt::Process},
    {SCMP_SYS(ptrace), Attempt::OtherProcess},
    {SCMP_SYS(process_vm_readv), Attempt::OtherProcess},
    {SCMP_SYS(process_vm_writev), Attempt::OtherProcess},
    {SCMP_SYS(process_madvise), Attempt::OtherProcess},
    {SCMP_SYS(pidfd_getfd), Attempt::OtherProcess},
    {SCMP_SYS(pidfd_send_signal), Attempt::OtherProcess},
    {SCMP_SYS(kcmp), Attempt::OtherProcess},
    {SCMP_SYS(add_key), Attempt::System},
    {SCMP_SYS(bpf), Attempt::System},
    {SCMP_SYS(chroot), Attempt::System},
    {SCMP_SYS(delete_module), Attempt::System},
    {SCMP_SYS(finit_module), Attempt::System},
    {SCMP_SYS(fsconfig), Attempt::System},
    {SCMP_SYS(fsmount), Attempt::System},
    {SCMP_SYS(fsopen), Attempt::System},
    {SCMP_SYS(init_module), Attempt::System},
    {SCMP_SYS(io_uring_enter), Attempt::System},
    {SCMP_SYS(io_uring_register), Attempt::System},
    {SCMP_SYS(io_uring_setup), Attempt::System},
    {SCMP_SYS(kexec_load), Attempt::System},
    {SCMP_SYS(keyctl), Attempt::System},
    {SCMP_SYS(mount), Attempt::System},
    {SCMP_SYS(move_mount), Attempt::System},
    {SCMP_SYS(open_by_handle_at), Attempt::System},
    {SCMP_SYS(open_tree), Attempt::System},
    {SCMP_SYS(perf_event_open), Attempt::System},
    {SCMP_SYS(pivot_root), Attempt::System},
    {SCMP_SYS(reboot), Attempt::System},
    {SCMP_SYS(request_key), Attempt::System},
    {SCMP_SYS(setns), Attempt::System},
    {SCMP_SYS(umount2), Attempt::System},
    {SCMP_SYS(unshare), Attempt::System},
    {SCMP_SYS(userfaultfd), Attempt::System},
};

/// What kernels, OpenMP, oneDNN and the C library call. All else fails with EPERM.
constexpr int Computing[] = {
    // memory
    SCMP_SYS(brk), SCMP_SYS(madvise), SCMP_SYS(membarrier), SCMP_SYS(mincore), SCMP_SYS(mlock), SCMP_SYS(mmap),
    SCMP_SYS(mprotect), SCMP_SYS(mremap), SCMP_SYS(msync), SCMP_SYS(munlock), SCMP_SYS(munmap),
    // files that are open, and facts of files
    SCMP_SYS(access), SCMP_SYS(close), SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3), SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2), SCMP_SYS(fadvise64), SCMP_SYS(fcntl), SCMP_SYS(fdatasync), SCMP_SYS(flock), SCMP_SYS(fstat),
    SCMP_SYS(fstatfs), SCMP_SYS(fsync), SCMP_SYS(ftruncate), SCMP_SYS(getcwd), SCMP_SYS(getdents64), SCMP_SYS(lseek),
    SCMP_SYS(lstat), SCMP_SYS(newfstatat), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(pread64), SCMP_SYS(pselect6),
    SCMP_SYS(pwrite64), SCMP_SYS(read), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(readv), SCMP_SYS(select),
    SCMP_SYS(stat), SCMP_SYS(statfs), SCMP_SYS(statx), SCMP_SYS(write), SCMP_SYS(writev),
    // threads, signals and the end
    SCMP_SYS(arch_prctl), SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(futex), SCMP_SYS(get_robust_list),
    SCMP_SYS(getcpu), SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(gettid), SCMP_SYS(restart_syscall), SCMP_SYS(rseq),
    SCMP_SYS(rt_sigpending), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigsuspend),
    SCMP_SYS(rt_sigtimedwait), SCMP_SYS(sched_get_priority_max), SCMP_SYS(sched_get_priority_min),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler), SCMP_SYS(sched_setaffinity),
    SCMP_SYS(sched_yield), SCMP_SYS(set_robust_list), SCMP_SYS(set_tid_address), SCMP_SYS(sigaltstack),
    // facts of the process and the machine
    SCMP_SYS(clock_getres), SCMP_SYS(clock_gettime), SCMP_SYS(clock_nanosleep), SCMP_SYS(getegid), SCMP_SYS(geteuid),
    SCMP_SYS(getgid), SCMP_SYS(getrandom), SCMP_SYS(getrlimit), SCMP_SYS(getrusage), SCMP_SYS(gettimeofday),
    SCMP_SYS(getuid), SCMP_SYS(nanosleep), SCMP_SYS(sysinfo), SCMP_SYS(time), SCMP_SYS(times), SCMP_SYS(uname)};

using Filter = std::unique_ptr<std::remove_pointer_t<scmp_filter_ctx>, decltype(&seccomp_release)>;

/// A rule for a call that this architecture does not have is none.
template <typename... Compared>
void add(const Filter& filter, std::uint32_t action, int call, Compared... compared)
{
    seccomp_rule_add(filter.get(), action, call, sizeof...(compared), compared...);
}

/// Threads are made; processes are not. What clone3 is told lies in memory, which no filter reads: without it the C
/// library calls clone.
void addThreads(const Filter& filter, std::uint32_t action)
{
    const std::uint64_t thread = CLONE_THREAD;
    add(filter, action, SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, thread, 0));
    add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3));
}

/// Files are opened for reading: which, says Landlock.
void addOpen(const Filter& filter)
{
    const std::uint64_t writes = O_ACCMODE | O_CREAT | O_TRUNC;
    add(filter, SCMP_ACT_ALLOW, SCMP_SYS(open), SCMP_A1(SCMP_CMP_MASKED_EQ, writes, O_RDONLY));
    add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), SCMP_A2(SCMP_CMP_MASKED_EQ, writes, O_RDONLY));
    add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(openat2));
}

/// Nothing of a terminal but whether it is one: others would type into it.
void addComputing(const Filter& filter)
{
    for (const int call : Computing)
        add(filter, SCMP_ACT_ALLOW, call);
    addOpen(filter);
    add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
    add(filter, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_EQ, TCGETS));
    add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME));
    add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), SCMP_A2(SCMP_CMP_EQ, 0)); // asked, not set
    add(filter, SCMP_ACT_ALLOW, SCMP_SYS(rt_sigaction), SCMP_A0(SCMP_CMP_NE, SIGSYS));
    const auto self = static_cast<scmp_datum_t>(getpid());
    add(filter, SCMP_ACT_ALLOW, SCMP_SYS(kill), SCMP_A0(SCMP_CMP_EQ, self));
    add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), SCMP_A0(SCMP_CMP_EQ, self));
}

std::vector<sock_filter> compiled(const Filter& filter)
{
    constexpr std::uint32_t BinaryTree = 2;
    seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_OPTIMIZE, BinaryTree);
    const int file = memfd_create("filter", MFD_CLOEXEC);
    std::vector<sock_filter> program;
    if (file >= 0 && seccomp_export_bpf(filter.get(), file) == 0) {
        const off_t bytes = lseek(file, 0, SEEK_END);
        program.resize(static_cast<std::size_t>(std::max<off_t>(bytes, 0)) / sizeof(sock_filter));
        if (pread(file, program.data(), program.size() * sizeof(sock_filter), 0) != bytes) program.clear();
    }
    if (file >= 0) close(file);
    return program;
}

} // namespace

bool filtersCalls()
{
    const std::uint32_t action = SECCOMP_RET_TRAP;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

std::vector<sock_filter> callFilter(Inmate inmate)
{
    if (!filtersCalls()) return {};
    const bool computes = inmate == Inmate::Kernels;
    const Filter filter(seccomp_init(computes ? SCMP_ACT_ERRNO(EPERM) : SCMP_ACT_ALLOW), &seccomp_release);
    if (!filter) return {};
    const std::uint32_t refuse = computes ? SCMP_ACT_TRAP : SCMP_ACT_ERRNO(EPERM);
    for (const auto& [call, attempt] : Forbidden) {
        const bool outward = attempt == Attempt::OtherProcess || attempt == Attempt::System;
        const bool ofPrograms = attempt != Attempt::Program; // it is executed once more
        if (computes || outward || (inmate == Inmate::Program && ofPrograms)) add(filter, refuse, call);
    }
    if (inmate != Inmate::Devices) addThreads(filter, refuse);
    if (computes) addComputing(filter);
    return compiled(filter);
}

Attempt attemptOf(int call) noexcept
{
    for (const ForbiddenCall& forbidden : Forbidden) {
        if (forbidden.call == call) return forbidden.attempt;
    }
    return Attempt::Process; // clone
}

} // namespace plimsoll
