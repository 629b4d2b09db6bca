#include "core/formats/snapshot/pickle_reader.h"

#include "core/base/bytes.h"
#include "core/base/plural.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <limits>

namespace plimsoll {
namespace {

using Item = PlainData::Item;
using Kind = PlainData::Kind;

/// So deep brackets are open at once; snapshots and the like need ten.
constexpr std::size_t MostMarks = 1'000;

/// A short opcode can stand for two words here, and nothing that anybody writes on purpose unfolds further than this.
constexpr std::size_t MostBytesPerByte = 24;
constexpr std::size_t BytesInAnyCase = std::size_t {1} << 20;

struct NamedOpcode
{
    char code;
    std::string_view name;
};

/// What would import, call or ask somebody. PEP 307, PEP 3154, PEP 574; names as in Python's pickletools.
constexpr std::array Refused = {
    NamedOpcode {'c', "GLOBAL"},
    NamedOpcode {'\x93', "STACK_GLOBAL"},
    NamedOpcode {'R', "REDUCE"},
    NamedOpcode {'b', "BUILD"},
    NamedOpcode {'i', "INST"},
    NamedOpcode {'o', "OBJ"},
    NamedOpcode {'\x81', "NEWOBJ"},
    NamedOpcode {'\x92', "NEWOBJ_EX"},
    NamedOpcode {'P', "PERSID"},
    NamedOpcode {'Q', "BINPERSID"},
    NamedOpcode {'\x82', "EXT1"},
    NamedOpcode {'\x83', "EXT2"},
    NamedOpcode {'\x84', "EXT4"},
    NamedOpcode {'\x97', "NEXT_BUFFER"},
    NamedOpcode {'\x98', "READONLY_BUFFER"},
    NamedOpcode {'\x8f', "EMPTY_SET"},
    NamedOpcode {'\x90', "ADDITEMS"},
    NamedOpcode {'\x91', "FROZENSET"},
    NamedOpcode {'I', "INT"},
    NamedOpcode {'L', "LONG"},
    NamedOpcode {'S', "STRING"},
    NamedOpcode {'V', "UNICODE"},
    NamedOpcode {'F', "FLOAT"},
    NamedOpcode {'g', "GET"},
    NamedOpcode {'p', "PUT"},
};

class Reader
{
public:
    explicit Reader(std::string_view bytes) : m_bytes(bytes) {}

    Result<PickledData> run()
    {
        while (!m_done) {
            m_opcode = m_at;
            PLIMSOLL_ASSIGN(code, number(1));
            PLIMSOLL_TRY(step(static_cast<unsigned char>(code)));
            if (m_made.data.bytes() > MostBytesPerByte * m_bytes.size() + BytesInAnyCase)
                return bad("The pickle unfolds to far more than its file.");
        }
        return std::move(m_made);
    }

private:
    [[nodiscard]] Error bad(std::string message) const
    {
        return {ErrorCode::BadInput, std::move(message), "byte " + std::to_string(m_opcode), {}};
    }

    [[nodiscard]] Error cut(std::uint64_t wanted) const
    {
        constexpr std::uint64_t MostTold = std::numeric_limits<std::int64_t>::max();
        return bad("The pickle ends in the middle: here it goes on for " + plural(std::min(wanted, MostTold), "byte") +
                   ", and the file for " + countText(m_bytes.size() - m_at) + ".");
    }

    /// Little-endian, at most 8 bytes.
    Result<std::uint64_t> number(std::size_t bytes)
    {
        PLIMSOLL_ASSIGN(from, take(bytes));
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytes; ++i)
            value |= std::uint64_t {static_cast<unsigned char>(from[i])} << (8 * i);
        return value;
    }

    Result<std::string_view> take(std::uint64_t bytes)
    {
        if (bytes > m_bytes.size() - m_at) return cut(bytes);
        const std::string_view taken = m_bytes.substr(m_at, bytes);
        m_at += bytes;
        return taken;
    }

    Status push(Item item)
    {
        m_stack.push_back(item);
        return {};
    }

    Result<Item> pop()
    {
        if (m_stack.size() <= floor()) return bad("The pickle takes a value where none is.");
        const Item item = m_stack.back();
        m_stack.pop_back();
        return item;
    }

    /// Nothing below the last mark is taken by what knows of no marks.
    [[nodiscard]] std::size_t floor() const { return m_marks.empty() ? 0 : m_marks.back(); }

    Status step(unsigned char code)
    {
        switch (code) {
        case 0x80: // PROTO
            return protocol();
        case 0x95: // FRAME: how much may be read ahead
            return frame();
        case '.':
            return stop();
        case '(':
        case '0':
        case '1':
        case '2':
            return arrange(code);
        case 'q':
        case 'r':
        case 0x94:
        case 'h':
        case 'j':
            return remember(code);
        default:
            return value(code);
        }
    }

