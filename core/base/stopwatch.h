#pragma once

#include <chrono>

namespace plimsoll {

/// How long ago it was made.
class Stopwatch
{
public:
    [[nodiscard]] double ms() const
    {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - m_begin).count();
    }

private:
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
};

} // namespace plimsoll
