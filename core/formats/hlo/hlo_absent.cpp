#include "core/formats/hlo/hlo_proto_reader.h"

namespace plimsoll {

bool looksLikeHloProto(const FormatInput&)
{
    return false;
}

Result<FormatContent> readHloProto(const FormatInput&, const Context&)
{
    return Error {
        ErrorCode::Unsupported,
        "This build cannot read programs of XLA in protobuf's forms: protobuf and its compiler were not there when it "
        "was built. Install libprotobuf-dev and protobuf-compiler and build again.",
        {},
        {}};
}

} // namespace plimsoll
