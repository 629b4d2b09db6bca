#include "core/formats/executorch/executorch_reader.h"
#include "core/formats/tflite/tflite_reader.h"

namespace plimsoll {
namespace {

Error cannotRead(const std::string& what)
{
    return {ErrorCode::Unsupported,
            "This build cannot read " + what +
                ": flatbuffers was not there when it was built. Install "
                "libflatbuffers-dev and flatbuffers-compiler and build again.",
            {},
            {}};
}

} // namespace

Result<FormatContent> readExecutorch(const FormatInput&, const Context&)
{
    return cannotRead("ExecuTorch programs");
}

Result<FormatContent> readTflite(const FormatInput&, const Context&)
{
    return cannotRead("TensorFlow Lite models");
}

} // namespace plimsoll
