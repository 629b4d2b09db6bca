#pragma once

#include "core/base/result.h"

#include <exception>
#include <new>
#include <system_error>

namespace plimsoll {

/// An exception that nothing below expected: out of memory (Unsupported), or a bug.
[[nodiscard]] inline Error thrown(const std::exception& exception)
{
    const auto* system = dynamic_cast<const std::system_error*>(&exception);
    const bool noRoom = system && (system->code() == std::errc::resource_unavailable_try_again ||
                                   system->code() == std::errc::not_enough_memory);
    const bool noMemory = dynamic_cast<const std::bad_alloc*>(&exception) &&
                          !dynamic_cast<const std::bad_array_new_length*>(&exception); // of a wrong size
    if (noRoom || noMemory) return {ErrorCode::Unsupported, say("broke-off.memory"), {}, {}};
    return {ErrorCode::Internal, say("broke-off", exception.what()), {}, {}};
}

} // namespace plimsoll
