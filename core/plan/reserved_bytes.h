#pragma once

#include "core/base/interval.h"

#include <string>

namespace plimsoll {

/// A region of an arena that belongs to something else (a boot loader, the backend, another program): it is kept free.
struct ReservedBytes
{
    Interval bytes;
    std::string why; ///< Whose it is; may be empty.
    friend bool operator==(const ReservedBytes&, const ReservedBytes&) = default;
};

} // namespace plimsoll
