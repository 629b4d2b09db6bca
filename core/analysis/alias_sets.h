#pragma once

#include "core/ops/trait_table.h"

#include <cstdint>
#include <vector>

namespace plimsoll {

struct Program;

/// Values that *must* share bytes: views of a value and its mutated versions. No policy parts them.
///
///     root   [0 . . . . . . . 64)
///     view       [16 . . 48)          offset 16, source root
///     version [0 . . . . . . 64)      offset 0, source root; new content in the same bytes
struct AliasSets
{
    std::vector<ValueId> root;        ///< By ValueId: the value whose bytes they are; itself where it stands alone.
    std::vector<ValueId> source;      ///< By ValueId: what it is a view or a version of; invalid for roots.
    std::vector<std::int64_t> offset; ///< By ValueId: bytes from the start of the root.
    std::vector<AliasKind> kind;      ///< By ValueId: View or Mutates; Fresh for roots.
};

/// Follows the View and Mutates traits of all nodes that run. A trait whose offset is negative or does not fit in
/// 63 bits is left out: the verifier says what is wrong with it.
[[nodiscard]] AliasSets findAliasSets(const Graph& graph, const TraitTable& traits);
/// By the traits of the implementations that were chosen.
[[nodiscard]] AliasSets findAliasSets(const Program& program);

} // namespace plimsoll
