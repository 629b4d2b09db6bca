#include "core/formats/hlo/hlo_proto_reader.h"

namespace plimsoll {
namespace {

Error absent(const std::filesystem::path& file)
{
    return {ErrorCode::Unsupported,
            "This build cannot read programs of XLA in protobuf's forms: protobuf and its compiler were not there when "
            "it was built. Install libprotobuf-dev and protobuf-compiler and build again.",
            {},
            file.string()};
}

} // namespace

bool looksLikeHloProto(std::span<const std::byte>)
{
    return false;
}

Result<Graph> readHloProto(std::span<const std::byte>, std::string_view, const std::filesystem::path& file,
                           const Context&)
{
    return absent(file);
}

Result<PlanFile> hloPlan(std::span<const std::byte>, std::string_view, const std::filesystem::path& file)
{
    return absent(file);
}

} // namespace plimsoll
