#pragma once

#include <stop_token>
#include <thread>

namespace plimsoll::cli {

/// While it lives, Ctrl+C asks for a stop instead of ending the process, so that what was found so far is kept. A
/// second Ctrl+C ends the process.
class InterruptStops
{
public:
    InterruptStops();
    ~InterruptStops();
    InterruptStops(const InterruptStops&) = delete;
    InterruptStops& operator=(const InterruptStops&) = delete;

    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }

private:
    std::stop_source m_stop;
    std::jthread m_listener;
};

} // namespace plimsoll::cli
