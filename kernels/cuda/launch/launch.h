#pragma once

#include "kernels/common/anywhere.h"
#include "kernels/cuda/device/queue.h"

#include <cstring>
#include <limits>
#include <string>

/// Kernels are function objects that are written once. nvcc compiles them for the device (the face "gpu"), g++ the same
/// files to loops over the same blocks and threads (the face "loops"), so that index arithmetic, tails and the edges of
/// tiles are tested where no device is. There are two launch shapes:
///
///     forEach     body.read(i), then body.write(i, value): elements by themselves; all loads of a thread go ahead of
///                 its stores
///     forBlocks   body(block, shared): threads that work together, in phases with a barrier behind each
#ifdef __CUDACC__
#include <cuda_runtime_api.h>
#define PLIMSOLL_DEVICE __device__
#define PLIMSOLL_OUT_OF_LINE __noinline__
#define PLIMSOLL_UNROLL _Pragma("unroll")
#define PLIMSOLL_FACE gpu
#else
#define PLIMSOLL_DEVICE
#define PLIMSOLL_OUT_OF_LINE
#define PLIMSOLL_UNROLL
#define PLIMSOLL_FACE loops
#endif

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

inline constexpr int EachThreads = 256;
inline constexpr int Warp = 32; ///< Threads that run together, and pass numbers on without shared memory.

/// In flight of each thread, of elements of so many bytes: 16 bytes fill the memory's latency. More than 8 loads are no
/// longer kept in registers.
constexpr int loadsOfWidth(std::size_t bytes)
{
    return bytes < 4 ? 8 : 4;
}
/// Of a body that says nothing of it: as for 4 bytes.
template <typename Body>
inline constexpr int LoadsOf = 4;
template <typename Body>
concept SaysLoads = static_cast<bool>(Body::Loads);
template <SaysLoads Body>
inline constexpr int LoadsOf<Body> = Body::Loads;
template <typename Body>
inline constexpr std::int64_t EachTile = std::int64_t {EachThreads} * LoadsOf<Body>;

/// What one thread of a block does for its elements, which lie a block's width apart.
template <typename Body>
PLIMSOLL_DEVICE void runElements(const Body& body, std::int64_t count, std::int64_t block, int thread)
{
    constexpr int Loads = LoadsOf<Body>;
    decltype(body.read(std::int64_t {0})) values[Loads];
    const std::int64_t first = block * EachTile<Body> + thread;
    for (int k = 0; k < Loads; ++k) {
        if (first + k * EachThreads < count) values[k] = body.read(first + k * EachThreads);
    }
    for (int k = 0; k < Loads; ++k) {
        if (first + k * EachThreads < count) body.write(first + k * EachThreads, values[k]);
    }
}

/// Whether there is something to launch. Counts it.
inline bool beginLaunch(Queue& queue, std::int64_t blocks)
{
    if (blocks <= 0 || !queue.status.ok()) return false;
    ++queue.launches;
    if (blocks > std::numeric_limits<std::int32_t>::max())
        queue.status = Error {ErrorCode::Unsupported, say("device.blocks", word::Number {blocks}), {}, {}};
    return !queue.rehearsal && queue.status.ok();
}

#ifdef __CUDACC__

inline void noteFault(Queue& queue, cudaError_t fault)
{
    if (fault == cudaSuccess || !queue.status.ok()) return;
    queue.status = Error {ErrorCode::Unsupported, say("device.cuda", cudaGetErrorString(fault)), {}, {}};
}

template <typename Body>
__global__ void __launch_bounds__(EachThreads) eachKernel(const __grid_constant__ Body body, std::int64_t count)
{
    runElements(body, count, blockIdx.x, static_cast<int>(threadIdx.x));
}

template <typename Body>
void forEach(Queue& queue, std::int64_t count, const Body& body)
{
    const std::int64_t blocks = (count + EachTile<Body> - 1) / EachTile<Body>;
    if (!beginLaunch(queue, blocks)) return;
    eachKernel<<<static_cast<unsigned>(blocks), EachThreads, 0, static_cast<cudaStream_t>(queue.stream)>>>(body, count);
    noteFault(queue, cudaGetLastError());
}

