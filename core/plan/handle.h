#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <vector>

namespace plimsoll {

/// One thing that the caller holds after the run, and what becomes of a write through it.
///
///     outputs [y0, y1] of one storage     independent     (cannot be)
///                                         read-only       refused, aliases name the partner
///                                         copy-on-write   detaches: moves to bytes of its own first
///                                         shared          goes through: y1 shows it too
struct Handle
{
    enum class Kind : std::uint8_t {
        Output, ///< A position in the graph's outputs.
        Input,  ///< A position in its inputs, of those that the caller can look at.
    };
    Kind kind = Kind::Output;
    std::size_t index = 0; ///< Position in the graph's outputs or inputs.
    ValueId value;
    bool writable = true;         ///< False: the run refuses a write, and names a partner if there is one.
    bool detaches = false;        ///< The first write moves it, and all of \c together, to bytes of their own.
    std::int64_t detachBytes = 0; ///< What that takes; 0 where it does not detach.
    /// Indexes into PlannedProgram::handles that are the same entry, or a part of it: a write shows there whatever the
    /// policy.
    std::vector<std::size_t> together;
    /// Indexes of those that share bytes by the plan's choice: a write shows there unless it is refused or detaches.
    std::vector<std::size_t> aliases;
};

} // namespace plimsoll
