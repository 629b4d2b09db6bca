#pragma once

#include <string>
#include <string_view>

namespace plimsoll::test {

/// A memory snapshot of PyTorch as JSON, from lines:
///
///     segment 4096 2097152 stream=0        at the end; blocks of it follow one another from its start
///     block 512 300 active_allocated @model.py:31:forward
///     alloc 4096 300 @model.py:31:forward  an event: its kind, address and size
///     oom 1000 600                         the first number is what the device had left
///     device 1                             what follows is of that one
///
/// "expandable" behind a segment makes it one; a stack is innermost first, with '<' between frames.
[[nodiscard]] std::string snapshotJson(std::string_view lines);

} // namespace plimsoll::test
