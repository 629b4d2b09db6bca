#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

namespace plimsoll {

/// Says of a file what is wrong with it, and where.
template <typename Text>
[[nodiscard]] Error badInput(Text&& message, std::string where = {})
{
    return {ErrorCode::BadInput, std::forward<Text>(message), std::move(where), {}};
}

[[nodiscard]] inline Status checkStopped(const Context& context)
{
    return context.stopped() ? Status(Error {ErrorCode::Stopped, "Stopped while reading.", {}, {}}) : Status();
}

} // namespace plimsoll
