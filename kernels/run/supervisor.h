#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll::kernels {

/// The file descriptor on which a worker finds its supervisor.
inline constexpr int WorkerChannel = 3;
/// And the file that it is to write, where one was handed to it.
inline constexpr int WorkerOutput = 4;

/// From here on this process dies with \p parent (at once, where that is gone already), gains no privileges by what it
/// executes, and leaves no core file.
void becomeWorker(int parent);

/// Of "NAME=value", those whose names a worker needs: of paths, languages, threads and libraries.
[[nodiscard]] std::vector<std::string> workerEnvironment(const char* const* environment);

/// What a worker may take. 0: no limit.
struct WorkerLimits
{
    std::int64_t memoryBytes = 0; ///< Of its own, beside what it has now.
    std::int64_t seconds = 0;     ///< Of processor time, of each processor.
    std::int64_t fileBytes = 0;   ///< That a record keeps of contents. Any file may have 4 GiB besides.
};
/// The kernel holds this process to them: memory that is not there, a signal, or bytes that cannot be written.
void limitWorker(const WorkerLimits& limits);

/// A child process that does the dangerous part, and a pipe on which it says what it is doing, line by line.
/// Standard input, output and error are inherited, no other file that is not handed over, and of the environment
/// workerEnvironment(). The child is killed when this object goes, and dies with its parent.
class WorkerProcess
{
public:
    /// Runs this program again with \p arguments (without the program's name), and with the open file \p output.
    [[nodiscard]] static Result<WorkerProcess> start(const std::vector<std::string>& arguments, int output = -1);

    WorkerProcess(WorkerProcess&& other) noexcept;
    WorkerProcess& operator=(WorkerProcess&&) = delete;
    ~WorkerProcess();

    /// The next line; empty where none is whole within \p patience, or when the worker has ended: then ended() is true.
    /// A worker whose line has no end within 16 MiB is killed.
    [[nodiscard]] std::optional<std::string> nextLine(std::chrono::milliseconds patience);
    [[nodiscard]] bool ended() const { return m_ended; }

    void kill(); ///< At once; ended() is true afterwards.
    void stop(); ///< The same, but the worker may remove what it has begun to write (SIGTERM).

    [[nodiscard]] int exitStatus() const { return m_exitStatus; } ///< -1 when a signal ended it.
    [[nodiscard]] int signal() const { return m_signal; }         ///< 0 when it ended by itself.

private:
    WorkerProcess(int pid, int channel) : m_pid(pid), m_channel(channel) {}
    void reap();
    std::optional<std::string> pendingLine();

    int m_pid = -1;
    int m_channel = -1;
    std::string m_pending;
    std::size_t m_looked = 0; ///< In so much of it there is no end of a line.
    bool m_ended = false;
    int m_exitStatus = -1;
    int m_signal = 0;
};

/// The worker's side: writes lines to its supervisor. Without one (the descriptor is closed) they go nowhere.
class WorkerReport
{
public:
    /// To be called first in a worker: becomeWorker() of its supervisor.
    WorkerReport();
    void say(const std::string& line) const;
};

/// "segmentation fault (signal 11)"
[[nodiscard]] std::string signalText(int signal);

/// While it lives, an interrupt (SIGINT, SIGTERM) does not end this process but makes requested() true.
class InterruptGuard
{
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;
    [[nodiscard]] static bool requested();

private:
    void (*m_oldInterrupt)(int);
    void (*m_oldTerminate)(int);
};

} // namespace plimsoll::kernels
