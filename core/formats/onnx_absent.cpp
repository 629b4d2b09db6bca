#include "core/formats/onnx_reader.h"
#include "core/formats/onnx_value_file.h"

namespace plimsoll {
namespace {

Error absent()
{
    return {ErrorCode::Unsupported,
            "This build cannot read ONNX: protobuf was not there when it was built. Install libprotobuf-dev and build "
            "again.",
            {},
            {}};
}

} // namespace

Result<Graph> readOnnx(const std::filesystem::path& path, const Context&)
{
    Error error = absent();
    error.file = path.string();
    return error;
}

Result<Graph> readOnnx(std::span<const std::byte>, const Context&)
{
    return absent();
}

Result<TensorFile> onnx::readValueFile(std::span<const std::byte>, TypeKind)
{
    return absent();
}

} // namespace plimsoll