    Status value(unsigned char code)
    {
        switch (code) {
        case 'N':
            return push(m_made.data.none());
        case 0x88:
        case 0x89:
            return push(m_made.data.boolean(code == 0x88));
        case 'J':
        case 'K':
        case 'M':
        case 0x8A:
        case 0x8B:
            return integer(code);
        case 'G':
            return real();
        default:
            return textOrContainer(code);
        }
    }

    Status textOrContainer(unsigned char code)
    {
        switch (code) {
        case 'X': // BINUNICODE
        case 'T': // BINSTRING
            return text(4, Kind::Text);
        case 0x8C: // SHORT_BINUNICODE
        case 'U':  // SHORT_BINSTRING
            return text(1, Kind::Text);
        case 0x8D: // BINUNICODE8
            return text(8, Kind::Text);
        case 'B':
            return text(4, Kind::Bytes);
        case 'C':
            return text(1, Kind::Bytes);
        case 0x8E: // BINBYTES8
        case 0x96: // BYTEARRAY8
            return text(8, Kind::Bytes);
        default:
            return container(code);
        }
    }

    Status container(unsigned char code)
    {
        switch (code) {
        case ']':
            return push(m_made.data.container(Kind::List));
        case ')':
            return push(m_made.data.container(Kind::Tuple));
        case '}':
            return push(m_made.data.container(Kind::Dict));
        case 'l':
            return fromMark(Kind::List);
        case 't':
            return fromMark(Kind::Tuple);
        case 'd':
            return fromMark(Kind::Dict);
        case 0x85: // TUPLE1
        case 0x86:
        case 0x87:
            return shortTuple(code - 0x84U);
        case 'a': // APPEND
            return appendLast(Kind::List, 1);
        case 's': // SETITEM
            return appendLast(Kind::Dict, 2);
        case 'e': // APPENDS
            return appendFromMark(Kind::List);
        case 'u': // SETITEMS
            return appendFromMark(Kind::Dict);
        default:
            return refuse(code);
        }
    }

    [[nodiscard]] Error refuse(unsigned char code) const
    {
        const auto* known = std::find_if(Refused.begin(), Refused.end(), [code](const NamedOpcode& row) {
            return static_cast<unsigned char>(row.code) == code;
        });
        char number[8] = "";
        std::snprintf(number, sizeof number, "0x%02X", code);
        if (known == Refused.end())
            return bad("This is no pickle, or a damaged one: no opcode is " + std::string(number) + ".");
        return bad("The pickle holds more than plain data: " + std::string(known->name) +
                   " is refused, for nothing in a file is executed.");
    }

    Status protocol()
    {
        PLIMSOLL_ASSIGN(version, number(1));
        if (version < 2 || version > 5)
            return bad("Pickles of protocol 2 to 5 are read, not " + std::to_string(version) + ".");
        return {};
    }

    Status frame()
    {
        PLIMSOLL_ASSIGN(length, number(8));
        if (length > m_bytes.size() - m_at) return cut(length);
        return {};
    }

    Status stop()
    {
        PLIMSOLL_ASSIGN(root, pop());
        if (!m_stack.empty() || !m_marks.empty()) return bad("The pickle ends with brackets open.");
        m_made.root = root;
        m_done = true;
        return {};
    }

    /// MARK, POP, POP_MARK and DUP.
    Status arrange(unsigned char code)
    {
        if (code == '(') {
            if (m_marks.size() >= MostMarks)
                return bad("Brackets are nested more than " + formatCount(MostMarks) + " deep.");
            m_marks.push_back(m_stack.size());
            return {};
        }
        const bool toMark = code == '1' || (code == '0' && !m_marks.empty() && m_stack.size() == floor());
        if (toMark) {
            PLIMSOLL_ASSIGN(first, popMark());
            m_stack.resize(first);
            return {};
        }
        PLIMSOLL_ASSIGN(item, pop());
        if (code == '0') return {};
        m_stack.push_back(item);
        return push(item);
    }

    Result<std::size_t> popMark()
    {
        if (m_marks.empty()) return bad("The pickle closes a bracket that is not open.");
        const std::size_t first = m_marks.back();
        m_marks.pop_back();
        return first;
    }

