#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace plimsoll {

/// One use of a graph that is bound once: parameters are the same for all, inputs and outputs are each call's own.
enum class Call : std::uint8_t {
    Forward,  ///< Keeps what its backward graph reads, until that has run.
    Backward, ///< Of the latest forward that waits for one.
    Infer,    ///< A forward without a backward: it keeps nothing.
};

/// "train,infer,train", where train is forward and backward at once; empty for "once", which calls what there is once.
/// BadUsage: another word, more than 64 calls, a backward without a forward, a forward without a backward (say infer).
[[nodiscard]] Result<std::vector<Call>> parseCalls(std::string_view text);

} // namespace plimsoll
