#pragma once

#include "core/formats/hlo/hlo_assignment.h"

namespace plimsoll::hlo {

namespace file {
class BufferAssignmentProto;
class HloModuleProto;
} // namespace file

/// The protobuf form of a program, with its instructions in the order of its schedule if it has one. Whatever it
/// points to is checked.
[[nodiscard]] Result<Module> moduleFrom(const file::HloModuleProto& from);

[[nodiscard]] Result<Assignment> assignmentFrom(const file::BufferAssignmentProto& from);

} // namespace plimsoll::hlo
