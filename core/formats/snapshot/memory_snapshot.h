#pragma once

#include "core/formats/bad_input.h"
#include "core/formats/snapshot/plain_data.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

/// Events, blocks and frames have ten; a dictionary of thousands that stands in thousands of places would take its
/// time.
inline constexpr std::size_t MostSnapshotKeys = 64;

/// What torch.cuda.memory._snapshot() says of one device: the state of its caching allocator at the end, and the events
/// that led there, of which old ones may be lost. Addresses and sizes are bytes, which add up within 62 bits.
struct SnapshotBlock
{
    std::int64_t address = 0;
    std::int64_t bytes = 0;     ///< Rounded, as the allocator gave them.
    std::int64_t requested = 0; ///< As they were asked for.
    bool awaitsFree = false;    ///< Given up, but another stream may still use it.
    PlainData::Item frames;     ///< A list of {filename, line, name}, innermost first; or none.
};

/// One block of the driver's, or the mapped pages of an expandable segment that lie together.
struct SnapshotSegment
{
    std::int64_t address = 0;
    std::int64_t bytes = 0;
    std::int64_t stream = 0;
    bool expandable = false;
    std::vector<SnapshotBlock> blocks; ///< Those in use, ascending.
};

struct SnapshotEvent
{
    enum class Kind : std::uint8_t {
        Alloc,
        FreeRequested, ///< By the program; other streams may not be done yet.
        FreeCompleted,
        SegmentAlloc,
        SegmentFree,
        SegmentMap,
        SegmentUnmap,
        OutOfMemory, ///< \c address is what the device had left.
        Other,       ///< Marks and annotations; what newer versions write.
    };
    Kind kind = Kind::Other;
    std::int64_t address = 0;
    std::int64_t bytes = 0; ///< As asked for, not rounded.
    std::int64_t stream = 0;
    PlainData::Item frames;
};

struct DeviceSnapshot
{
    std::int64_t device = 0;
    std::vector<SnapshotSegment> segments; ///< Ascending.
    std::vector<SnapshotEvent> events;
    bool recorded = false;            ///< False: there is no list of events at all, only a state.
    std::int64_t unknownEvents = 0;   ///< Among Kind::Other: of unknown kinds.
    std::int64_t mostSplitBytes = 0;  ///< Blocks from this size on are given out whole; 0: there is no limit.
    bool roundsToPowers = false;      ///< PYTORCH_CUDA_ALLOC_CONF=roundup_power2_divisions.
    std::vector<std::int64_t> others; ///< Devices with segments or events beside it.
};

/// Whether bytes begin as a snapshot does: a pickle, or JSON with the same words.
[[nodiscard]] bool looksLikeMemorySnapshot(std::string_view bytes);

[[nodiscard]] std::string deviceName(std::int64_t device);   ///< "cuda:1"
[[nodiscard]] std::string addressText(std::int64_t address); ///< "0x7f3a00000000"

/// One device of a snapshot: \p wanted ("cuda:1"), or the one with the most events where it is empty. Reads the forms
/// since 2021: {"segments", "device_traces"}, or a list of segments. Errors say the place, "device_traces[0][17].addr".
[[nodiscard]] Result<DeviceSnapshot> readDeviceSnapshot(const PlainData& data, PlainData::Item root,
                                                        std::string_view wanted);

} // namespace plimsoll
