#pragma once

#include "core/base/interval.h"

#include <cstdint>
#include <map>

namespace plimsoll {

/// The segments of a caching allocator at one moment, by address. Those of the driver stay apart although they touch,
/// for no block reaches across; mapped pages of one stream that touch are one segment.
class SnapshotSegments
{
public:
    struct Segment
    {
        std::int64_t end = 0;
        std::int64_t stream = 0;
        bool expandable = false;
    };

    /// False where something was there already: it is replaced.
    bool add(Interval addresses, std::int64_t stream, bool expandable);
    /// False where not all of it was there; what was is removed.
    bool remove(Interval addresses);

    [[nodiscard]] std::int64_t bytes() const { return m_bytes; }
    [[nodiscard]] const std::map<std::int64_t, Segment>& byBegin() const { return m_byBegin; }
    /// The one with this address in it, or the end.
    [[nodiscard]] std::map<std::int64_t, Segment>::const_iterator find(std::int64_t address) const;

private:
    std::int64_t cut(Interval addresses); ///< Bytes that were there.

    std::map<std::int64_t, Segment> m_byBegin;
    std::int64_t m_bytes = 0;
};

} // namespace plimsoll
