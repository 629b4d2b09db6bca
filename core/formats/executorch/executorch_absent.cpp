#include "core/formats/executorch/executorch_reader.h"

namespace plimsoll {
namespace {

Error absent(const std::filesystem::path& file)
{
    return {ErrorCode::Unsupported,
            "This build cannot read ExecuTorch programs: flatbuffers was not there when it was built. Install "
            "libflatbuffers-dev and flatbuffers-compiler and build again.",
            {},
            file.string()};
}

} // namespace

Result<Graph> readExecutorch(std::span<const std::byte>, std::string_view, const std::filesystem::path& file,
                             const Context&)
{
    return absent(file);
}

Result<PlanFile> executorchPlan(std::span<const std::byte>, std::string_view, const std::filesystem::path& file)
{
    return absent(file);
}

} // namespace plimsoll
