#pragma once

#include "kernels/run/run.h"

#include <optional>
#include <vector>

namespace plimsoll::kernels {

/// Where the slices of a larger tensor lie: dimensions [axis, axis + prefix.size()) number them, the others are a
/// slice's.
struct SliceLayout
{
    std::int64_t axis = 0;
    Shape prefix;         ///< {iterations}, or {batch, iterations} for Scan-8.
    bool reverse = false; ///< Slice i is the i-th from the end.
};

/// Copies slice \p index of \p source into new bytes of \p target.
[[nodiscard]] Status takeSlice(Memory& memory, const RuntimeValue& source, const SliceLayout& layout,
                               std::int64_t index, ValueId target);

/// One output of a loop that is put together from one slice for each iteration, in both memories. Planned outputs get
/// each slice at its Leave; of the others the slices are kept until the Exit, when their number is known.
class Stack
{
public:
    Stack(Run& run, ValueId target, SliceLayout layout);

    /// At the Enter. \p zeroed: slices that no iteration writes are zeros.
    [[nodiscard]] Status begin(bool zeroed);
    [[nodiscard]] Status add(ValueId slice, std::int64_t index);
    /// At the Exit. Without a known number of iterations there are as many slices as were added; with one, those that
    /// the end of a \p cut loop left out are zeros.
    [[nodiscard]] Status finish(bool asSequence, bool cut);

private:
    [[nodiscard]] Status clearRest();
    [[nodiscard]] Status finishTensor(Memory& memory, const std::vector<RuntimeValue>& slices) const;
    [[nodiscard]] Status finishSequence(Memory& memory, const std::vector<RuntimeValue>& slices) const;

    Run& m_run;
    ValueId m_target;
    SliceLayout m_layout;
    bool m_inPlace = false;              ///< The target has its bytes from the Enter on.
    std::vector<std::int64_t> m_indexes; ///< Of the slices, in the order in which they came.
    std::vector<RuntimeValue> m_oracleSlices;
    std::vector<RuntimeValue> m_plannedSlices;
};

} // namespace plimsoll::kernels