    /// BINPUT, LONG_BINPUT, MEMOIZE, BINGET and LONG_BINGET.
    Status remember(unsigned char code)
    {
        const bool isLong = code == 'r' || code == 'j';
        std::uint64_t place = m_memo.size();
        if (code != 0x94) {
            PLIMSOLL_ASSIGN(named, number(isLong ? 4 : 1));
            place = named;
        }
        if (code == 'h' || code == 'j') {
            if (place >= m_memo.size()) return bad("The pickle refers to what it has not told yet.");
            return push(m_memo[place]);
        }
        if (m_stack.size() <= floor()) return bad("The pickle takes a value where none is.");
        if (place >= m_bytes.size()) return bad("The pickle numbers more values than it can hold.");
        if (place >= m_memo.size()) m_memo.resize(place + 1);
        m_memo[place] = m_stack.back();
        return {};
    }

    /// BININT, BININT1, BININT2, LONG1 and LONG4.
    Status integer(unsigned char code)
    {
        if (code == 0x8A || code == 0x8B) return longInteger(code == 0x8A ? 1 : 4);
        PLIMSOLL_ASSIGN(value, number(code == 'J' ? 4 : code == 'M' ? 2 : 1));
        const auto whole = static_cast<std::int64_t>(value);
        return push(m_made.data.integer(code == 'J' ? static_cast<std::int32_t>(value) : whole));
    }

    /// Little-endian two's complement of any length.
    Status longInteger(std::size_t lengthBytes)
    {
        PLIMSOLL_ASSIGN(length, number(lengthBytes));
        if (length > 8) {
            PLIMSOLL_TRY(skip(length));
            return push(m_made.data.wide());
        }
        PLIMSOLL_ASSIGN(value, number(length));
        const std::size_t unused = 64 - 8 * length;
        const auto extended = length == 0 ? 0 : static_cast<std::int64_t>(value << unused) >> unused;
        return push(m_made.data.integer(extended));
    }

    Status skip(std::uint64_t bytes)
    {
        PLIMSOLL_ASSIGN(passed, take(bytes));
        static_cast<void>(passed);
        return {};
    }

    /// BINFLOAT: big-endian.
    Status real()
    {
        PLIMSOLL_ASSIGN(from, take(8));
        std::uint64_t bits = 0;
        for (const char byte : from)
            bits = bits << 8 | static_cast<unsigned char>(byte);
        return push(m_made.data.real(std::bit_cast<double>(bits)));
    }

    Status text(std::size_t lengthBytes, Kind kind)
    {
        PLIMSOLL_ASSIGN(length, number(lengthBytes));
        PLIMSOLL_ASSIGN(from, take(length));
        return push(m_made.data.text(from, kind));
    }

    Status fromMark(Kind kind)
    {
        PLIMSOLL_ASSIGN(first, popMark());
        return gather(kind, first);
    }

    Status shortTuple(std::size_t items)
    {
        if (m_stack.size() < floor() + items) return bad("The pickle takes a value where none is.");
        return gather(Kind::Tuple, m_stack.size() - items);
    }

    /// What is on the stack from \p first on becomes one value.
    Status gather(Kind kind, std::size_t first)
    {
        const Item made = m_made.data.container(kind);
        PLIMSOLL_TRY(moveInto(made, first));
        return push(made);
    }

    Status appendLast(Kind kind, std::size_t items)
    {
        if (m_stack.size() < floor() + items + 1) return bad("The pickle takes a value where none is.");
        return extend(kind, m_stack.size() - items);
    }

    Status appendFromMark(Kind kind)
    {
        PLIMSOLL_ASSIGN(first, popMark());
        return extend(kind, first);
    }

    /// What is on the stack from \p first on goes into the container below it.
    Status extend(Kind kind, std::size_t first)
    {
        if (first <= floor() || m_stack[first - 1].kind() != kind)
            return bad("The pickle puts values into what holds none.");
        return moveInto(m_stack[first - 1], first);
    }

    Status moveInto(Item container, std::size_t first)
    {
        const auto items = std::span(m_stack).subspan(first);
        if (container.kind() == Kind::Dict && items.size() % 2 != 0) return bad("A key of a dictionary has no value.");
        m_made.data.append(container, items);
        m_stack.resize(first);
        return {};
    }

    std::string_view m_bytes;
    std::size_t m_at = 0;
    std::size_t m_opcode = 0; ///< Where the one begins that is read.
    std::vector<Item> m_stack;
    std::vector<std::size_t> m_marks; ///< Sizes that the stack had.
    std::vector<Item> m_memo;
    PickledData m_made;
    bool m_done = false;
};

} // namespace

bool looksLikePickle(std::string_view bytes)
{
    return bytes.size() > 1 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
}

Result<PickledData> readPickle(std::string_view bytes)
{
    if (!looksLikePickle(bytes)) return Error {ErrorCode::BadInput, "This is no pickle of protocol 2 to 5.", {}, {}};
    return Reader(bytes).run();
}

} // namespace plimsoll
