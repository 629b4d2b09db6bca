#include "core/formats/hlo/hlo_proto_reader.h"

namespace plimsoll {

bool looksLikeHloProto(const FormatInput&)
{
    return false;
}

Result<FormatContent> readHloProto(const FormatInput&, const Context&)
{
    return Error {ErrorCode::Unsupported, say("hlo.no-protobuf"), {}, {}};
}

} // namespace plimsoll
