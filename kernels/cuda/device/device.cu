#include "core/base/narrow.h"
#include "kernels/cuda/cuda.h"
#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/device/cuda_device.h"
#include "kernels/cuda/device/memory.h"
#include "kernels/cuda/launch/launch.h"
#ifdef __CUDACC__
#include "kernels/cuda/device/gpu_streams.h"
#else
#include "kernels/cuda/device/host_streams.h"
#endif

#include <atomic>

namespace plimsoll::kernels {
namespace cuda::PLIMSOLL_FACE {
namespace {

/// One block looks through a range of bytes; each thread stops at the first that is not the pattern. Canaries are a few
/// hundred bytes, so one block is enough.
struct DifferenceBody
{
    static constexpr int Threads = 256;
    struct Shared
    {
        std::int64_t first[Threads];
    };
    const std::byte* data;
    std::int64_t bytes;
    std::byte pattern;
    std::int64_t* found;

    template <typename Block>
    PLIMSOLL_DEVICE void operator()(const Block& block, Shared& shared) const
    {
        block.each([&](int t) {
            std::int64_t i = t;
            while (i < bytes && data[i] == pattern)
                i += Threads;
            shared.first[t] = i < bytes ? i : bytes;
        });
        for (int width = Threads / 2; width > 0; width /= 2) {
            block.each([&](int t) {
                if (t < width && shared.first[t + width] < shared.first[t]) shared.first[t] = shared.first[t + width];
            });
        }
        block.each([&](int t) {
            if (t == 0) *found = shared.first[0];
        });
    }
};

class FaceDevice final : public Device, public DeviceStreams
{
public:
    FaceDevice(std::string name, int index, std::vector<std::string> cudnn)
        : m_name(std::move(name)), m_index(index), m_streams(std::make_shared<Streams>(std::move(cudnn)))
    {
    }

    /// The first stream, and where kernels leave the position of a difference, and behind it whether an index was
    /// outside.
    Status open()
    {
        PLIMSOLL_TRY(use(0));
        PLIMSOLL_ASSIGN(words, reserve(2 * sizeof(std::int64_t)));
        m_words = words;
        m_fault = reinterpret_cast<std::int32_t*>(m_words.data + sizeof(std::int64_t));
        PLIMSOLL_TRY(fill(m_words.data, m_words.bytes, std::byte {0}));
        return drain();
    }

    [[nodiscard]] std::string name() const override { return m_name; }

    [[nodiscard]] Result<DeviceBlock> reserve(std::int64_t bytes) override
    {
        if (bytes < 0) return Error {ErrorCode::Internal, say("device.negative-block"), {}, {}};
        PLIMSOLL_TRY(activate());
        const std::size_t size = bytes < 1 ? 1 : static_cast<std::size_t>(bytes);
        PLIMSOLL_ASSIGN(data, reserveBytes(size));
        const auto held = static_cast<std::int64_t>((size + BlockAlignment - 1) / BlockAlignment * BlockAlignment);
        *m_held += held;
        return DeviceBlock {data, bytes,
                            std::shared_ptr<void>(data, [streams = m_streams, all = m_held, held](void* block) {
                                streams->beforeRelease();
                                releaseBytes(block);
                                *all -= held;
                            })};
    }
    [[nodiscard]] std::int64_t heldBytes() const override { return *m_held; }
    [[nodiscard]] std::optional<std::int64_t> freeBytes() const override
    {
        return makeCurrent(m_index).ok() ? cuda::PLIMSOLL_FACE::freeBytes() : std::nullopt;
    }
    [[nodiscard]] Status copyIn(std::byte* device, std::span<const std::byte> host) override
    {
        PLIMSOLL_TRY(copy(device, host.data(), std::ssize(host)));
        return drain();
    }
    [[nodiscard]] Status copyOut(std::span<std::byte> host, const std::byte* device) override
    {
        PLIMSOLL_TRY(copy(host.data(), device, std::ssize(host)));
        return drain();
    }
    [[nodiscard]] Result<bool> copyPeer(std::byte* here, Device& other, const std::byte* there,
                                        std::int64_t bytes) override
    {
        const auto* const peer = dynamic_cast<const FaceDevice*>(&other);
        if (!peer) return false;
        PLIMSOLL_TRY(other.finish());
        PLIMSOLL_ASSIGN(reached, reaches(m_index, peer->m_index));
        if (!reached) return false;
        PLIMSOLL_TRY(copy(here, there, bytes));
        PLIMSOLL_TRY(drain());
        return true;
    }
    [[nodiscard]] Status fill(std::byte* device, std::int64_t bytes, std::byte pattern) override
    {
        PLIMSOLL_TRY(activate());
        return fillBytes(m_streams->queue(), device, pattern, static_cast<std::size_t>(bytes));
    }
    [[nodiscard]] Result<std::int64_t> firstDifference(const std::byte* device, std::int64_t bytes,
                                                       std::byte pattern) override
    {
        PLIMSOLL_TRY(activate());
        std::int64_t first = bytes;
        Queue& queue = m_streams->queue();
        forBlocks(queue, bytes > 0 ? 1 : 0,
                  DifferenceBody {device, bytes, pattern, reinterpret_cast<std::int64_t*>(m_words.data)});
        PLIMSOLL_TRY(queue.status);
        if (bytes > 0) PLIMSOLL_TRY(copyOut(std::as_writable_bytes(std::span(&first, 1)), m_words.data));
        return first;
    }
    [[nodiscard]] Status run(KernelCall& call, const Implementation& chosen) override
    {
        const DeviceKernel* kernel = findKernel(call.node(), chosen.name);
        if (!kernel) return decline(call, say("cuda.no-kernel", chosen.name));
        PLIMSOLL_TRY(activate());
        Queue& queue = m_streams->queue();
        queue.fault = m_fault;
        DeviceCall deviceCall(call, queue);
        PLIMSOLL_TRY(kernel->run(deviceCall));
        return queue.status;
    }
    [[nodiscard]] Status finish() override
    {
        PLIMSOLL_TRY(activate());
        PLIMSOLL_TRY(m_streams->finish());
        std::int32_t fault = 0;
        PLIMSOLL_TRY(copyOut(std::as_writable_bytes(std::span(&fault, 1)), reinterpret_cast<std::byte*>(m_fault)));
        if (fault == 0) return {};
        PLIMSOLL_TRY(fill(reinterpret_cast<std::byte*>(m_fault), sizeof fault, std::byte {0}));
        return Error {ErrorCode::BadInput, say("device.index-outside"), {}, {}};
    }
    [[nodiscard]] DeviceStreams* streams() override { return this; }

