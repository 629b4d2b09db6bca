#pragma once

#include "core/formats/files/wire_reader.h"
#include "core/formats/reading_room.h"

namespace google::protobuf {
class Descriptor;
}

namespace plimsoll::hlo {

/// Takes what protobuf will make of a message of that type: an instruction without a field is two bytes of the file,
/// and hundreds in memory. Errors: the byte at which the room is full. What is damaged is left to protobuf to say.
[[nodiscard]] Status takeMessage(WireBytes message, const google::protobuf::Descriptor& type, ReadingRoom& room);

} // namespace plimsoll::hlo
