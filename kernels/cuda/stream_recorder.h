#pragma once

#include "kernels/cuda/cuda.h"
#include "kernels/cuda/memory.h"

/// Launches are captured as a CUDA graph; where the host stands in for a device they are kept as calls.
namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

#ifdef __CUDACC__

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

class StreamRecorder
{
public:
    static Status begin(Queue& queue)
    {
        return statusOf(
            cudaStreamBeginCapture(static_cast<cudaStream_t>(queue.stream), cudaStreamCaptureModeThreadLocal));
    }
    static Result<std::unique_ptr<Recording>> end(Queue& queue)
    {
        const auto stream = static_cast<cudaStream_t>(queue.stream);
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t executable = nullptr;
        PLIMSOLL_TRY(statusOf(cudaStreamEndCapture(stream, &graph)));
        const Status status = statusOf(cudaGraphInstantiate(&executable, graph, 0));
        cudaGraphDestroy(graph);
        PLIMSOLL_TRY(status);
        return std::unique_ptr<Recording>(std::make_unique<GraphRecording>(executable, stream));
    }
};

#else

class CallRecording final : public Recording
{
public:
    explicit CallRecording(std::vector<std::function<void()>> calls) : m_calls(std::move(calls)) {}
    [[nodiscard]] Status replay() override
    {
        for (const auto& call : m_calls)
            call();
        return {};
    }

private:
    std::vector<std::function<void()>> m_calls;
};

class StreamRecorder
{
public:
    Status begin(Queue& queue)
    {
        m_calls.clear();
        queue.notes = &m_calls;
        return {};
    }
    Result<std::unique_ptr<Recording>> end(Queue& queue)
    {
        queue.notes = nullptr;
        return std::unique_ptr<Recording>(std::make_unique<CallRecording>(std::move(m_calls)));
    }

private:
    std::vector<std::function<void()>> m_calls;
};

#endif

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
