#pragma once

#include <string>
#include <string_view>

namespace plimsoll::test {

/// A TensorFlow Lite model from lines of text, written by flatbuffers' own builder:
///
///     tensor x float32[1,4] open=-1,4        open: the shape signature
///     tensor w float32[4] data=16            so many bytes in a buffer; "behind=16": behind the flatbuffer
///     tensor s int8[1,20] variable           also: sparse, buffer=7 (whatever there is)
///     input x
///     op ADD x w -> y                        "-" is an absent tensor, "@9" one by its number
///     custom ethos-u x -> y
///     op WHILE x -> y runs=1,2               also: once, call, then and else of IF; "composite=odml.norm runs=1"
///     output y
///     subgraph body                          what follows belongs to it; the first needs no line
///     signature serve 0
///     plan 0 0 16 -1                         version, subgraph, offsets; "words 0 0 9 1": the numbers as they are
///     vela                                   the metadata of Arm's compiler
[[nodiscard]] std::string tfliteBytes(std::string_view text);

} // namespace plimsoll::test
