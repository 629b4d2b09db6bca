#include "core/formats/executorch/executorch_reader.h"
#include "core/formats/tflite/tflite_reader.h"

namespace plimsoll {
Result<FormatContent> readExecutorch(const FormatInput&, const Context&)
{
    return Error {ErrorCode::Unsupported, say("executorch.no-flatbuffers"), {}, {}};
}

Result<FormatContent> readTflite(const FormatInput&, const Context&)
{
    return Error {ErrorCode::Unsupported, say("tflite.no-flatbuffers"), {}, {}};
}

} // namespace plimsoll
