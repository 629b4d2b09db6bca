#include "core/formats/snapshot/memory_snapshot.h"

#include "core/base/bytes.h"
#include "core/base/interval.h"
#include "core/formats/files/utf8.h"
#include "core/formats/snapshot/pickle_reader.h"
#include "core/formats/top_words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>

namespace plimsoll {
namespace {

using Item = PlainData::Item;

constexpr std::size_t MostBlocks = 4'000'000;

struct EventName
{
    std::string_view name;
    SnapshotEvent::Kind kind;
};
constexpr std::array EventNames = {
    EventName {"alloc", SnapshotEvent::Kind::Alloc},
    EventName {"free_requested", SnapshotEvent::Kind::FreeRequested},
    EventName {"free_completed", SnapshotEvent::Kind::FreeCompleted},
    EventName {"free", SnapshotEvent::Kind::FreeCompleted},
    EventName {"segment_alloc", SnapshotEvent::Kind::SegmentAlloc},
    EventName {"segment_free", SnapshotEvent::Kind::SegmentFree},
    EventName {"segment_map", SnapshotEvent::Kind::SegmentMap},
    EventName {"segment_unmap", SnapshotEvent::Kind::SegmentUnmap},
    EventName {"oom", SnapshotEvent::Kind::OutOfMemory},
    EventName {"snapshot", SnapshotEvent::Kind::Other},
    EventName {"user_defined", SnapshotEvent::Kind::Other},
};

/// A dictionary and where it stands.
class Fields
{
public:
    Fields(const PlainData& data, Item dict, std::string_view list, std::size_t index)
        : m_data(data), m_dict(dict), m_list(list), m_index(index)
    {
    }

    [[nodiscard]] Status check() const
    {
        if (m_dict.kind() != PlainData::Kind::Dict) return bad({}, say("snapshot.no-dictionary"));
        if (m_data.hasMoreThan(m_dict, 2 * MostSnapshotKeys))
            return bad({}, say("snapshot.too-many-keys", word::Number(MostSnapshotKeys)));
        return {};
    }

    [[nodiscard]] Error bad(std::string_view key, Message message) const
    {
        return badInput(std::move(message), place() + (key.empty() ? "" : "." + std::string(key)));
    }

    [[nodiscard]] std::string place() const { return std::string(m_list) + "[" + std::to_string(m_index) + "]"; }
    [[nodiscard]] Item at(std::string_view key) const { return m_data.find(m_dict, key).value_or(Item {}); }
    [[nodiscard]] bool has(std::string_view key) const { return at(key).kind() != PlainData::Kind::None; }
    [[nodiscard]] std::string_view text(std::string_view key) const { return m_data.asText(at(key)).value_or(""); }
    [[nodiscard]] bool isTrue(std::string_view key) const { return m_data.asBool(at(key)).value_or(false); }

    /// No count of bytes: streams are handles, which may use all 64 bits.
    [[nodiscard]] std::int64_t anyNumber(std::string_view key) const { return m_data.asInteger(at(key)).value_or(0); }

    [[nodiscard]] Result<std::int64_t> bytes(std::string_view key) const
    {
        if (!has(key)) return bad(key, say("snapshot.no-number"));
        const auto number = m_data.asInteger(at(key));
        if (number && *number >= 0) return *number;
        if (!number && at(key).kind() != PlainData::Kind::Wide) return bad(key, say("snapshot.no-whole-number"));
        return bad(key, say("snapshot.number-range"));
    }

    [[nodiscard]] Result<std::int64_t> bytesOr(std::string_view key, std::int64_t fallback) const
    {
        return has(key) ? bytes(key) : Result<std::int64_t>(fallback);
    }

