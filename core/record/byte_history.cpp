#include "core/record/byte_history.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// Of a content that has no bytes in the arena: empty.
Interval placeOf(const PlannedProgram& program, ArenaId arena, const RecordedContent& content)
{
    const ValuePlacement& where = program.map.values[content.value.index()];
    if (where.arena != arena) return {};
    return {where.offset, where.offset + std::min(where.bytes, content.bytes)};
}

/// Nothing is written for it: it is bytes of another.
bool onlyNames(const PlannedProgram& program, const RecordedContent& content)
{
    const PlannedValue& value = program.values[content.value.index()];
    const AliasKind as = value.sharedAs; // Fresh: of a plan that puts what has nothing to do with one another together
    return value.shared && (as == AliasKind::Identity || as == AliasKind::View || as == AliasKind::Part);
}

/// By NodeId: the bytes of its scratchpad in the arena, if it has one there.
std::vector<Interval> scratchIn(const PlannedProgram& program, ArenaId arena)
{
    std::vector<Interval> bytes(program.graph->nodes.size());
    for (const auto& [node, where] : program.map.scratch)
        if (where.arena == arena) bytes[node.index()] = {where.offset, where.offset + where.bytes};
    return bytes;
}

/// Takes \p piece out of \p open and gives back what of it was there.
std::vector<Interval> takeOut(std::vector<Interval>& open, Interval piece)
{
    std::vector<Interval> taken;
    std::vector<Interval> left;
    for (const Interval part : open) {
        const Interval common = intersection(part, piece);
        if (common.empty()) {
            left.push_back(part);
            continue;
        }
        taken.push_back(common);
        if (part.begin < common.begin) left.push_back({part.begin, common.begin});
        if (common.end < part.end) left.push_back({common.end, part.end});
    }
    open = std::move(left);
    return taken;
}

} // namespace

std::vector<HeldBytes> heldAt(const RunRecord& record, const PlannedProgram& program, ArenaId arena, Interval bytes,
                              std::size_t moment)
{
    const std::vector<Interval> scratch = scratchIn(program, arena);
    std::vector<HeldBytes> held;
    std::vector<Interval> open {bytes};
    for (std::size_t i = std::min(moment + 1, record.moments.size()); i-- > 0 && !open.empty();) {
        const Moment& then = record.moments[i];
        for (const Interval piece : takeOut(open, scratch[then.node.index()]))
            held.push_back({piece, std::nullopt, then.node, i});
        for (std::int64_t at = then.contents.end; at-- > then.contents.begin;) {
            const auto content = static_cast<std::size_t>(at);
            for (const Interval piece : takeOut(open, placeOf(program, arena, record.contents[content])))
                held.push_back({piece, content, {}, i});
        }
    }
    for (const Interval piece : open)
        held.push_back({piece, std::nullopt, {}, 0});
    std::ranges::sort(held, {}, [](const HeldBytes& one) { return one.bytes.begin; });
    return held;
}

std::vector<HeldBytes> writesTo(const RunRecord& record, const PlannedProgram& program, ArenaId arena, Interval bytes)
{
    const std::vector<Interval> scratch = scratchIn(program, arena);
    std::vector<HeldBytes> writes;
    for (std::size_t i = 0; i < record.moments.size(); ++i) {
        const Moment& then = record.moments[i];
        const Interval temporary = intersection(scratch[then.node.index()], bytes);
        if (!temporary.empty()) writes.push_back({temporary, std::nullopt, then.node, i});
        for (std::int64_t at = then.contents.begin; at < then.contents.end; ++at) {
            const auto content = static_cast<std::size_t>(at);
            const Interval piece = intersection(placeOf(program, arena, record.contents[content]), bytes);
            if (!piece.empty() && !onlyNames(program, record.contents[content]))
                writes.push_back({piece, content, {}, i});
        }
    }
    return writes;
}

std::optional<std::span<const std::byte>> keptBytes(const RunRecord& record, const PlannedProgram& program,
                                                    const HeldBytes& held)
{
    if (!held.content) return std::nullopt;
    const RecordedContent& content = record.contents[*held.content];
    if (!content.at) return std::nullopt;
    const std::int64_t from = held.bytes.begin - program.map.values[content.value.index()].offset;
    return record.bytesOf(content).subspan(static_cast<std::size_t>(from),
                                           static_cast<std::size_t>(held.bytes.length()));
}

PlaceNow placeNow(const RunRecord& record, const PlannedProgram& program, std::size_t content, std::size_t moment)
{
    const RecordedContent& own = record.contents[content];
    const ArenaId arena = program.map.values[own.value.index()].arena;
    if (!arena.valid()) return {};
    PlaceNow now;
    bool kept = true;
    for (const HeldBytes& held : heldAt(record, program, arena, placeOf(program, arena, own), moment)) {
        if (held.content != content) now.others += held.bytes.length();
        const auto bytes = keptBytes(record, program, held);
        kept = kept && bytes;
        if (kept) now.bytes.insert(now.bytes.end(), bytes->begin(), bytes->end());
    }
    if (now.others == 0 || !kept || std::ssize(now.bytes) != own.bytes) now.bytes.clear();
    return now;
}

std::optional<std::size_t> contentAt(const RunRecord& record, ValueId value, std::size_t moment)
{
    if (record.moments.empty()) return std::nullopt;
    const auto end = record.moments[std::min(moment, record.moments.size() - 1)].contents.end;
    for (std::int64_t at = end; at-- > 0;)
        if (record.contents[static_cast<std::size_t>(at)].value == value) return static_cast<std::size_t>(at);
    return std::nullopt;
}

} // namespace plimsoll
