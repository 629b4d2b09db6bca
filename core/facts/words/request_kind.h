#pragma once

#include "core/facts/report.h"

#include <string_view>
#include <vector>

namespace plimsoll {

/// How a run is asked to write a value; the names are MXNet's.
enum class RequestKind : std::uint8_t {
    Write,        ///< Into bytes of its own, or of what nothing needs any more.
    WriteInPlace, ///< Where an input of its node lies, or what an owner hands over.
    AddTo,        ///< Onto what is there: a gradient in an accumulator, or in the caller's buffer.
    Null,         ///< Not at all: nothing would read it, or it is not the graph's to write.
};
[[nodiscard]] std::string_view requestName(RequestKind kind); ///< "write", "write-in-place", "add-to", "null"

/// By ValueId. A value is looked at where its content is read, or where a body hands it out; a node that only takes its
/// shape does not look.
[[nodiscard]] std::vector<RequestKind> requestKinds(const Report& report);

} // namespace plimsoll
