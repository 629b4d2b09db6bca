#pragma once

#include <cstdint>
#include <string>

namespace plimsoll {

/// A symbolic dimension and the size it was given.
struct Binding
{
    std::string dim;
    std::int64_t size = 1;
    bool assumed = false; ///< It was not given: 1 was taken, or what works where 1 does not. Shown to the user wherever
                          ///< sizes are shown.
    bool fromPlan = false; ///< It was not given: it is what the sizes of the given plan say.
    friend bool operator==(const Binding&, const Binding&) = default;
};

} // namespace plimsoll
