#include "app/cli/interrupt.h"

#include <csignal>
#include <ctime>

namespace plimsoll::cli {
namespace {

sigset_t interruptSignal()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    return set;
}

/// How often the listener looks whether it is still needed.
constexpr timespec Patience {0, 20'000'000};

} // namespace

InterruptStops::InterruptStops()
{
    const sigset_t interrupt = interruptSignal();
    pthread_sigmask(SIG_BLOCK, &interrupt, nullptr); // threads that start from here on inherit it
    m_listener = std::jthread([stop = m_stop](std::stop_token ending) mutable {
        const sigset_t awaited = interruptSignal();
        while (!ending.stop_requested() && sigtimedwait(&awaited, nullptr, &Patience) < 0) {}
        if (ending.stop_requested()) return;
        stop.request_stop();
        pthread_sigmask(SIG_UNBLOCK, &awaited, nullptr); // the next one is for this thread, and ends the process
        while (!ending.stop_requested())
            std::this_thread::sleep_for(std::chrono::nanoseconds(Patience.tv_nsec));
    });
}

InterruptStops::~InterruptStops()
{
    m_listener.request_stop();
    m_listener.join();
    const sigset_t interrupt = interruptSignal();
    pthread_sigmask(SIG_UNBLOCK, &interrupt, nullptr);
}

} // namespace plimsoll::cli
