#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"

#include <vector>

namespace plimsoll {

/// A node that nothing computes as its sparse tensors are kept: it goes through dense ones, which the plan holds, too.
struct DenseFallback
{
    NodeId node;
    Message reason; ///< "nothing computes Relu for csr"
    std::vector<ValueId>
        temporaries; ///< Dense copies of what it reads and what it writes; several nodes may share one.
};

} // namespace plimsoll
