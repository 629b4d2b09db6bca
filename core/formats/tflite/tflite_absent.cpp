#include "core/formats/tflite/tflite_reader.h"

namespace plimsoll {
namespace {

Error absent(const std::filesystem::path& file)
{
    return {ErrorCode::Unsupported,
            "This build cannot read TensorFlow Lite models: flatbuffers was not there when it was built. Install "
            "libflatbuffers-dev and flatbuffers-compiler and build again.",
            {},
            file.string()};
}

} // namespace

Result<Graph> readTflite(std::span<const std::byte>, std::string_view, const std::filesystem::path& file,
                         const Context&)
{
    return absent(file);
}

Result<PlanFile> tflitePlan(std::span<const std::byte>, std::string_view, const std::filesystem::path& file)
{
    return absent(file);
}

} // namespace plimsoll
