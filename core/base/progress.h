#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

namespace plimsoll {

/// How a long job is watched and stopped. Passed down by const reference; copying is cheap.
struct Context
{
    std::stop_token stop;
    /// Called now and then from the working thread: which stage, and how far it is in [0, 1]. May be empty.
    std::function<void(std::string_view stage, double fraction)> progress;

    [[nodiscard]] bool stopped() const { return stop.stop_requested(); }
    void report(std::string_view stage, double fraction) const
    {
        if (progress) progress(stage, fraction);
    }
};

} // namespace plimsoll
