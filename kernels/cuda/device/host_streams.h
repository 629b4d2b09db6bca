#pragma once

#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/device/memory.h"
#include "kernels/device.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

/// Streams where the host stands in for a device.
namespace plimsoll::kernels::cuda::loops {

/// What streams were given and have not done, in pieces with marks and waits between them:
///
///     stream 0   [calls] set 1 [calls]
///     stream 1   [calls] wait for 1 [calls]
class Backlog
{
public:
    using Calls = std::vector<std::function<void()>>;

    /// Where what the stream is given next is noted.
    [[nodiscard]] Calls& open(std::size_t stream) { return piecesOf(stream).back().calls; }
    void set(std::size_t stream, std::int64_t mark)
    {
        piecesOf(stream).back().sets = mark;
        piecesOf(stream).emplace_back();
        m_unset.insert(mark);
    }
    void wait(std::size_t stream, std::int64_t mark) { piecesOf(stream).push_back({mark, {}, 0}); }

    /// Whether the order of streams matters.
    [[nodiscard]] bool hasChoice() const
    {
        const auto isThere = [](const Piece& piece) { return !piece.calls.empty(); };
        return std::ranges::count_if(m_streams,
                                     [&](const auto& pieces) { return std::ranges::any_of(pieces, isThere); }) > 1;
    }
    /// Everything; the other streams only where \p first cannot go on.
    void carryOut(std::size_t first)
    {
        while (const auto stream = nextFrom(first))
            takeFrom(*stream);
    }
    /// All that one stream has; the others only as long as it waits for them.
    void carryOutOf(std::size_t stream)
    {
        while (stream < m_streams.size() && !m_streams[stream].empty())
            takeFrom(*nextFrom(stream));
    }

private:
    struct Piece
    {
        std::int64_t waitsFor = 0; ///< A mark; 0: none.
        Calls calls;
        std::int64_t sets = 0;
    };

    /// With one at least.
    [[nodiscard]] std::deque<Piece>& piecesOf(std::size_t stream)
    {
        if (m_streams.size() <= stream) m_streams.resize(stream + 1);
        if (m_streams[stream].empty()) m_streams[stream].emplace_back();
        return m_streams[stream];
    }
    /// A wait comes behind the record of its mark, so one stream can always go on.
    [[nodiscard]] std::optional<std::size_t> nextFrom(std::size_t first) const
    {
        for (std::size_t i = 0; i < m_streams.size(); ++i) {
            const std::size_t stream = (first + i) % m_streams.size();
            const auto& pieces = m_streams[stream];
            if (!pieces.empty() && !m_unset.contains(pieces.front().waitsFor)) return stream;
        }
        return std::nullopt;
    }
    void takeFrom(std::size_t stream)
    {
        const Piece piece = std::move(m_streams[stream].front());
        m_streams[stream].pop_front();
        for (const auto& call : piece.calls)
            call();
        m_unset.erase(piece.sets);
    }

    std::deque<std::deque<Piece>> m_streams; ///< Deques: what open() has handed out stays where it is.
    std::set<std::int64_t> m_unset;          ///< Marks that are yet to come.
};

class Streams
{
public:
    /// What stands in for cuDNN is looked for in files of these names.
    explicit Streams(const std::vector<std::string>& cudnn) : m_library(std::move(loadLibrary()).value())
    {
        if (auto opened = openCudnn(cudnn); opened.ok()) m_layers = std::move(opened).value();
        m_queue.library = m_library.get();
        m_queue.layers = m_layers.get();
    }
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;

    [[nodiscard]] Queue& queue()
    {
        reopen();
        return m_queue;
    }
    Status use(std::int32_t stream)
    {
        m_used = static_cast<std::size_t>(stream);
        return {};
    }
    Status record(std::int32_t event)
    {
        if (!m_before) queue().notes->push_back([this, event] { m_times[event] = Clock::now(); });
        m_marks[event] = ++m_lastMark;
        m_backlog.set(m_used, m_lastMark);
        return {};
    }
    Status wait(std::int32_t event)
    {
        m_backlog.wait(m_used, m_marks[event]);
        return {};
    }
    Result<double> msBetween(std::int32_t from, std::int32_t to)
    {
        return std::chrono::duration<double, std::milli>(m_times[to] - m_times[from]).count();
    }
    Status drain()
    {
        m_backlog.carryOutOf(m_used);
        reopen();
        return m_queue.status;
    }
    Status finish()
    {
        PLIMSOLL_TRY(m_queue.status);
        const bool hadChoice = m_backlog.hasChoice();
        m_backlog.carryOut(m_first);
        if (hadChoice) ++m_first;
        reopen();
        return m_queue.status;
    }
    /// A launch that is under way goes on in the same queue.
    void beforeRelease()
    {
        if (m_before) return;
        m_backlog.carryOut(m_first);
        reopen();
    }

    Status beginRecording()
    {
        m_before = std::exchange(m_backlog, {});
        return {};
    }
    Result<std::unique_ptr<Recording>> endRecording()
    {
        auto recording = std::make_unique<CallRecording>(*this, std::exchange(m_backlog, std::move(*m_before)));
        m_before.reset();
        return std::unique_ptr<Recording>(std::move(recording));
    }

private:
    using Clock = std::chrono::steady_clock;

    /// What was carried out is gone, and where the queue noted its calls with it.
    void reopen() { m_queue.notes = &m_backlog.open(m_used); }

    /// Of a device that is still there. Each replay lets another stream go first.
    class CallRecording final : public Recording
    {
    public:
        CallRecording(Streams& streams, Backlog calls) : m_streams(streams), m_calls(std::move(calls)) {}
        [[nodiscard]] Status replay() override
        {
            m_streams.m_backlog.open(0).push_back(
                [calls = m_calls, first = m_first++]() mutable { calls.carryOut(first); });
            return {};
        }

    private:
        Streams& m_streams;
        Backlog m_calls;
        std::size_t m_first = 0;
    };

    Queue m_queue; ///< Of whichever stream is in use.
    std::unique_ptr<Library> m_library;
    std::unique_ptr<LayerLibrary> m_layers; ///< May be absent.
    Backlog m_backlog;
    std::optional<Backlog> m_before;                   ///< While recording: what had been given until then.
    std::map<std::int32_t, std::int64_t> m_marks;      ///< By event: the mark that stands for it now.
    std::map<std::int32_t, Clock::time_point> m_times; ///< By event.
    std::int64_t m_lastMark = 0;
    std::size_t m_used = 0;
    std::size_t m_first = 0; ///< The stream that goes first.
};

} // namespace plimsoll::kernels::cuda::loops
