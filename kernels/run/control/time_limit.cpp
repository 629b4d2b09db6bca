#include "kernels/run/control/time_limit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace plimsoll::kernels {
namespace {

/// "13 days": whole ones, no more than there are.
Message lengthText(double seconds)
{
    constexpr double Hour = 60 * 60;
    constexpr double Day = 24 * Hour;
    constexpr double Year = 365 * Day;
    constexpr double Most = 1e15;
    const auto whole = [&](double unit) { return static_cast<std::int64_t>(std::min(seconds / unit, Most)); };
    if (seconds >= 2 * Year) return say("run.years", whole(Year));
    if (seconds >= 2 * Day) return say("run.days", whole(Day));
    if (seconds >= 2 * Hour) return say("run.hours", whole(Hour));
    return say("run.seconds", whole(1));
}

/// "2.4e15"
std::string roundedText(double number)
{
    std::array<char, 32> text {};
    number = std::min(number, std::numeric_limits<double>::max());
    const int exponent = number > 0 ? static_cast<int>(std::floor(std::log10(number))) : 0;
    std::snprintf(text.data(), text.size(), "%.1fe%d", number / std::pow(10, exponent), exponent);
    return text.data();
}

} // namespace

Status checkTime(const TimeLimit& limit, const Effort& effort)
{
    const double spent = std::chrono::duration<double>(TimeLimit::Clock::now() - limit.begin).count();
    const double left = limit.seconds - std::max(0.0, spent);
    if (left <= 0 || !(effort.seconds() > left)) return {};
    return Error {ErrorCode::Stopped,
                  say("run.too-long", roundedText(effort.operations), lengthText(effort.seconds()), lengthText(left),
                      static_cast<std::int64_t>(limit.seconds), Remedy::option(limit.option)),
                  {},
                  {}};
}

} // namespace plimsoll::kernels
