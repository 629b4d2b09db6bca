#pragma once

#include "core/base/progress.h"

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

namespace plimsoll {

/// How far a search may go. Work is counted, not timed, so that a work limit means the same on every machine: one unit
/// is about one look at a list of the structure, some 10 ns.
class Budget
{
public:
    Budget(std::optional<std::int64_t> workLimit, std::optional<double> seconds, const Context& context)
        : m_context(context), m_workLimit(workLimit.value_or(std::numeric_limits<std::int64_t>::max())),
          m_seconds(seconds.value_or(std::numeric_limits<double>::infinity())), m_start(Clock::now())
    {
    }

    /// Counts \p units; now and then looks at the clock and at the stop token. True when the search must end.
    bool spend(std::int64_t units)
    {
        m_work += units;
        if (m_work >= m_nextLook) look();
        return m_over;
    }

    [[nodiscard]] bool over() const { return m_over; }
    [[nodiscard]] bool stopped() const { return m_context.stopped(); }
    [[nodiscard]] std::int64_t work() const { return m_work; }
    [[nodiscard]] std::int64_t workLeft() const { return m_workLimit - m_work; }
    [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - m_start).count(); }
    [[nodiscard]] double secondsLeft() const { return m_seconds - seconds(); }
    [[nodiscard]] const Context& context() const { return m_context; }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::int64_t LookEvery = 20'000;

    void look()
    {
        m_nextLook = m_work + LookEvery;
        m_over = m_over || m_work >= m_workLimit || m_context.stopped() || seconds() >= m_seconds;
    }

    const Context& m_context;
    std::int64_t m_workLimit;
    double m_seconds;
    Clock::time_point m_start;
    std::int64_t m_work = 0;
    std::int64_t m_nextLook = LookEvery;
    bool m_over = false;
};

} // namespace plimsoll
