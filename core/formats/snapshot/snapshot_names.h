#pragma once

#include "core/formats/snapshot/plain_data.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace plimsoll {

/// What asked for some bytes, read off a stack.
struct SnapshotCaller
{
    std::string name;   ///< "model.py:31 forward": the innermost frame that is not PyTorch's own. Empty: no stack.
    std::string source; ///< "/src/model.py:31 forward, called by train.py:12 step"
};

/// Names for stacks, each made once; without commas and quotes, so that they fit into a table.
class SnapshotCallers
{
public:
    explicit SnapshotCallers(const PlainData& data) : m_data(data) {}

    [[nodiscard]] const SnapshotCaller& of(PlainData::Item frames);
    /// The callers of \p frames one by one, innermost first: "model.py:31 forward". PyTorch's own only where there are
    /// no others.
    [[nodiscard]] std::vector<std::string> listed(PlainData::Item frames) const;

private:
    [[nodiscard]] SnapshotCaller make(PlainData::Item frames) const;

    const PlainData& m_data;
    std::unordered_map<std::uint64_t, SnapshotCaller> m_made; ///< By the list of frames.
};

} // namespace plimsoll
