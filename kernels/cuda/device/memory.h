#pragma once

#include "kernels/cuda/device/queue.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

/// Memory and order of a device, and the same of the host where that stands in for one.
#ifndef __CUDACC__
#include <cstring>
#include <new>
#endif
#include "kernels/cuda/launch/launch.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

inline constexpr std::size_t BlockAlignment = 512; // of cudaMalloc

#ifdef __CUDACC__

inline Status statusOf(cudaError_t fault)
{
    if (fault == cudaSuccess) return {};
    return Error {ErrorCode::Unsupported, say("device.cuda", cudaGetErrorString(fault)), {}, {}};
}

inline Result<std::byte*> reserveBytes(std::size_t bytes)
{
    void* data = nullptr;
    PLIMSOLL_TRY(statusOf(cudaMalloc(&data, bytes)));
    return static_cast<std::byte*>(data);
}

inline Status makeCurrent(int device)
{
    return statusOf(cudaSetDevice(device));
}

inline std::optional<std::int64_t> freeBytes()
{
    std::size_t free = 0;
    std::size_t total = 0;
    if (cudaMemGetInfo(&free, &total) != cudaSuccess) return std::nullopt;
    return static_cast<std::int64_t>(free);
}

/// Whether one device can copy what lies on another by itself.
inline Result<bool> reaches(int device, int other)
{
    int can = 0;
    if (device != other) PLIMSOLL_TRY(statusOf(cudaDeviceCanAccessPeer(&can, device, other)));
    return can != 0;
}

inline void releaseBytes(void* data)
{
    cudaFree(data); // a fault of an earlier kernel would come out here, and was or will be told by finish()
}

/// When the queue comes to it.
inline Status copyBytes(Queue& queue, void* to, const void* from, std::size_t bytes)
{
    return statusOf(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, static_cast<cudaStream_t>(queue.stream)));
}

inline Status fillBytes(Queue& queue, void* to, std::byte pattern, std::size_t bytes)
{
    return statusOf(cudaMemsetAsync(to, std::to_integer<int>(pattern), bytes, static_cast<cudaStream_t>(queue.stream)));
}

#else

inline Result<std::byte*> reserveBytes(std::size_t bytes)
{
    void* data = ::operator new(bytes, std::align_val_t(BlockAlignment), std::nothrow);
    if (!data) return Error {ErrorCode::Unsupported, say("device.no-memory", word::Number {bytes}), {}, {}};
    return static_cast<std::byte*>(data);
}

inline Status makeCurrent(int /*device*/)
{
    return {};
}

inline std::optional<std::int64_t> freeBytes()
{
    return std::nullopt;
}

inline Result<bool> reaches(int /*device*/, int /*other*/)
{
    return true;
}

inline void releaseBytes(void* data)
{
    ::operator delete(data, std::align_val_t(BlockAlignment));
}

inline Status copyBytes(Queue& queue, void* to, const void* from, std::size_t bytes)
{
    if (bytes > 0) carryOut(queue, [=] { std::memmove(to, from, bytes); });
    return {};
}

inline Status fillBytes(Queue& queue, void* to, std::byte pattern, std::size_t bytes)
{
    if (bytes > 0) carryOut(queue, [=] { std::memset(to, std::to_integer<int>(pattern), bytes); });
    return {};
}

#endif

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
