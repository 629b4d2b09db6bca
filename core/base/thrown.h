#pragma once

#include "core/base/result.h"

#include <exception>

namespace plimsoll {

/// An exception that nothing below expected: out of memory, or a bug.
[[nodiscard]] inline Error thrown(const std::exception& exception)
{
    return {ErrorCode::Internal, say("broke-off", exception.what()), {}, {}};
}

} // namespace plimsoll
