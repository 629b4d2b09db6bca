#pragma once

#include "core/base/message.h"

#include <filesystem>
#include <linux/filter.h>
#include <optional>
#include <string_view>
#include <vector>

namespace plimsoll {

/// What a process may still ask of the system once it is shut in. It is made while memory can be taken and files can be
/// opened; shutIn() does neither, so that it may stand between fork and exec.
struct Sandbox
{
    std::vector<sock_filter> calls; ///< Empty: none is filtered.
    int files = -1;                 ///< A ruleset of Landlock, open as long as this process; -1: none.
};

/// For kernels and libraries of the host: they compute, with threads, read what the system's libraries need and what
/// lies below \p read, and write to what is open. Made by the process that it is for.
[[nodiscard]] Sandbox sandboxForKernels(const std::vector<std::filesystem::path>& read = {});
/// For those of devices, whose drivers open files and sockets and start programs: they reach into no other process, and
/// change nothing of the system.
[[nodiscard]] Sandbox sandboxForDevices();
/// For those of all that this machine has: of devices, where their driver is loaded, else of the host.
[[nodiscard]] Sandbox sandboxForMachine(const std::vector<std::filesystem::path>& read);
/// For a program of the system that is about to be executed: it reads and executes what lies below \p folders, and
/// writes to what is open. No network, no process beside it.
[[nodiscard]] Sandbox sandboxForProgram(const std::vector<std::filesystem::path>& folders);

/// From here on, for all threads. Kernels that try what they may not end by SIGSYS, with a line on \p channel before;
/// of files, and of what libraries try in passing, calls fail.
void shutIn(const Sandbox& sandbox, int channel = -1) noexcept;

/// Of a line on the channel: what was tried, as "open a network connection". Empty for any other line.
[[nodiscard]] std::optional<Message> attemptIn(std::string_view line);

/// What this system has none of, a sentence each. Asked before this process is shut in.
[[nodiscard]] std::vector<Message> sandboxGaps();

} // namespace plimsoll
