#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

namespace plimsoll {

/// Says of a file what is wrong with it, and where.
[[nodiscard]] inline Error badInput(Message message, std::string where = {}, std::string file = {})
{
    return {ErrorCode::BadInput, std::move(message), std::move(where), std::move(file)};
}

[[nodiscard]] inline Status checkStopped(const Context& context)
{
    return context.stopped() ? Status(Error {ErrorCode::Stopped, say("stopped.reading"), {}, {}}) : Status();
}

} // namespace plimsoll
