#include "core/formats/files/tensor_data.h"

#include "core/formats/bad_input.h"

#include <algorithm>
#include <fstream>

namespace plimsoll {
namespace {

Status readFile(const TensorData& data, std::span<std::byte> out)
{
    std::ifstream in(data.file, std::ios::binary);
    in.seekg(data.fileOffset);
    in.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size()));
    if (in) return {};
    std::error_code ignored;
    if (!std::filesystem::exists(data.file, ignored)) {
        return badInput("The data file '" + data.file.filename().string() +
                            "' is missing. Put it beside the graph; until then the graph can be planned, but not run.",
                        {}, data.file.string());
    }
    return badInput("Cannot read " + std::to_string(out.size()) + " bytes of a tensor from byte " +
                        std::to_string(data.fileOffset) + "; the file has become shorter.",
                    {}, data.file.string());
}

Status checkSize(const TensorData& data, std::int64_t needed)
{
    if (!data.present()) return badInput("The tensor has no data: its values were stripped from the file.");
    if (data.strings) return badInput("A tensor of strings has no bytes of a fixed size.");
    const auto size = data.bytes ? static_cast<std::int64_t>(data.bytes->size()) : data.fileBytes;
    if (size == needed) return {};
    return badInput("The tensor carries " + std::to_string(size) + " bytes where " + std::to_string(needed) +
                        " are needed.",
                    {}, data.file.string());
}

} // namespace

Status loadBytesInto(const TensorData& data, std::span<std::byte> out)
{
    PLIMSOLL_TRY(checkSize(data, static_cast<std::int64_t>(out.size())));
    if (!data.bytes) return readFile(data, out);
    std::copy(data.bytes->begin(), data.bytes->end(), out.begin());
    return {};
}

Result<std::vector<std::byte>> loadBytes(const TensorLiteral& literal)
{
    const auto needed = denseBytes(literal.dtype, literal.shape);
    if (!needed)
        return badInput("The size of " + std::string(dtypeName(literal.dtype)) + describe(literal.shape) +
                        " is not known.");
    PLIMSOLL_TRY(checkSize(literal.data, *needed)); // before memory is taken for it
    std::vector<std::byte> bytes(static_cast<std::size_t>(*needed));
    PLIMSOLL_TRY(loadBytesInto(literal.data, bytes));
    return bytes;
}

Result<std::vector<std::byte>> loadBytes(const Value& value)
{
    const auto shape = value.type.shape();
    if (!shape) return badInput("The shape of '" + value.name + "' is not known.");
    auto bytes = loadBytes(TensorLiteral {value.type.dtype, *shape, value.data});
    if (bytes.ok()) return bytes;
    Error error = bytes.error();
    error.where = "value '" + value.name + "'";
    return error;
}

} // namespace plimsoll
