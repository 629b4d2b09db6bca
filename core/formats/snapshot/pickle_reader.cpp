#include "core/formats/snapshot/pickle_reader.h"

#include "core/base/bytes.h"
#include "core/formats/reading_room.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <limits>

namespace plimsoll {
namespace {

using Item = PlainData::Item;
using Kind = PlainData::Kind;

/// Brackets that may be open at once; snapshots and the like need ten.
constexpr std::size_t MostMarks = 1'000;

/// A short opcode can stand for two words here; only damaged or hostile files unfold further than this, or than what is
/// made of any file.
constexpr std::size_t MostBytesPerByte = 24;
constexpr std::size_t BytesInAnyCase = std::size_t {1} << 20;

/// A pickle is a program for a stack machine. This one only builds plain data.
struct Unpickler
{
    std::string_view bytes;
    std::size_t at = 0;
    std::size_t opcode = 0; ///< Where the one begins that is executed.
    std::vector<Item> stack;
    std::vector<std::size_t> marks; ///< Sizes that the stack had where a bracket was opened.
    std::vector<Item> memo;
    PickledData made;
    bool done = false;

    /// What knows of no marks takes nothing below the last one.
    [[nodiscard]] bool has(std::size_t items) const
    {
        return stack.size() >= (marks.empty() ? 0 : marks.back()) + items;
    }
};

Error bad(const Unpickler& in, Message message)
{
    return badInput(std::move(message), "byte " + std::to_string(in.opcode));
}

Error cut(const Unpickler& in, std::uint64_t wanted)
{
    constexpr std::uint64_t MostTold = std::numeric_limits<std::int64_t>::max();
    return bad(in, say("pickle.cut", std::min(wanted, MostTold), in.bytes.size() - in.at));
}

Error noValue(const Unpickler& in)
{
    return bad(in, say("pickle.no-value"));
}

Result<std::string_view> take(Unpickler& in, std::uint64_t bytes)
{
    if (bytes > in.bytes.size() - in.at) return cut(in, bytes);
    const std::string_view taken = in.bytes.substr(in.at, bytes);
    in.at += bytes;
    return taken;
}

/// Little-endian, at most 8 bytes.
Result<std::uint64_t> number(Unpickler& in, std::size_t bytes)
{
    PLIMSOLL_ASSIGN(from, take(in, bytes));
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
        value |= std::uint64_t {static_cast<unsigned char>(from[i])} << (8 * i);
    return value;
}

Status push(Unpickler& in, Item item)
{
    in.stack.push_back(item);
    return {};
}

Result<Item> pop(Unpickler& in)
{
    if (!in.has(1)) return noValue(in);
    const Item item = in.stack.back();
    in.stack.pop_back();
    return item;
}

Result<std::size_t> popMark(Unpickler& in)
{
    if (in.marks.empty()) return bad(in, say("pickle.closes-nothing"));
    const std::size_t first = in.marks.back();
    in.marks.pop_back();
    return first;
}

Status moveInto(Unpickler& in, Item container, std::size_t first)
{
    const auto items = std::span(in.stack).subspan(first);
    if (container.kind() == Kind::Dict && items.size() % 2 != 0) return bad(in, say("pickle.key-without-value"));
    in.made.data.append(container, items);
    in.stack.resize(first);
    return {};
}

/// What is on the stack from \p first on becomes one value.
Status gather(Unpickler& in, Kind kind, std::size_t first)
{
    const Item made = in.made.data.container(kind);
    PLIMSOLL_TRY(moveInto(in, made, first));
    return push(in, made);
}

/// What is on the stack from \p first on goes into the container below it.
Status extend(Unpickler& in, Kind kind, std::size_t first)
{
    const std::size_t floor = in.marks.empty() ? 0 : in.marks.back();
    if (first <= floor || in.stack[first - 1].kind() != kind) return bad(in, say("pickle.no-container"));
    return moveInto(in, in.stack[first - 1], first);
}

// What opcodes do. Their argument is a width in bytes, or a count.

Status protocol(Unpickler& in, std::size_t width)
{
    PLIMSOLL_ASSIGN(version, number(in, width));
    if (version < 2 || version > 5) return bad(in, say("pickle.protocol", word::Number(version)));
    return {};
}

/// How much may be read ahead.
Status frame(Unpickler& in, std::size_t width)
{
    PLIMSOLL_ASSIGN(length, number(in, width));
    if (length > in.bytes.size() - in.at) return cut(in, length);
    return {};
}

Status stop(Unpickler& in, std::size_t /*unused*/)
{
    PLIMSOLL_SET(in.made.root, pop(in));
    if (!in.stack.empty() || !in.marks.empty()) return bad(in, say("pickle.ends-open"));
    in.done = true;
    return {};
}

Status mark(Unpickler& in, std::size_t /*unused*/)
{
    if (in.marks.size() >= MostMarks) return bad(in, say("pickle.too-deep", MostMarks));
    in.marks.push_back(in.stack.size());
    return {};
}

Status dropToMark(Unpickler& in, std::size_t /*unused*/)
{
    PLIMSOLL_ASSIGN(first, popMark(in));
    in.stack.resize(first);
    return {};
}

Status drop(Unpickler& in, std::size_t unused)
{
    if (!in.marks.empty() && in.stack.size() == in.marks.back()) return dropToMark(in, unused);
    PLIMSOLL_TRY(pop(in));
    return {};
}

Status duplicate(Unpickler& in, std::size_t /*unused*/)
{
    if (!in.has(1)) return noValue(in);
    return push(in, Item(in.stack.back()));
}

/// At a place that is told, or (width 0) behind all others.
Status put(Unpickler& in, std::size_t width)
{
    std::uint64_t place = in.memo.size();
    if (width > 0) PLIMSOLL_SET(place, number(in, width));
    if (!in.has(1)) return noValue(in);
    if (place >= in.bytes.size()) return bad(in, say("pickle.memo-too-large"));
    if (place >= in.memo.size()) in.memo.resize(place + 1);
    in.memo[place] = in.stack.back();
    return {};
}

Status get(Unpickler& in, std::size_t width)
{
    PLIMSOLL_ASSIGN(place, number(in, width));
    if (place >= in.memo.size()) return bad(in, say("pickle.unknown-memo"));
    return push(in, in.memo[place]);
}

Status none(Unpickler& in, std::size_t /*unused*/)
{
    return push(in, in.made.data.none());
}

Status boolean(Unpickler& in, std::size_t truth)
{
    return push(in, in.made.data.boolean(truth == 1));
}

/// Of four bytes with a sign, of fewer without.
Status integer(Unpickler& in, std::size_t width)
{
    PLIMSOLL_ASSIGN(value, number(in, width));
    const auto whole = static_cast<std::int64_t>(value);
    return push(in, in.made.data.integer(width == 4 ? static_cast<std::int32_t>(value) : whole));
}

/// Little-endian two's complement of any length.
Status longInteger(Unpickler& in, std::size_t width)
{
    PLIMSOLL_ASSIGN(length, number(in, width));
    if (length > 8) {
        PLIMSOLL_TRY(take(in, length));
        return push(in, in.made.data.wide());
    }
    PLIMSOLL_ASSIGN(value, number(in, length));
    const std::size_t unused = 64 - 8 * length;
    const auto extended = length == 0 ? 0 : static_cast<std::int64_t>(value << unused) >> unused;
    return push(in, in.made.data.integer(extended));
}

/// Big-endian.
Status real(Unpickler& in, std::size_t width)
{
    PLIMSOLL_ASSIGN(from, take(in, width));
    std::uint64_t bits = 0;
    for (const char byte : from)
        bits = bits << 8 | static_cast<unsigned char>(byte);
    return push(in, in.made.data.real(std::bit_cast<double>(bits)));
}

template <Kind kind>
Status text(Unpickler& in, std::size_t width)
{
    PLIMSOLL_ASSIGN(length, number(in, width));
    PLIMSOLL_ASSIGN(from, take(in, length));
    return push(in, in.made.data.text(from, kind));
}

template <Kind kind>
Status empty(Unpickler& in, std::size_t /*unused*/)
{
    return push(in, in.made.data.container(kind));
}

template <Kind kind>
Status gatherFromMark(Unpickler& in, std::size_t /*unused*/)
{
    PLIMSOLL_ASSIGN(first, popMark(in));
    return gather(in, kind, first);
}

Status shortTuple(Unpickler& in, std::size_t items)
{
    return in.has(items) ? gather(in, Kind::Tuple, in.stack.size() - items) : noValue(in);
}

template <Kind kind>
Status append(Unpickler& in, std::size_t items)
{
    return in.has(items + 1) ? extend(in, kind, in.stack.size() - items) : noValue(in);
}

template <Kind kind>
Status appendFromMark(Unpickler& in, std::size_t /*unused*/)
{
    PLIMSOLL_ASSIGN(first, popMark(in));
    return extend(in, kind, first);
}

struct Opcode
{
    unsigned char code;
    std::string_view name;                            ///< As in Python's pickletools.
    Status (*run)(Unpickler&, std::size_t) = nullptr; ///< Null: it would import, call or ask, and is refused.
    std::size_t argument = 0;
};

/// PEP 307, PEP 3154, PEP 574.
constexpr Opcode Opcodes[] = {
    {0x80, "PROTO", protocol, 1},
    {0x95, "FRAME", frame, 8},
    {'.', "STOP", stop},
    {'(', "MARK", mark},
    {'0', "POP", drop},
    {'1', "POP_MARK", dropToMark},
    {'2', "DUP", duplicate},
    {'q', "BINPUT", put, 1},
    {'r', "LONG_BINPUT", put, 4},
    {0x94, "MEMOIZE", put, 0},
    {'h', "BINGET", get, 1},
    {'j', "LONG_BINGET", get, 4},
    {'N', "NONE", none},
    {0x88, "NEWTRUE", boolean, 1},
    {0x89, "NEWFALSE", boolean, 0},
    {'K', "BININT1", integer, 1},
    {'M', "BININT2", integer, 2},
    {'J', "BININT", integer, 4},
    {0x8A, "LONG1", longInteger, 1},
    {0x8B, "LONG4", longInteger, 4},
    {'G', "BINFLOAT", real, 8},
    {'U', "SHORT_BINSTRING", text<Kind::Text>, 1},
    {'T', "BINSTRING", text<Kind::Text>, 4},
    {0x8C, "SHORT_BINUNICODE", text<Kind::Text>, 1},
    {'X', "BINUNICODE", text<Kind::Text>, 4},
    {0x8D, "BINUNICODE8", text<Kind::Text>, 8},
    {'C', "SHORT_BINBYTES", text<Kind::Bytes>, 1},
    {'B', "BINBYTES", text<Kind::Bytes>, 4},
    {0x8E, "BINBYTES8", text<Kind::Bytes>, 8},
    {0x96, "BYTEARRAY8", text<Kind::Bytes>, 8},
    {']', "EMPTY_LIST", empty<Kind::List>},
    {')', "EMPTY_TUPLE", empty<Kind::Tuple>},
    {'}', "EMPTY_DICT", empty<Kind::Dict>},
    {'l', "LIST", gatherFromMark<Kind::List>},
    {'t', "TUPLE", gatherFromMark<Kind::Tuple>},
    {'d', "DICT", gatherFromMark<Kind::Dict>},
    {0x85, "TUPLE1", shortTuple, 1},
    {0x86, "TUPLE2", shortTuple, 2},
    {0x87, "TUPLE3", shortTuple, 3},
    {'a', "APPEND", append<Kind::List>, 1},
    {'s', "SETITEM", append<Kind::Dict>, 2},
    {'e', "APPENDS", appendFromMark<Kind::List>},
    {'u', "SETITEMS", appendFromMark<Kind::Dict>},
    {'c', "GLOBAL"},
    {0x93, "STACK_GLOBAL"},
    {'R', "REDUCE"},
    {'b', "BUILD"},
    {'i', "INST"},
    {'o', "OBJ"},
    {0x81, "NEWOBJ"},
    {0x92, "NEWOBJ_EX"},
    {'P', "PERSID"},
    {'Q', "BINPERSID"},
    {0x82, "EXT1"},
    {0x83, "EXT2"},
    {0x84, "EXT4"},
    {0x97, "NEXT_BUFFER"},
    {0x98, "READONLY_BUFFER"},
    {0x8F, "EMPTY_SET"},
    {0x90, "ADDITEMS"},
    {0x91, "FROZENSET"},
    {'I', "INT"},
    {'L', "LONG"},
    {'S', "STRING"},
    {'V', "UNICODE"},
    {'F', "FLOAT"},
    {'g', "GET"},
    {'p', "PUT"},
};

constexpr std::array<const Opcode*, 256> ByCode = [] {
    std::array<const Opcode*, 256> byCode {};
    for (const Opcode& opcode : Opcodes)
        byCode[opcode.code] = &opcode;
    return byCode;
}();

Error refuse(const Unpickler& in, unsigned char code)
{
    if (ByCode[code]) return bad(in, say("pickle.no-plain-data", ByCode[code]->name));
    char shown[8] = "";
    std::snprintf(shown, sizeof shown, "0x%02X", code);
    return bad(in, say("pickle.no-opcode", shown));
}

} // namespace

bool looksLikePickle(std::string_view bytes)
{
    return bytes.size() > 1 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
}

Result<PickledData> readPickle(std::string_view bytes)
{
    if (!looksLikePickle(bytes)) return badInput(say("pickle.no-pickle"));
    const std::size_t most =
        std::min(MostBytesPerByte * bytes.size() + BytesInAnyCase, ReadingRoom(bytes.size()).left());
    Unpickler in {bytes, 0, 0, {}, {}, {}, {}, false};
    while (!in.done) {
        in.opcode = in.at;
        PLIMSOLL_ASSIGN(code, number(in, 1));
        const Opcode* opcode = ByCode[code];
        if (!opcode || !opcode->run) return refuse(in, static_cast<unsigned char>(code));
        PLIMSOLL_TRY(opcode->run(in, opcode->argument));
        if (in.made.data.bytes() > most) return bad(in, say("pickle.unfolds"));
    }
    return std::move(in.made);
}

} // namespace plimsoll