/// A block of threads, as its kernel sees it.
struct DeviceBlockOfThreads
{
    std::int64_t index;

    /// A number of each thread that lasts from phase to phase.
    template <typename T>
    struct Own
    {
        T value;
        __device__ T& operator[](int) { return value; }
    };
    /// One phase: all threads, then a barrier.
    template <typename Phase>
    __device__ void each(const Phase& phase) const
    {
        phase(static_cast<int>(threadIdx.x));
        __syncthreads();
    }
    /// A phase of which no other thread needs anything: no barrier.
    template <typename Phase>
    __device__ void alone(const Phase& phase) const
    {
        phase(static_cast<int>(threadIdx.x));
    }
    /// Folds what \p width neighbours have, a power of two up to Warp, into each of them.
    template <typename T, typename Join>
    __device__ void joinNeighbours(Own<T>& own, int width, const Join& join) const
    {
        for (int apart = width / 2; apart > 0; apart /= 2)
            own.value = join(own.value, ofNeighbour(own.value, apart));
    }

private:
    template <typename T>
    static __device__ T ofNeighbour(const T& value, int apart)
    {
        static_assert(sizeof(T) % sizeof(unsigned) == 0);
        unsigned words[sizeof(T) / sizeof(unsigned)];
        memcpy(words, &value, sizeof value);
        PLIMSOLL_UNROLL
        for (unsigned& word : words)
            word = __shfl_xor_sync(0xffffffffU, word, apart);
        T other;
        memcpy(&other, words, sizeof other);
        return other;
    }
};

template <typename Body>
__global__ void __launch_bounds__(Body::Threads) blockKernel(const __grid_constant__ Body body)
{
    __shared__ typename Body::Shared shared;
    body(DeviceBlockOfThreads {blockIdx.x}, shared);
}

template <typename Body>
void forBlocks(Queue& queue, std::int64_t blocks, const Body& body)
{
    if (!beginLaunch(queue, blocks)) return;
    blockKernel<<<static_cast<unsigned>(blocks), Body::Threads, 0, static_cast<cudaStream_t>(queue.stream)>>>(body);
    noteFault(queue, cudaGetLastError());
}

#else

/// Carries out a launch, or notes it.
template <typename Launch>
void carryOut(Queue& queue, const Launch& launch)
{
    if (queue.notes) {
        queue.notes->push_back(launch);
    } else {
        launch();
    }
}

template <typename Body>
void forEach(Queue& queue, std::int64_t count, const Body& body)
{
    const std::int64_t blocks = (count + EachTile<Body> - 1) / EachTile<Body>;
    if (!beginLaunch(queue, blocks)) return;
    carryOut(queue, [=] {
        for (std::int64_t block = 0; block < blocks; ++block) {
            for (int thread = 0; thread < EachThreads; ++thread)
                runElements(body, count, block, thread);
        }
    });
}

/// The same as loops. Threads take turns backwards in every other phase, so that a missing barrier shows.
template <int Threads>
struct LoopBlockOfThreads
{
    std::int64_t index;
    mutable bool backwards = false;

    template <typename T>
    struct Own
    {
        T value[Threads];
        T& operator[](int thread) { return value[thread]; }
    };
    template <typename Phase>
    void each(const Phase& phase) const
    {
        for (int thread = 0; thread < Threads; ++thread)
            phase(backwards ? Threads - 1 - thread : thread);
        backwards = !backwards;
    }
    template <typename Phase>
    void alone(const Phase& phase) const
    {
        each(phase);
    }
    template <typename T, typename Join>
    void joinNeighbours(Own<T>& own, int width, const Join& join) const
    {
        for (int apart = width / 2; apart > 0; apart /= 2) {
            const Own<T> before = own;
            for (int thread = 0; thread < Threads; ++thread)
                own[thread] = join(before.value[thread], before.value[thread ^ apart]);
        }
    }
};

template <typename Body>
void forBlocks(Queue& queue, std::int64_t blocks, const Body& body)
{
    if (!beginLaunch(queue, blocks)) return;
    carryOut(queue, [=] {
        for (std::int64_t block = 0; block < blocks; ++block) {
            typename Body::Shared shared;
            body(LoopBlockOfThreads<Body::Threads> {block}, shared);
        }
    });
}

#endif

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
