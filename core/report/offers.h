#pragma once

#include "core/report/report.h"

namespace plimsoll {

/// One implementation that was on offer for a node.
struct OfferReport
{
    NodeId node;
    Implementation offer;
    bool taken = false;
    std::int64_t outputBytes = 0; ///< Required by all its outputs.
    std::string why;              ///< The reason of the decision about it; empty where none was recorded.
};

/// Every offer for every node that had one, in order of the nodes: what each would take, which was taken, and why.
[[nodiscard]] std::vector<OfferReport> listOffers(const Report& report);

} // namespace plimsoll
