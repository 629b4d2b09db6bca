#pragma once

#include "core/plan/implementation.h"

#include <string_view>

namespace plimsoll::test {

/// What backends offer, from a few lines; one offer each, "#" begins a comment:
///
///     conv fast jit in=nChw8c,plain out=nChw8c ms=1.5 bytes=150144 inbytes=150144 scratch=64 align=128
///     conv fast gemm weights=1:ABcd8b8a:1152 inplace=0:0+0:1
///     conv fast jit with=add,relu inplace=0:2        computes those, too; inputs count on behind its own
///     relu slow ref inplace=                         known to write nothing in place
///     dot fast spmm takes=csr,dense leaves=dense     how the tensors are kept that it takes and leaves
///
///     relu cuda relu device=cuda:0                   reads and writes that memory
///
/// The first three words are node, backend and name. Aborts the test program where the text is wrong.
[[nodiscard]] Catalogue catalogueFromText(std::string_view text);

} // namespace plimsoll::test
