#include "kernels/cuda/cuda.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/families.h"
#include "kernels/cuda/first_difference.h"
#include "kernels/cuda/memory.h"
#include "kernels/cuda/stream_recorder.h"

namespace plimsoll::kernels {
namespace cuda::PLIMSOLL_FACE {
namespace {

class FaceDevice final : public Device, public Recorder
{
public:
    FaceDevice(std::string name, void* stream) : m_name(std::move(name))
    {
        m_queue.stream = stream;
        if (auto library = loadLibrary(); library.ok()) m_library = std::move(library).value();
        m_queue.library = m_library.get();
    }
    ~FaceDevice() override
    {
#ifdef __CUDACC__
        cudaStreamDestroy(static_cast<cudaStream_t>(m_queue.stream));
#endif
    }
    FaceDevice(const FaceDevice&) = delete;
    FaceDevice& operator=(const FaceDevice&) = delete;

    [[nodiscard]] std::string name() const override
    {
        return m_name;
    }

    [[nodiscard]] Result<DeviceBlock> reserve(std::int64_t bytes) override
    {
        if (bytes < 0) return Error {ErrorCode::Internal, "a block of less than no bytes", {}, {}};
        PLIMSOLL_ASSIGN(data, reserveBytes(bytes < 1 ? 1 : static_cast<std::size_t>(bytes)));
        return DeviceBlock {data, bytes, std::shared_ptr<void>(data, releaseBytes)};
    }
    [[nodiscard]] Status copyIn(std::byte* device, std::span<const std::byte> host) override
    {
        return copyBytes(m_queue, device, host.data(), host.size());
    }
    [[nodiscard]] Status copyOut(std::span<std::byte> host, const std::byte* device) override
    {
        return copyBytes(m_queue, host.data(), device, host.size());
    }
    [[nodiscard]] Status fill(std::byte* device, std::int64_t bytes, std::byte pattern) override
    {
        return fillBytes(m_queue, device, pattern, static_cast<std::size_t>(bytes));
    }
    [[nodiscard]] Result<std::int64_t> firstDifference(const std::byte* device, std::int64_t bytes,
                                                       std::byte pattern) override
    {
        PLIMSOLL_TRY(prepareWords());
        std::int64_t first = bytes;
        findDifference(m_queue, device, bytes, pattern, reinterpret_cast<std::int64_t*>(m_words.data));
        PLIMSOLL_TRY(m_queue.status);
        if (bytes > 0) PLIMSOLL_TRY(copyOut(std::as_writable_bytes(std::span(&first, 1)), m_words.data));
        return first;
    }
    [[nodiscard]] Status run(KernelCall& call, const Implementation& chosen) override
    {
        const DeviceKernel* kernel = findKernel(call.node(), chosen.name);
        if (!kernel) return decline(call, "no kernel '" + chosen.name + "'");
        PLIMSOLL_TRY(prepareWords());
        DeviceCall deviceCall(call, m_queue);
        PLIMSOLL_TRY(kernel->run(deviceCall));
        return m_queue.status;
    }
    [[nodiscard]] Status finish() override
    {
        PLIMSOLL_TRY(m_queue.status);
        PLIMSOLL_TRY(waitFor(m_queue));
        if (!m_words.data) return {};
        std::int32_t fault = 0;
        PLIMSOLL_TRY(copyBytes(m_queue, &fault, m_queue.fault, sizeof fault));
        if (fault == 0) return {};
        PLIMSOLL_TRY(fillBytes(m_queue, m_queue.fault, std::byte {0}, sizeof fault));
        return Error {ErrorCode::BadInput, "an index lies outside of the tensor that it counts in", {}, {}};
    }

    [[nodiscard]] Status beginRecording() override
    {
        PLIMSOLL_TRY(prepareWords()); // nothing may be allocated while a stream is captured
        return m_recorder.begin(m_queue);
    }
    [[nodiscard]] Result<std::unique_ptr<Recording>> endRecording() override
    {
        return m_recorder.end(m_queue);
    }

private:
    /// Where a kernel leaves the position of a difference, and behind it whether an index was outside.
    Status prepareWords()
    {
        if (m_words.data) return {};
        PLIMSOLL_ASSIGN(words, reserve(2 * sizeof(std::int64_t)));
        m_words = words;
        m_queue.fault = reinterpret_cast<std::int32_t*>(m_words.data + sizeof(std::int64_t));
        return fillBytes(m_queue, m_words.data, std::byte {0}, static_cast<std::size_t>(m_words.bytes));
    }

    std::string m_name;
    std::unique_ptr<Library> m_library; ///< Absent where it was not found.
    Queue m_queue;
    DeviceBlock m_words;
    StreamRecorder m_recorder;
};

} // namespace
} // namespace cuda::PLIMSOLL_FACE

#ifdef __CUDACC__

Result<std::string> findCublas()
{
    PLIMSOLL_ASSIGN(devices, findCudaDevices());
    if (devices.empty()) return Error {ErrorCode::Unsupported, "cuBLAS cannot be used here: no device", {}, {}};
    PLIMSOLL_ASSIGN(library, cuda::gpu::loadLibrary());
    return library->version();
}

Result<std::unique_ptr<Device>> openCudaDevice(int index)
{
    PLIMSOLL_ASSIGN(devices, findCudaDevices());
    if (index < 0 || index >= static_cast<int>(devices.size()))
        return Error {ErrorCode::Unsupported,
                      "CUDA cannot run here: there is no device " + std::to_string(index) + " among " +
                          std::to_string(devices.size()),
                      {},
                      {}};
    cudaStream_t stream = nullptr;
    PLIMSOLL_TRY(cuda::gpu::statusOf(cudaSetDevice(index)));
    PLIMSOLL_TRY(cuda::gpu::statusOf(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)));
    const std::string name = "cuda:" + std::to_string(index) + " " + devices[static_cast<std::size_t>(index)].name;
    return std::unique_ptr<Device>(std::make_unique<cuda::gpu::FaceDevice>(name, stream));
}

#else

Recorder* recorderOf(Device& device)
{
    return dynamic_cast<Recorder*>(&device);
}

std::unique_ptr<Device> emulateCudaDevice()
{
    return std::make_unique<cuda::loops::FaceDevice>("cuda:0 (emulated on the host)", nullptr);
}

#endif

} // namespace plimsoll::kernels
