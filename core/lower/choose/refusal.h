#pragma once

#include <string>

namespace plimsoll::dispatching {

/// Why an offer is not taken, whatever its time. Nothing where \c rule is empty.
struct Refusal
{
    std::string rule;
    std::string reason;
};

} // namespace plimsoll::dispatching