    /// Where bytes begin and end. \p fallback is their address where \p addressKey does not say it.
    [[nodiscard]] Result<Interval> addresses(std::string_view addressKey, std::string_view sizeKey,
                                             std::optional<std::int64_t> fallback = {}) const
    {
        constexpr std::int64_t MostAddress = std::int64_t {1} << 62; // so that rounding up never leaves 63 bits
        PLIMSOLL_ASSIGN(begin, fallback ? bytesOr(addressKey, *fallback) : bytes(addressKey));
        PLIMSOLL_ASSIGN(size, bytes(sizeKey));
        const auto end = checkedAdd(begin, size);
        if (end && *end <= MostAddress) return Interval {begin, *end};
        return bad({}, say("snapshot.address-too-large"));
    }

private:
    const PlainData& m_data;
    Item m_dict;
    std::string_view m_list; ///< "device_traces[0]"
    std::size_t m_index;
};

/// How much there is of a device.
struct DeviceCount
{
    std::int64_t device = 0;
    std::size_t events = 0;
    std::size_t segments = 0;
};

DeviceCount& countOf(std::vector<DeviceCount>& counts, std::int64_t device)
{
    const auto found = std::find_if(counts.begin(), counts.end(),
                                    [device](const DeviceCount& count) { return count.device == device; });
    if (found != counts.end()) return *found;
    counts.push_back({device});
    return counts.back();
}

Result<std::vector<DeviceCount>> countDevices(const PlainData& data, Item segmentList, Item traceList)
{
    std::vector<DeviceCount> counts;
    constexpr std::int64_t MostDevices = 1024;
    PlainData::Walk traces = data.walk(traceList);
    Item item;
    for (std::int64_t device = 0; traces.next(item); ++device) {
        if (device >= MostDevices) return badInput(say("snapshot.too-many-devices"), "device_traces");
        if (const std::size_t events = data.size(item); events > 0) countOf(counts, device).events = events;
    }
    PlainData::Walk segments = data.walk(segmentList);
    for (std::size_t index = 0; segments.next(item); ++index) {
        const Fields fields(data, item, "segments", index);
        PLIMSOLL_TRY(fields.check());
        const std::int64_t device = fields.anyNumber("device");
        if (device < 0 || device >= MostDevices) return fields.bad("device", say("snapshot.no-device"));
        ++countOf(counts, device).segments;
    }
    std::ranges::sort(counts, {}, &DeviceCount::device);
    return counts;
}

/// The device that is wanted, else the one with the most events.
Result<std::int64_t> chooseDevice(const std::vector<DeviceCount>& counts, std::string_view wanted)
{
    if (counts.empty()) return badInput(say("snapshot.empty"));
    const auto most = [](const DeviceCount& a, const DeviceCount& b) {
        return std::pair(a.events, a.segments) < std::pair(b.events, b.segments);
    };
    auto chosen = std::max_element(counts.begin(), counts.end(), most);
    if (!wanted.empty())
        chosen = std::ranges::find(counts, wanted, [](const DeviceCount& count) { return deviceName(count.device); });
    if (chosen != counts.end()) return chosen->device;
    const auto nameOf = [](const DeviceCount& count) { return deviceName(count.device); };
    return badInput(say("snapshot.no-such-device", word::Name {std::string(wanted)},
                        allOf(counts, nameOf, word::List::Joint::Comma)));
}

/// Blocks follow one another from the start of the segment; older files say no addresses. Until 2023 a block had a list
/// of its uses. One may stand in many segments: \p read counts all.
Status readBlocks(const PlainData& data, Item blocks, const std::string& list, SnapshotSegment& segment,
                  std::size_t& read)
{
    PlainData::Walk walk = data.walk(blocks);
    Item item;
    std::int64_t next = segment.address;
    for (std::size_t index = 0; walk.next(item); ++index) {
        const Fields fields(data, item, list, index);
        PLIMSOLL_TRY(fields.check());
        if (++read > MostBlocks) return fields.bad({}, say("snapshot.too-many-blocks"));
        PLIMSOLL_ASSIGN(addresses, fields.addresses("address", "size", next));
        SnapshotBlock block {addresses.begin, addresses.length(), 0, false, fields.at("frames")};
        PLIMSOLL_SET(block.requested, fields.bytesOr("requested_size", addresses.length()));
        const std::string_view state = fields.text("state");
        block.awaitsFree = state.starts_with("active") && state != "active_allocated";
        Item last;
        if (data.walk(fields.at("history")).next(last)) { // what it was used for, the last first
            const std::string history = fields.place() + ".history";
            const Fields use(data, last, history, 0);
            PLIMSOLL_TRY(use.check());
            PLIMSOLL_SET(block.requested, use.bytesOr("real_size", block.requested));
            if (block.frames.kind() == PlainData::Kind::None) block.frames = use.at("frames");
        }
        next = block.address + block.bytes;
        if (state.starts_with("active")) segment.blocks.push_back(block);
    }
    return {};
}

Status readSegments(const PlainData& data, Item list, DeviceSnapshot& made)
{
    PlainData::Walk segments = data.walk(list);
    Item item;
    std::size_t blocks = 0;
    for (std::size_t index = 0; segments.next(item); ++index) {
        const Fields fields(data, item, "segments", index);
        if (fields.anyNumber("device") != made.device) continue;
        PLIMSOLL_ASSIGN(addresses, fields.addresses("address", "total_size"));
        SnapshotSegment& segment = made.segments.emplace_back();
        segment.address = addresses.begin;
        segment.bytes = addresses.length();
        segment.stream = fields.anyNumber("stream");
        segment.expandable = fields.isTrue("is_expandable");
        PLIMSOLL_TRY(readBlocks(data, fields.at("blocks"), fields.place() + ".blocks", segment, blocks));
    }
    std::ranges::stable_sort(made.segments, {}, &SnapshotSegment::address);
    return {};
}

Result<SnapshotEvent> readEvent(const Fields& fields, std::int64_t& unknownEvents)
{
    const std::string_view action = fields.text("action");
    const auto* known = std::find_if(EventNames.begin(), EventNames.end(),
                                     [action](const EventName& row) { return row.name == action; });
    SnapshotEvent event;
    if (known == EventNames.end()) ++unknownEvents;
    if (known == EventNames.end() || known->kind == SnapshotEvent::Kind::Other) return event;
    event.kind = known->kind;
    const bool refused = event.kind == SnapshotEvent::Kind::OutOfMemory;
    PLIMSOLL_ASSIGN(addresses, refused ? fields.addresses("device_free", "size", 0) : fields.addresses("addr", "size"));
    event.address = addresses.begin;
    event.bytes = addresses.length();
    event.stream = fields.anyNumber("stream");
    event.frames = fields.at("frames");
    return event;
}

/// An event has four keys at least: those of a list with more of them than there are bytes for stand in it again and
/// again.
constexpr std::size_t LeastEventBytes = 8 * 8;

Status readEvents(const PlainData& data, Item traceList, DeviceSnapshot& made)
{
    PlainData::Walk traces = data.walk(traceList);
    Item trace;
    for (std::int64_t device = 0; traces.next(trace); ++device) {
        if (device != made.device) continue;
        const std::string list = "device_traces[" + std::to_string(device) + "]";
        made.recorded = trace.isList();
        const std::size_t count = data.size(trace);
        if (count > data.bytes() / LeastEventBytes) return badInput(say("snapshot.repeated-event", count), list);
        made.events.reserve(count);
        PlainData::Walk events = data.walk(trace);
        Item item;
        for (std::size_t index = 0; events.next(item); ++index) {
            const Fields fields(data, item, list, index);
            PLIMSOLL_TRY(fields.check());
            PLIMSOLL_SET(made.events.emplace_back(), readEvent(fields, made.unknownEvents));
        }
    }
    return {};
}

} // namespace

bool looksLikeMemorySnapshot(std::string_view bytes)
{
    constexpr std::size_t Head = 8192;
    const std::string_view head = bytes.substr(0, Head);
    if (looksLikePickle(bytes)) { // Keys that stand near the beginning of every snapshot, and together nowhere else.
        const auto has = [head](std::string_view word) { return head.find(word) != std::string_view::npos; };
        return has("device_traces") || has("segments") || (has("total_size") && has("segment_type"));
    }
    const std::string_view text = withoutByteOrderMark(head);
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || text[first] != '{') return false;
    const std::set<std::string_view> words = topWords(text.substr(first)); // "device_traces" may stand far behind
    const auto ours = [](std::string_view word) { return word.starts_with("plimsoll."); };
    return std::ranges::none_of(words, ours) && (words.contains("segments") || words.contains("device_traces"));
}