    [[nodiscard]] Status use(std::int32_t stream) override
    {
        PLIMSOLL_TRY(activate());
        return m_streams->use(stream);
    }
    [[nodiscard]] Status record(std::int32_t event) override
    {
        PLIMSOLL_TRY(activate());
        return m_streams->record(event);
    }
    [[nodiscard]] Status wait(std::int32_t event) override { return m_streams->wait(event); }
    [[nodiscard]] Result<double> msBetween(std::int32_t from, std::int32_t to) override
    {
        return m_streams->msBetween(from, to);
    }
    [[nodiscard]] Status copy(std::byte* to, const std::byte* from, std::int64_t bytes) override
    {
        PLIMSOLL_TRY(activate());
        return copyBytes(m_streams->queue(), to, from, static_cast<std::size_t>(bytes));
    }
    [[nodiscard]] Status drain() override { return m_streams->drain(); }
    [[nodiscard]] Status beginRecording() override
    {
        PLIMSOLL_TRY(activate());
        return m_streams->beginRecording();
    }
    [[nodiscard]] Result<std::unique_ptr<Recording>> endRecording() override { return m_streams->endRecording(); }

private:
    /// The runtime has one device that is current in a thread; a process may have opened several.
    [[nodiscard]] Status activate() const { return makeCurrent(m_index); }

    std::string m_name;
    int m_index;
    std::shared_ptr<Streams> m_streams;
    std::shared_ptr<std::atomic<std::int64_t>> m_held = std::make_shared<std::atomic<std::int64_t>>(0);
    DeviceBlock m_words;
    std::int32_t* m_fault = nullptr;
};

} // namespace
} // namespace cuda::PLIMSOLL_FACE

#ifdef __CUDACC__

Result<std::string> findCublas()
{
    PLIMSOLL_ASSIGN(devices, findCudaDevices());
    if (devices.empty()) return Error {ErrorCode::Unsupported, say("device.no-cublas", say("device.none")), {}, {}};
    PLIMSOLL_ASSIGN(library, cuda::gpu::loadLibrary());
    return library->version();
}

Result<std::unique_ptr<Device>> openCudaDevice(int index)
{
    PLIMSOLL_ASSIGN(devices, findCudaDevices());
    if (index < 0 || index >= narrow<int>(devices.size()))
        return Error {
            ErrorCode::Unsupported,
            say("device.no-cuda", say("device.not-among", word::Number {index}, word::Number {devices.size()})),
            {},
            {}};
    const std::string name = "cuda:" + std::to_string(index) + " " + devices[static_cast<std::size_t>(index)].name;
    auto device = std::make_unique<cuda::gpu::FaceDevice>(name, index, cuda::cudnnFiles());
    PLIMSOLL_TRY(device->open());
    return std::unique_ptr<Device>(std::move(device));
}

#else

Result<std::unique_ptr<Device>> emulateCudaDevice(int index)
{
    return emulateCudaDevice(index, {});
}

Result<std::unique_ptr<Device>> emulateCudaDevice(int index, const std::vector<std::string>& cudnn)
{
    const std::string name = "cuda:" + std::to_string(index) + " (emulated on the host)";
    auto device = std::make_unique<cuda::loops::FaceDevice>(name, index, cudnn);
    PLIMSOLL_TRY(device->open());
    return std::unique_ptr<Device>(std::move(device));
}

#endif

} // namespace plimsoll::kernels
