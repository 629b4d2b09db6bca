#include "core/formats/files/npy.h"

#include "core/formats/bad_input.h"
#include "core/formats/files/file_part.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string_view>

namespace plimsoll {
namespace {

constexpr std::string_view NpyMagic = "\x93NUMPY";
constexpr std::size_t MaxRank = 64;

struct DescrRow
{
    std::string_view descr; ///< Without the byte order.
    DType dtype;
};

constexpr std::array DescrTable = {
    DescrRow {"f8", DType::Float64},   DescrRow {"f4", DType::Float32},     DescrRow {"f2", DType::Float16},
    DescrRow {"i8", DType::Int64},     DescrRow {"i4", DType::Int32},       DescrRow {"i2", DType::Int16},
    DescrRow {"i1", DType::Int8},      DescrRow {"u8", DType::UInt64},      DescrRow {"u4", DType::UInt32},
    DescrRow {"u2", DType::UInt16},    DescrRow {"u1", DType::UInt8},       DescrRow {"b1", DType::Bool},
    DescrRow {"c8", DType::Complex64}, DescrRow {"c16", DType::Complex128},
};

Error bad(Message message)
{
    return badInput(std::move(message), "npy header");
}

std::string_view asText(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// What stands after "'key':" in the header, a Python dictionary.
std::optional<std::string_view> entry(std::string_view header, std::string_view key)
{
    auto at = header.find("'" + std::string(key) + "'");
    if (at == std::string_view::npos) return std::nullopt;
    at = header.find(':', at);
    if (at == std::string_view::npos) return std::nullopt;
    at = header.find_first_not_of(' ', at + 1);
    if (at == std::string_view::npos) return std::nullopt;
    return header.substr(at);
}

Result<DType> parseDescr(std::string_view rest)
{
    const auto end = rest.empty() || rest.front() != '\'' ? std::string_view::npos : rest.find('\'', 1);
    if (end == std::string_view::npos || end < 3) return bad(say("npy.no-plain-type"));
    const std::string_view descr = rest.substr(1, end - 1);
    if (descr.front() == '>') return bad(say("npy.big-endian", word::Name {std::string(descr)}));
    const auto found = std::find_if(DescrTable.begin(), DescrTable.end(),
                                    [&](const DescrRow& row) { return row.descr == descr.substr(1); });
    if (found == DescrTable.end()) return bad(say("npy.no-tensor-type", word::Name {std::string(descr)}));
    return found->dtype;
}

Result<Shape> parseShape(std::string_view rest)
{
    const auto end = rest.empty() || rest.front() != '(' ? std::string_view::npos : rest.find(')');
    if (end == std::string_view::npos) return bad(say("npy.shape"));
    Shape shape;
    const char* at = rest.data() + 1;
    const char* const last = rest.data() + end;
    while (at != last) {
        if (*at == ' ' || *at == ',') {
            ++at;
            continue;
        }
        std::int64_t dim = 0;
        const auto [next, failure] = std::from_chars(at, last, dim);
        if (failure != std::errc() || dim < 0 || shape.size() == MaxRank) return bad(say("npy.shape"));
        shape.push_back(dim);
        at = next;
    }
    return shape;
}

/// The text of the header and where the data begins.
Result<std::string_view> headerText(std::span<const std::byte> bytes, std::int64_t& dataOffset)
{
    if (!looksLikeNpy(bytes) || bytes.size() < 12) return bad(say("npy.no-npy"));
    const int major = std::to_integer<int>(bytes[6]);
    if (major < 1 || major > 3) return bad(say("npy.version", word::Number(major)));
    const std::size_t lengthBytes = major == 1 ? 2 : 4;
    std::uint32_t length = 0;
    std::memcpy(&length, &bytes[8], lengthBytes); // little-endian, as this machine
    const std::size_t begin = 8 + lengthBytes;
    if (length > bytes.size() - begin) return bad(say("npy.header-cut"));
    dataOffset = static_cast<std::int64_t>(begin + length);
    return asText(bytes.subspan(begin, length));
}

/// Column-major elements put into row-major order.
std::vector<std::byte> toRowMajor(std::span<const std::byte> from, const Shape& shape, std::size_t width)
{
    std::vector<std::byte> to(from.size());
    std::vector<std::int64_t> index(shape.size(), 0);
    for (std::size_t out = 0; out < from.size(); out += width) {
        std::int64_t source = 0;
        for (std::size_t axis = shape.size(); axis-- > 0;)
            source = source * shape[axis] + index[axis];
        std::copy_n(&from[static_cast<std::size_t>(source) * width], width, &to[out]);
        for (std::size_t axis = shape.size(); axis-- > 0 && ++index[axis] == shape[axis];)
            index[axis] = 0;
    }
    return to;
}

} // namespace

bool looksLikeNpy(std::span<const std::byte> bytes)
{
    return asText(bytes).starts_with(NpyMagic);
}

Result<NpyHeader> readNpyHeader(std::span<const std::byte> bytes)
{
    NpyHeader header;
    PLIMSOLL_ASSIGN(text, headerText(bytes, header.dataOffset));
    const auto descr = entry(text, "descr");
    const auto order = entry(text, "fortran_order");
    const auto dims = entry(text, "shape");
    if (!descr || !order || !dims) return bad(say("npy.keys-missing"));
    PLIMSOLL_SET(header.dtype, parseDescr(*descr));
    PLIMSOLL_SET(header.shape, parseShape(*dims));
    header.fortranOrder = order->starts_with("True");
    const auto needed = denseBytes(header.dtype, header.shape);
    const std::int64_t carried = static_cast<std::int64_t>(bytes.size()) - header.dataOffset;
    if (needed != carried)
        return bad(say("npy.other-length", dtypeName(header.dtype), describe(header.shape), word::Number(carried)));
    return header;
}

Result<TensorLiteral> readNpy(std::span<const std::byte> bytes)
{
    PLIMSOLL_ASSIGN(header, readNpyHeader(bytes));
    const auto content = bytes.subspan(static_cast<std::size_t>(header.dataOffset));
    const auto width = static_cast<std::size_t>(dtypeBits(header.dtype) / 8);
    std::vector<std::byte> data = header.fortranOrder ? toRowMajor(content, header.shape, width)
                                                      : std::vector<std::byte>(content.begin(), content.end());
    return TensorLiteral {header.dtype, header.shape, dataOf(std::move(data))};
}

std::string npyFile(DType dtype, const Shape& shape, std::span<const std::byte> elements)
{
    const auto row = std::ranges::find(DescrTable, dtype, &DescrRow::dtype);
    std::string sizes;
    for (const std::int64_t size : shape)
        sizes += std::to_string(size) + ",";
    std::string header =
        "{'descr': '<" + std::string(row->descr) + "', 'fortran_order': False, 'shape': (" + sizes + "), }";
    constexpr std::size_t Before = 10; // magic, version and the length of the header
    header.resize((header.size() + Before + 64) / 64 * 64 - Before - 1, ' ');
    header += '\n';
    std::string file(NpyMagic);
    file += {'\x01', '\x00', static_cast<char>(header.size() % 256), static_cast<char>(header.size() / 256)};
    return file + header + std::string(asText(elements));
}

} // namespace plimsoll
