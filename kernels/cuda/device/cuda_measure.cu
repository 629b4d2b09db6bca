#include "kernels/cuda/device/cuda_measure.h"

#include "core/base/stopwatch.h"
#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/device/memory.h"

#include <functional>
#include <map>
#include <memory>

namespace plimsoll::kernels {
namespace {

using cuda::gpu::statusOf;

/// A pair of events around what is measured; destroyed with it.
class Clock
{
public:
    Status open()
    {
        PLIMSOLL_TRY(statusOf(cudaEventCreate(&m_begin)));
        return statusOf(cudaEventCreate(&m_end));
    }
    ~Clock()
    {
        if (m_begin) cudaEventDestroy(m_begin);
        if (m_end) cudaEventDestroy(m_end);
    }
    Status begin() { return statusOf(cudaEventRecord(m_begin)); }
    Result<double> end()
    {
        float ms = 0;
        PLIMSOLL_TRY(statusOf(cudaEventRecord(m_end)));
        PLIMSOLL_TRY(statusOf(cudaEventSynchronize(m_end)));
        PLIMSOLL_TRY(statusOf(cudaEventElapsedTime(&ms, m_begin, m_end)));
        return static_cast<double>(ms);
    }

private:
    cudaEvent_t m_begin = nullptr;
    cudaEvent_t m_end = nullptr;
};

Result<std::int64_t> freeBytes()
{
    std::size_t free = 0;
    std::size_t total = 0;
    PLIMSOLL_TRY(statusOf(cudaMemGetInfo(&free, &total)));
    return static_cast<std::int64_t>(free);
}

using Allocate = std::function<cudaError_t(void**, std::size_t)>;
using Release = std::function<cudaError_t(void*)>;

/// Follows the events; \p afterEach is told of each one that has come into being.
Status follow(const std::vector<AllocationEvent>& events, const Allocate& allocate, const Release& release,
              const std::function<Status()>& afterEach)
{
    std::map<int, void*> live;
    for (const AllocationEvent& event : events) {
        void*& block = live[event.tensor];
        if (!event.begins) {
            PLIMSOLL_TRY(statusOf(release(block)));
            live.erase(event.tensor);
            continue;
        }
        PLIMSOLL_TRY(statusOf(allocate(&block, static_cast<std::size_t>(event.bytes))));
        PLIMSOLL_TRY(afterEach());
    }
    for (const auto& [tensor, block] : live)
        PLIMSOLL_TRY(statusOf(release(block)));
    return statusOf(cudaDeviceSynchronize());
}

/// What lives at one time, at most.
std::int64_t mostAlive(const std::vector<AllocationEvent>& events)
{
    std::int64_t alive = 0;
    std::int64_t most = 0;
    for (const AllocationEvent& event : events) {
        alive += event.begins ? event.bytes : -event.bytes;
        most = alive > most ? alive : most;
    }
    return most;
}

/// Once for the peak, then several times for the clock.
Result<AllocationTiming> timeWay(std::string way, std::int64_t askedBytes,
                                 const std::function<Status(const std::function<Status()>&)>& run)
{
    constexpr int Runs = 10;
    AllocationTiming timing {.way = std::move(way), .askedBytes = askedBytes};
    PLIMSOLL_ASSIGN(before, freeBytes());
    PLIMSOLL_TRY(run([&]() -> Status {
        PLIMSOLL_ASSIGN(now, freeBytes());
        timing.peakBytes = before - now > timing.peakBytes ? before - now : timing.peakBytes;
        return {};
    }));
    const Stopwatch watch;
    for (int i = 0; i < Runs; ++i)
        PLIMSOLL_TRY(run([] { return Status(); }));
    timing.ms = watch.ms() / Runs;
    return timing;
}

} // namespace

Result<double> measureCopyBytesPerSecond(int device)
{
    constexpr std::size_t Bytes = std::size_t {1} << 28;
    constexpr int Runs = 20;
    PLIMSOLL_TRY(statusOf(cudaSetDevice(device)));
    PLIMSOLL_ASSIGN(from, cuda::gpu::reserveBytes(Bytes));
    const std::unique_ptr<std::byte, void (*)(void*)> keepFrom(from, cuda::gpu::releaseBytes);
    PLIMSOLL_ASSIGN(to, cuda::gpu::reserveBytes(Bytes));
    const std::unique_ptr<std::byte, void (*)(void*)> keepTo(to, cuda::gpu::releaseBytes);
    Clock clock;
    PLIMSOLL_TRY(clock.open());
    PLIMSOLL_TRY(statusOf(cudaMemcpyAsync(to, from, Bytes, cudaMemcpyDeviceToDevice)));
    PLIMSOLL_TRY(clock.begin());
    for (int i = 0; i < Runs; ++i)
        PLIMSOLL_TRY(statusOf(cudaMemcpyAsync(to, from, Bytes, cudaMemcpyDeviceToDevice)));
    PLIMSOLL_ASSIGN(ms, clock.end());
    return 2.0 * Bytes * Runs / (ms / 1000);
}

Result<double> measureLibraryProduct(int device, std::int64_t side)
{
    constexpr int Runs = 20;
    constexpr std::int64_t WorkspaceBytes = std::int64_t {32} << 20; // what the library takes on Hopper by itself
    const std::int64_t matrix = side * side * static_cast<std::int64_t>(sizeof(float));
    PLIMSOLL_TRY(statusOf(cudaSetDevice(device)));
    PLIMSOLL_ASSIGN(library, cuda::gpu::loadLibrary());
    PLIMSOLL_ASSIGN(block, cuda::gpu::reserveBytes(static_cast<std::size_t>(3 * matrix + WorkspaceBytes)));
    const std::unique_ptr<std::byte, void (*)(void*)> keep(block, cuda::gpu::releaseBytes);
    PLIMSOLL_TRY(statusOf(cudaMemset(block, 0x3f, static_cast<std::size_t>(3 * matrix)))); // all about 0.75
    cuda::LibraryProduct product {.rows = side, .columns = side, .depth = side};
    product.a = reinterpret_cast<const float*>(block);
    product.b = reinterpret_cast<const float*>(block + matrix);
    product.y = reinterpret_cast<float*>(block + 2 * matrix);
    product.workspace = block + 3 * matrix;
    product.workspaceBytes = WorkspaceBytes;
    cuda::Queue queue; // the default stream, as the clock's
    Clock clock;
    PLIMSOLL_TRY(clock.open());
    PLIMSOLL_TRY(library->multiply(product, queue));
    PLIMSOLL_TRY(clock.begin());
    for (int i = 0; i < Runs; ++i)
        PLIMSOLL_TRY(library->multiply(product, queue));
    PLIMSOLL_ASSIGN(ms, clock.end());
    return ms / Runs;
}

Result<std::vector<AllocationTiming>> measureAllocations(int device, const std::vector<AllocationEvent>& events,
                                                         std::int64_t arenaBytes)
{
    PLIMSOLL_TRY(statusOf(cudaSetDevice(device)));
    const Allocate pooled = [](void** block, std::size_t bytes) { return cudaMallocAsync(block, bytes, nullptr); };
    const Release toPool = [](void* block) { return cudaFreeAsync(block, nullptr); };
    PLIMSOLL_ASSIGN(each, timeWay("cudaMalloc for each tensor", mostAlive(events), [&](const auto& afterEach) {
                        return follow(
                            events, [](void** b, std::size_t n) { return cudaMalloc(b, n); }, cudaFree, afterEach);
                    }));
    PLIMSOLL_ASSIGN(async, timeWay("cudaMallocAsync", mostAlive(events),
                                   [&](const auto& afterEach) { return follow(events, pooled, toPool, afterEach); }));
    PLIMSOLL_ASSIGN(arena, timeWay("one arena", arenaBytes, [&](const auto& afterEach) {
                        return follow(
                            {{0, true, arenaBytes}, {0, false, arenaBytes}},
                            [](void** b, std::size_t n) { return cudaMalloc(b, n); }, cudaFree, afterEach);
                    }));
    return std::vector<AllocationTiming> {each, async, arena};
}

} // namespace plimsoll::kernels
