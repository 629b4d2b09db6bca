#pragma once

#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/device/memory.h"
#include "kernels/device.h"

#include <vector>

/// The streams of a CUDA device, with their events and graphs.
namespace plimsoll::kernels::cuda::gpu {

class GraphRecording final : public Recording
{
public:
    GraphRecording(cudaGraphExec_t graph, cudaStream_t stream) : m_graph(graph), m_stream(stream) {}
    ~GraphRecording() override { cudaGraphExecDestroy(m_graph); }
    GraphRecording(const GraphRecording&) = delete;
    GraphRecording& operator=(const GraphRecording&) = delete;
    [[nodiscard]] Status replay() override { return statusOf(cudaGraphLaunch(m_graph, m_stream)); }

private:
    cudaGraphExec_t m_graph;
    cudaStream_t m_stream;
};

/// All calls are for the device that is current.
class Streams
{
public:
    /// cuDNN is looked for in files of these names.
    explicit Streams(std::vector<std::string> cudnn) : m_cudnn(std::move(cudnn)) {}
    ~Streams()
    {
        for (const Stream& stream : m_streams)
            cudaStreamDestroy(cudaStreamOf(stream.queue));
        for (const cudaEvent_t event : m_events)
            cudaEventDestroy(event);
    }
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;

    [[nodiscard]] Queue& queue() { return m_streams[m_used].queue; }

    /// A library is of one stream: it has memory of its own.
    Status use(std::int32_t stream)
    {
        while (m_streams.size() <= static_cast<std::size_t>(stream)) {
            cudaStream_t made = nullptr;
            PLIMSOLL_TRY(statusOf(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking)));
            Stream& added = m_streams.emplace_back();
            added.queue.stream = made;
            if (auto library = loadLibrary(); library.ok()) added.library = std::move(library).value();
            added.queue.library = added.library.get();
            if (auto cudnn = openCudnn(m_cudnn); cudnn.ok()) added.layers = std::move(cudnn).value();
            added.queue.layers = added.layers.get();
        }
        m_used = static_cast<std::size_t>(stream);
        return {};
    }
    Status record(std::int32_t event)
    {
        while (m_events.size() <= static_cast<std::size_t>(event)) {
            cudaEvent_t made = nullptr;
            PLIMSOLL_TRY(statusOf(cudaEventCreate(&made)));
            m_events.push_back(made);
        }
        return statusOf(cudaEventRecord(m_events[static_cast<std::size_t>(event)], cudaStreamOf(queue())));
    }
    Status wait(std::int32_t event)
    {
        return statusOf(cudaStreamWaitEvent(cudaStreamOf(queue()), m_events[static_cast<std::size_t>(event)], 0));
    }
    Result<double> msBetween(std::int32_t from, std::int32_t to) const
    {
        float ms = 0;
        PLIMSOLL_TRY(statusOf(cudaEventElapsedTime(&ms, m_events[static_cast<std::size_t>(from)],
                                                   m_events[static_cast<std::size_t>(to)])));
        return static_cast<double>(ms);
    }
    Status drain() { return statusOf(cudaStreamSynchronize(cudaStreamOf(queue()))); }
    Status finish()
    {
        for (const Stream& stream : m_streams)
            PLIMSOLL_TRY(stream.queue.status);
        for (const Stream& stream : m_streams)
            PLIMSOLL_TRY(statusOf(cudaStreamSynchronize(cudaStreamOf(stream.queue))));
        return {};
    }
    void beforeRelease() {} ///< cudaFree() waits by itself.

    /// Stream 0 is captured; the others take part from an event on and come back by one each.
    Status beginRecording()
    {
        PLIMSOLL_TRY(use(0));
        PLIMSOLL_TRY(statusOf(cudaStreamBeginCapture(cudaStreamOf(queue()), cudaStreamCaptureModeThreadLocal)));
        Mark begin;
        PLIMSOLL_TRY(begin.set(queue()));
        for (std::size_t i = 1; i < m_streams.size(); ++i)
            PLIMSOLL_TRY(begin.holdBack(m_streams[i].queue));
        return {};
    }
    Result<std::unique_ptr<Recording>> endRecording()
    {
        PLIMSOLL_TRY(use(0));
        const cudaStream_t origin = cudaStreamOf(queue());
        for (std::size_t i = 1; i < m_streams.size(); ++i) {
            Mark end;
            PLIMSOLL_TRY(end.set(m_streams[i].queue));
            PLIMSOLL_TRY(end.holdBack(queue()));
        }
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t executable = nullptr;
        PLIMSOLL_TRY(statusOf(cudaStreamEndCapture(origin, &graph)));
        const Status status = statusOf(cudaGraphInstantiate(&executable, graph, 0));
        cudaGraphDestroy(graph);
        PLIMSOLL_TRY(status);
        return std::unique_ptr<Recording>(std::make_unique<GraphRecording>(executable, origin));
    }

private:
    struct Stream
    {
        Queue queue;
        std::unique_ptr<Library> library;     ///< Absent where it was not found.
        std::unique_ptr<LayerLibrary> layers; ///< The same.
    };
    /// An event for one purpose. The driver keeps it as long as a stream waits for it.
    class Mark
    {
    public:
        Mark() = default;
        ~Mark() { cudaEventDestroy(m_event); }
        Mark(const Mark&) = delete;
        Mark& operator=(const Mark&) = delete;
        Status set(Queue& queue)
        {
            PLIMSOLL_TRY(statusOf(cudaEventCreateWithFlags(&m_event, cudaEventDisableTiming)));
            return statusOf(cudaEventRecord(m_event, cudaStreamOf(queue)));
        }
        Status holdBack(Queue& queue) { return statusOf(cudaStreamWaitEvent(cudaStreamOf(queue), m_event, 0)); }

    private:
        cudaEvent_t m_event = nullptr;
    };

    static cudaStream_t cudaStreamOf(const Queue& queue) { return static_cast<cudaStream_t>(queue.stream); }

    std::vector<std::string> m_cudnn;
    std::vector<Stream> m_streams;
    std::vector<cudaEvent_t> m_events;
    std::size_t m_used = 0;
};

} // namespace plimsoll::kernels::cuda::gpu