std::string deviceName(std::int64_t device)
{
    return "cuda:" + std::to_string(device);
}

std::string addressText(std::int64_t address)
{
    std::array<char, 16> digits {};
    char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), address, 16).ptr;
    return "0x" + std::string(digits.data(), end);
}

Result<DeviceSnapshot> readDeviceSnapshot(const PlainData& data, PlainData::Item root, std::string_view wanted)
{
    const bool listAlone = root.isList();
    const Item segments = listAlone ? root : data.find(root, "segments").value_or(Item {});
    const Item traces = listAlone ? Item {} : data.find(root, "device_traces").value_or(Item {});
    if (!segments.isList() && !traces.isList()) return badInput(say("snapshot.no-snapshot"));
    DeviceSnapshot made;
    PLIMSOLL_ASSIGN(counts, countDevices(data, segments, traces));
    PLIMSOLL_SET(made.device, chooseDevice(counts, wanted));
    for (const DeviceCount& count : counts) {
        if (count.device != made.device) made.others.push_back(count.device);
    }
    PLIMSOLL_TRY(readSegments(data, segments, made));
    PLIMSOLL_TRY(readEvents(data, traces, made));
    const Item settings = data.find(root, "allocator_settings").value_or(Item {});
    const auto most = data.asInteger(data.find(settings, "max_split_size").value_or(Item {}));
    made.mostSplitBytes = std::max<std::int64_t>(most.value_or(0), 0);
    PlainData::Walk divisions = data.walk(data.find(settings, "roundup_power2_divisions").value_or(Item {}));
    Item key;
    Item value;
    while (divisions.next(key) && divisions.next(value))
        made.roundsToPowers = made.roundsToPowers || data.asInteger(value).value_or(0) > 1;
    return made;
}

} // namespace plimsoll
