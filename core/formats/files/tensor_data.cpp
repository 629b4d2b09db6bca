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
        return badInput(say("data.missing-for-run", word::Name {data.file.filename().string()}), {},
                        data.file.string());
    }
    return badInput(say("data.file-shorter", word::Number(out.size()), word::Number(data.fileOffset)), {},
                    data.file.string());
}

Status checkSize(const TensorData& data, std::int64_t needed)
{
    if (!data.present()) return badInput(say("data.stripped"));
    if (data.strings) return badInput(say("data.strings"));
    const auto size = data.bytes ? static_cast<std::int64_t>(data.bytes->size()) : data.fileBytes;
    if (size == needed) return {};
    return badInput(say("data.other-size", word::Number(size), word::Number(needed)), {}, data.file.string());
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
    if (!needed) return badInput(say("data.size-unknown", dtypeName(literal.dtype), describe(literal.shape)));
    PLIMSOLL_TRY(checkSize(literal.data, *needed)); // before memory is taken for it
    std::vector<std::byte> bytes(static_cast<std::size_t>(*needed));
    PLIMSOLL_TRY(loadBytesInto(literal.data, bytes));
    return bytes;
}

Result<std::vector<std::byte>> loadBytes(const Value& value)
{
    const auto shape = value.type.shape();
    if (!shape) return badInput(say("data.shape-unknown", word::Name {value.name}));
    auto bytes = loadBytes(TensorLiteral {value.type.dtype, *shape, *value.data});
    if (bytes.ok()) return bytes;
    Error error = bytes.error();
    error.where = "value '" + value.name + "'";
    return error;
}

} // namespace plimsoll
