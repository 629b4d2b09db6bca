#include "core/formats/tflite/tflite_reader.h"

namespace plimsoll {
Result<FormatContent> readTflite(const FormatInput&, const Context&)
{
    return Error {ErrorCode::Unsupported,
                  "This build cannot read TensorFlow Lite models: flatbuffers was not there when it was built. Install "
                  "libflatbuffers-dev and flatbuffers-compiler and build again.",
                  {},
                  {}};
}

} // namespace plimsoll
