#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

/// How dispatch() tells how far it is, and stops. Private to the folder.
namespace plimsoll::dispatching {

/// The share of the whole that a loop takes, in [0, 1].
struct Share
{
    double begin = 0;
    double end = 1;
};

/// Told of every so many of \p all; an Error where it is to stop.
[[nodiscard]] inline Status goOn(const Context& context, const Share& share, std::size_t done, std::size_t all)
{
    constexpr std::size_t Often = 256;
    if (done % Often != 0) return {};
    const double part = static_cast<double>(done) / static_cast<double>(all == 0 ? 1 : all);
    context.report("implementations", share.begin + (share.end - share.begin) * part);
    if (context.stopped()) return Error {ErrorCode::Stopped, say("stopped.implementations"), {}, {}};
    return {};
}

} // namespace plimsoll::dispatching
