#pragma once

#include <string>
#include <string_view>

namespace plimsoll::test {

/// An ExecuTorch program from lines of text, written by flatbuffers' own builder:
///
///     segment                                constants go behind the flatbuffer, with the extended header
///     method forward                         what follows belongs to it
///     memory 64 32                           bytes of memories 1 and 2
///     tensor x float32[1,4] @1+16            in memory 1 at 16
///     tensor w float32[4] data=16            a constant of so many bytes
///     tensor s float32[4] @1+0 weight=net.w  also: external=net.w (in another file), bounded, unbounded
///     list l x w                             a list of tensors; "-" is none
///     int n                                  a number
///     input x
///     kernel aten::add.out x w n y y         its arguments, and what it returns
///     delegate XnnpackBackend x y
///     move a b
///     jump 5
///     free a
///     output y
///     chain                                  what follows stands in another list of instructions
///
/// "@9" as an argument is value 9, whatever there is.
[[nodiscard]] std::string executorchBytes(std::string_view text);

} // namespace plimsoll::test
