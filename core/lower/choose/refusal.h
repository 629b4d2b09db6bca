#pragma once

#include "core/base/message.h"

#include <string>

namespace plimsoll::dispatching {

/// Why an offer is not taken, whatever its time. Nothing where \c rule is empty.
struct Refusal
{
    std::string rule;
    Message reason;
};

} // namespace plimsoll::dispatching
