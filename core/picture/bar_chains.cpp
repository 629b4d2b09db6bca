#include "core/picture/bar_chains.h"

#include <map>

namespace plimsoll {

std::vector<BarChain> chainsOf(const std::vector<const PlanBar*>& bars)
{
    std::vector<BarChain> chains;
    std::map<StorageId, std::size_t> latest; // chain of a storage
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const PlanBar& bar = *bars[i];
        const auto [at, isNew] = latest.try_emplace(bar.storage, chains.size());
        const PlanBar* before = isNew ? nullptr : bars[chains[at->second].last];
        if (before && before->at == bar.at && bar.steps.begin <= before->steps.end) {
            chains[at->second].last = i;
            continue;
        }
        at->second = chains.size();
        chains.push_back({i, i});
    }
    return chains;
}

} // namespace plimsoll
