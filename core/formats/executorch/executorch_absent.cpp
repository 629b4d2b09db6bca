#include "core/formats/executorch/executorch_reader.h"

namespace plimsoll {
Result<FormatContent> readExecutorch(const FormatInput&, const Context&)
{
    return Error {ErrorCode::Unsupported,
                  "This build cannot read ExecuTorch programs: flatbuffers was not there when it was built. Install "
                  "libflatbuffers-dev and flatbuffers-compiler and build again.",
                  {},
                  {}};
}

} // namespace plimsoll
