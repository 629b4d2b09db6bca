#pragma once

#include "core/base/result.h"

#include <exception>

namespace plimsoll {

/// An exception that nobody below has met: out of memory, or a bug.
[[nodiscard]] inline Error thrown(const std::exception& exception)
{
    return {ErrorCode::Internal, "The work broke off: " + std::string(exception.what()) + ".", {}, {}};
}

} // namespace plimsoll
